#include "app/labs/transformer/model.h"

#include "app/labs/shared/lists.h"
#include "core/text/token_ids.h"

namespace lab::transformer {
namespace {

constexpr std::int32_t kStart = 0, kEnd = 1;

// Adds to the ids that there are, and answers with their names.
Labels read(const std::string& text, core::Unit unit, Texts& texts, core::TokenIds& ids,
            std::vector<std::int32_t>& to) {
  std::vector<std::string> names =
      each(to, [&](std::int32_t one) { return ids.words()[to_size(one)]; });
  auto tokens = core::tokenize(text, unit, kMostTokens + 1);
  if (tokens.size() > kMostTokens) {
    texts.cut = true;
    tokens.pop_back();
  }
  for (const core::Token& token : tokens) {
    to.push_back(ids.of(token));
    names.push_back(token.label);
  }
  return labels(std::move(names));
}

Texts read_texts(const std::string& source, const std::string& target, core::Unit unit,
                 const Run&) {
  Texts texts;
  core::TokenIds ids({"<start>", "<end>"});
  texts.source_names = read(source, unit, texts, ids, texts.ids.source);
  texts.ids.target = {kStart};
  texts.target_names = read(target, unit, texts, ids, texts.ids.target);
  texts.ids.next.assign(texts.ids.target.begin() + 1, texts.ids.target.end());
  texts.ids.next.push_back(kEnd);
  texts.words = ids.words();
  return texts;
}

}  // namespace

core::model::EncoderDecoderForm form_of(const Parameters& p, Index vocabulary) {
  core::model::EncoderDecoderForm form;
  form.vocabulary = vocabulary;
  form.layer.d_model = p.d_model;
  form.layer.heads = p.head_count();
  form.layer.key_heads = p.key_heads == KeyHeads::all   ? form.layer.heads
                         : p.key_heads == KeyHeads::one ? 1
                                                        : std::max<Index>(1, form.layer.heads / 2);
  form.layer.feed_forward = {.width = p.d_ff, .function = p.activation};
  form.layer = core::task::varied(form.layer, p.variant());
  form.encoder_layers = p.encoder_layers;
  form.decoder_layers = p.decoder_layers;
  form.positions.scheme = p.positions;
  form.positions.longest = kMostTokens + 1;
  form.scaled = p.scaled;
  return form;
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.texts = context.stage("texts", read_texts, p.source, p.target, p.unit);
  if (model.empty()) return model;
  const auto vocabulary = to_index(model.texts->words.size());
  const auto run = [](const std::shared_ptr<const Texts>& texts, const auto& form, int seed,
                      bool backward, const Run& how) {
    return core::model::run_pass(form, texts->ids, static_cast<std::uint64_t>(seed), backward,
                                 how.cancel);
  };
  model.pass = context.stage("pass", run, model.texts, form_of(p, vocabulary), p.seed, p.backward);
  return model;
}

}  // namespace lab::transformer
