#include "core/checkpoint/generation.h"

#include "core/checkpoint/pass.h"

namespace core::checkpoint {
namespace {

bool two_texts(const ModelFacts& facts) { return facts.kind == Kind::encoder_decoder; }

Pasts empty_pasts(const ModelFacts& facts) {
  const Index layers = two_texts(facts) ? facts.decoder_layers : facts.layers;
  const Past empty(layers, facts.key_heads, facts.head_width);
  Pasts pasts{empty};
  if (two_texts(facts)) pasts.across = empty;
  return pasts;
}

}  // namespace

Generation::Generation(Begin, std::shared_ptr<const Model> model, const GenerationOptions& options)
    : model_(std::move(model)), options_(options), past_(empty_pasts(model_->facts())) {
  const ModelFacts& facts = model_->facts();
  if (!facts.head.empty()) return;
  throw InputError(
      Message(N_("logits: expected a model with a head, got {} without one"), facts.name));
}

Generation::Generation(std::shared_ptr<const Model> model, const GenerationOptions& options)
    : Generation(Begin(), std::move(model), options) {
  const ModelFacts& facts = model_->facts();
  if (facts.kind != Kind::decoder) {
    throw InputError(
        Message(N_("generation: expected a decoder that reads one text, got {}"), facts.name));
  }
}

Generation Generation::across(std::shared_ptr<const Model> model, std::vector<std::int32_t> encoded,
                              const GenerationOptions& options) {
  const ModelFacts& facts = model->facts();
  if (!two_texts(facts)) {
    throw InputError(
        Message(N_("generation: expected an encoder and a decoder, got {}"), facts.name));
  }
  Generation made(Begin(), std::move(model), options);
  made.encoded_ = std::move(encoded);
  return made;
}

bool Generation::rotates_otherwise(Index length) const {
  const std::optional<Rotary>& rotary = model_->facts().positions.rotary;
  if (!rotary || !rotary->depends_on_length()) return false;
  return rotary->frequencies(length) != rotary->frequencies(rotated_for_);
}

const Vector& Generation::read(const std::vector<std::int32_t>& tokens, const Cancel& cancel) {
  const ModelFacts& facts = model_->facts();
  const bool two = two_texts(facts);
  Input input{.tokens = tokens};
  if (two) input = {.tokens = encoded_, .decoder_tokens = tokens};
  model_->check(input);
  std::vector<std::int32_t> all = ids_;
  all.insert(all.end(), tokens.begin(), tokens.end());
  const auto length = static_cast<Index>(all.size());
  const bool anew = !ids_.empty() && rotates_otherwise(length);
  if (anew || (!two && facts.positions.limited)) {
    Input whole{.tokens = all};
    model_->check(whole);
    if (anew) input = std::move(whole);
  }
  // What is put behind the tokens that were read counts only once all layers have it.
  std::optional<Pasts> fresh;
  if (anew) fresh.emplace(empty_pasts(facts));
  ForwardOptions<float> options;
  options.keep_weights = options_.keep_weights;
  options.keep_layers = options_.keep_layers;
  options.logits = Logits::last;
  options.threads = options_.threads;
  Trace<float> trace;
  const bool encodes = !two || past_.across->tokens() == 0;
  Pass<float> pass(model_->weights(), input, options, trace,
                   (encodes ? facts.layers : 0) + facts.decoder_layers, cancel,
                   fresh ? &*fresh : &past_);
  model_->run(pass);
  if (fresh) past_ = std::move(*fresh);
  past_.self.set_tokens(length);
  if (two) past_.across->set_tokens(static_cast<Index>(encoded_.size()));
  ids_ = std::move(all);
  rotated_for_ = length;
  newest_ = std::move(trace);
  logits_ = newest_.logits.row(0).transpose();
  return logits_;
}

void Generation::back_to(Index tokens) {
  if (tokens < 0 || tokens > this->tokens()) {
    throw InputError(
        Message(N_("text: expected to go back to 0 to {} tokens, got {}"), this->tokens(), tokens));
  }
  ids_.resize(static_cast<std::size_t>(tokens));
  past_.self.set_tokens(tokens);
}

}  // namespace core::checkpoint
