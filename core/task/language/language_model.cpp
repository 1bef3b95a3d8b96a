#include "core/task/language/language_model.h"

#include <cmath>
#include <string>

#include "core/refuse.h"

namespace core::task {

using model::Tensor;

LanguageModel::LanguageModel(const LanguageForm& with) : form(with) {
  if (form.heads < 1 || form.width % form.heads != 0) {
    refuse("language model", "heads that share out a width of " + std::to_string(form.width),
           std::to_string(form.heads));
  }
  const model::Scope scope(layout);
  const double root = std::sqrt(static_cast<double>(form.width));
  // Logits of a normed row begin with a standard deviation of 0.5.
  embedding =
      scope.declare("embedding", form.vocabulary, form.width, model::Start::normal(0.5 / root));
  const model::FeedForward::Form wide{.width = form.feed_forward,
                                      .function = model::Activation::silu,
                                      .gated = true,
                                      .bias = false};
  for (Index l = 0; l < form.layers; ++l) {
    const model::Scope at = scope.at("layer", l);
    blocks.push_back(
        {.before_attention = model::RmsNorm::declare(at.at("norm_attention"), form.width),
         .before_mlp = model::RmsNorm::declare(at.at("norm_mlp"), form.width),
         .attention = model::MultiHead::declare(at.at("attention"), form.width, form.heads,
                                                form.heads, false),
         .mlp = model::FeedForward::declare(at.at("mlp"), form.width, wide)});
  }
  last = model::RmsNorm::declare(scope.at("norm"), form.width);
  positions = model::HeadPositions::declare(
      scope, form.heads, form.width / form.heads, true,
      {.scheme = model::Scheme::rotary, .longest = form.context, .base = form.base}, form.layers);
}

template <class S>
Tensor<S> LanguageModel::operator()(model::Tape<S>& tape, const std::int32_t* ids,
                                    const model::Sequences& sequences) const {
  const auto rate = static_cast<S>(form.dropout);
  const auto plus = [&](const Tensor<S>& x, const Tensor<S>& part) {
    return model::add_over(tape, x, model::dropout(tape, part, rate));
  };
  const Tensor<S> table = tape.parameter(embedding);
  Tensor<S> x = model::dropout(tape, model::embedding(tape, table, ids, sequences.rows()), rate);
  model::MultiHead::Looks looks{.causal = true, .positions = &positions};
  for (const Block& b : blocks) {
    const Tensor<S> seen = b.before_attention(tape, x);
    x = plus(x, b.attention(tape, seen, sequences, seen, sequences, looks));
    x = plus(x, b.mlp(tape, b.before_mlp(tape, x), sequences));
    ++looks.layer;
  }
  return model::linear(tape, last(tape, x), table, {}, true);
}

template Tensor<float> LanguageModel::operator()(model::Tape<float>&, const std::int32_t*,
                                                 const model::Sequences&) const;
template Tensor<double> LanguageModel::operator()(model::Tape<double>&, const std::int32_t*,
                                                  const model::Sequences&) const;

}  // namespace core::task
