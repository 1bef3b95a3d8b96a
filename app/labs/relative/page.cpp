#include "app/labs/relative/page.h"

namespace lab::relative {
namespace {

std::vector<Figure> figures(const Scene& scene) {
  std::vector<Figure> all = term_figures(scene);
  all.push_back(curve_figure(scene));
  all.push_back(matrix_figure(scene));
  for (Figure& own : own_figures(scene)) all.push_back(std::move(own));
  all.push_back(weights_figure(scene));
  all.push_back(pair_figure(scene));
  return all;
}

std::vector<std::string> notes(const Scene& scene) {
  const auto& [p, model, w] = scene;
  std::vector<std::string> notes;
  if (model.content->cut) {
    notes.push_back(
        w.format("The text has more tokens: its first {} are used. Raise the length to see more.",
                 model.n()));
  }
  if (scene.scheme().learned > 0) {
    notes.push_back(
        w("No model was trained: the numbers that one would learn are drawn at random. What the "
          "scheme does with them is exact."));
  }
  if (p.is(SchemeName::transformer_xl)) {
    notes.push_back(
        w("Transformer-XL looks back only; XLNet has the same terms for keys on both sides."));
  }
  if (p.is_xl() && !p.xl_position && !p.xl_bias) {
    notes.push_back(w("Terms (b) and (d) are off: no distance enters the scores."));
  }
  const bool t5 = p.is(SchemeName::t5);
  if (t5 && !p.folded) {
    notes.push_back(
        w.format("Nothing is divided: the content is √{} times as large as q·k / √d_k.", p.width));
  }
  if (t5 && p.t5_direction == T5Direction::causal && !model.pairs->causal) {
    notes.push_back(
        w("The buckets are for keys before the query, and no mask hides those ahead: they are all "
          "in bucket 0, with the query itself."));
  }
  if (p.uses_alibi() && p.by_key()) {
    notes.push_back(
        model.pairs->causal
            ? w("The curve shows m (j - i): the bias m j less m i, which softmax does not see.")
            : w("Without a causal mask m j favours keys far ahead: it stands for the distance only "
                "under that mask."));
  }
  return notes;
}

}  // namespace

std::string Scene::quoted(Index token) const {
  const figure::Labels& labels = model.content->labels;
  return labels ? w.format("\"{}\"", (*labels)[to_size(token)]) : w.format("token {}", token);
}

std::size_t Scene::term() const {
  return to_size(std::clamp(p.term, 1, static_cast<int>(scheme().terms.size())) - 1);
}

std::string Scene::scheme_name() const {
  constexpr const char* kNames[] = {"Shaw",    "Transformer-XL", "XLNet", "T5",
                                    "DeBERTa", "URPE",           "ALiBi"};
  return kNames[static_cast<std::size_t>(p.scheme)];
}

std::string Scene::pair_text() const {
  return w.format("query {}, key {}: {}", model.query, model.key,
                  distance_words(*this, model.key - model.query));
}

PairMap Scene::map() const {
  return {.queries = model.n(),
          .keys = model.n(),
          .labels = model.content->labels,
          .query = model.query,
          .key = model.key,
          .pinned = model.pinned,
          .pool = p.pool,
          .query_label = w("query"),
          .key_label = w("key")};
}

std::string term_symbol(const Scene& scene, TermId id) {
  if (id == TermId::content && scene.p.is_xl()) return "(a) q·k";
  if (id == TermId::alibi && scene.p.by_key()) return "m j";
  constexpr const char* kSymbols[] = {"q·k",      "q·a^K",      "(b) q·R",    "(c) u·k", "(d) v·R",
                                      "b_bucket", "q·k_δ(i,j)", "k·q_δ(j,i)", "-m|i-j|"};
  return kSymbols[static_cast<std::size_t>(id)];
}

std::string term_words(const Scene& scene, TermId id) {
  constexpr const char* kWords[] = {N_("content"),
                                    N_("query meets distance"),
                                    N_("query meets distance"),
                                    N_("key alone"),
                                    N_("distance alone"),
                                    N_("bias of the bucket"),
                                    N_("content to position"),
                                    N_("position to content"),
                                    N_("linear bias")};
  return scene.w(kWords[static_cast<std::size_t>(id)]);
}

std::string divisor_text(const Scene& scene) {
  if (scene.p.is(SchemeName::deberta)) return " / √(3d)";
  return scene.scheme().terms[0].factor == 1 ? "" : " / √d";
}

std::string distance_words(const Scene& scene, Index relative) {
  if (relative < 0) return scene.w.format("{} before", -relative);
  if (relative > 0) return scene.w.format("{} ahead", relative);
  return scene.w("the query itself");
}

Page compute(const Parameters& p, const Context& context) {
  const auto& w = context.words;
  const Model model = make_model(p, context);
  const Scene scene{p, model, w};
  context.cancel.poll();
  Page page;
  page.formula = formula(p);
  page.cards = cards(p, w);
  page.status = w.format("n = {} · d_k {} · seed {}", model.n(), p.width, p.seed);
  if (model.n() == 0) {
    page.notes.push_back(w("There is no token yet: type some text."));
    return page;
  }
  page.figures = figures(scene);
  page.readouts = readouts(scene);
  page.explanation = explain(scene);
  page.notes = notes(scene);
  page.status = scene.scheme_name() + " · " + page.status;
  return page;
}

}  // namespace lab::relative
