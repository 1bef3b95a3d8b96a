#include "core/checkpoint/generation.h"

#include "core/checkpoint/pass.h"

namespace core::checkpoint {
namespace {

Past empty_past(const ModelFacts& facts) {
  return {facts.layers, facts.key_heads, facts.head_width};
}

}  // namespace

Generation::Generation(std::shared_ptr<const Model> model, const GenerationOptions& options)
    : model_(std::move(model)), options_(options), past_(empty_past(model_->facts())) {
  const ModelFacts& facts = model_->facts();
  if (facts.kind != Kind::decoder) {
    throw InputError(
        Message(N_("generation: expected a decoder that reads one text, got {}"), facts.name));
  }
}

bool Generation::turns_otherwise(Index length) const {
  const std::optional<Rotary>& rotary = model_->facts().positions.rotary;
  if (!rotary || !rotary->depends_on_length()) return false;
  return rotary->frequencies(length) != rotary->frequencies(turned_for_);
}

const Vector& Generation::read(const std::vector<std::int32_t>& tokens, const Cancel& cancel) {
  Input input{.tokens = tokens};
  model_->check(input);
  std::vector<std::int32_t> all = ids_;
  all.insert(all.end(), tokens.begin(), tokens.end());
  const auto length = static_cast<Index>(all.size());
  const bool anew = !ids_.empty() && turns_otherwise(length);
  if (anew || model_->facts().positions.limited) {
    Input whole{.tokens = all};
    model_->check(whole);
    if (anew) input = std::move(whole);
  }
  // What is put behind the tokens that were read counts only once all layers have it.
  std::optional<Past> fresh;
  if (anew) fresh.emplace(empty_past(model_->facts()));
  ForwardOptions<float> options;
  options.keep_weights = options_.keep_weights;
  options.keep_layers = options_.keep_layers;
  options.logits = Logits::last;
  options.threads = options_.threads;
  Trace<float> trace;
  Pass<float> pass(model_->weights(), input, options, trace, model_->facts().layers, cancel,
                   fresh ? &*fresh : &past_);
  model_->run(pass);
  if (fresh) past_ = std::move(*fresh);
  past_.set_tokens(length);
  ids_ = std::move(all);
  turned_for_ = length;
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
  past_.set_tokens(tokens);
}

}  // namespace core::checkpoint
