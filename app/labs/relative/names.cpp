#include <fmt/format.h>

#include <algorithm>

#include "app/labs/relative/page.h"

namespace lab::relative {

std::string Scene::quoted(Index token) const {
  const figure::Labels& labels = model.content->labels;
  return labels ? w.format("\"{}\"", (*labels)[static_cast<std::size_t>(token)])
                : w.format("token {}", token);
}

std::size_t Scene::term() const {
  const auto count = static_cast<int>(scheme().terms.size());
  return static_cast<std::size_t>(std::clamp(p.term, 1, count) - 1);
}

std::string Scene::scheme_name() const {
  switch (p.scheme) {
    case SchemeName::shaw:
      return "Shaw";
    case SchemeName::transformer_xl:
      return "Transformer-XL";
    case SchemeName::xlnet:
      return "XLNet";
    case SchemeName::t5:
      return "T5";
    case SchemeName::deberta:
      return "DeBERTa";
    case SchemeName::urpe:
      return "URPE";
    case SchemeName::alibi:
      break;
  }
  return "ALiBi";
}

std::string term_symbol(const Scene& scene, TermId id) {
  switch (id) {
    case TermId::content:
      return is_xl(scene.p) ? "(a) q·k" : "q·k";
    case TermId::shaw:
      return "q·a^K";
    case TermId::xl_position:
      return "(b) q·R";
    case TermId::xl_key:
      return "(c) u·k";
    case TermId::xl_bias:
      return "(d) v·R";
    case TermId::t5:
      return "b_bucket";
    case TermId::content_to_position:
      return "q·k_δ(i,j)";
    case TermId::position_to_content:
      return "k·q_δ(j,i)";
    case TermId::alibi:
      break;
  }
  return scene.p.alibi_bias == AlibiBias::key_only ? "m j" : "-m|i-j|";
}

std::string term_words(const Scene& scene, TermId id) {
  const auto& w = scene.w;
  switch (id) {
    case TermId::content:
      return w("content");
    case TermId::shaw:
      return w("query meets distance");
    case TermId::xl_position:
      return w("query meets distance");
    case TermId::xl_key:
      return w("key alone");
    case TermId::xl_bias:
      return w("distance alone");
    case TermId::t5:
      return w("bias of the bucket");
    case TermId::content_to_position:
      return w("content to position");
    case TermId::position_to_content:
      return w("position to content");
    case TermId::alibi:
      break;
  }
  return w("linear bias");
}

std::string divisor_text(const Scene& scene) {
  if (scene.p.scheme == SchemeName::deberta) return " / √(3d)";
  return scene.scheme().terms[0].factor == 1 ? "" : " / √d";
}

std::string distance_words(const Scene& scene, Index relative) {
  if (relative < 0) return scene.w.format("{} before", -relative);
  if (relative > 0) return scene.w.format("{} ahead", relative);
  return scene.w("the query itself");
}

}  // namespace lab::relative
