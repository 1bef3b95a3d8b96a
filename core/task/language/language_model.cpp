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
  embedding =
      scope.declare("embedding", form.vocabulary, form.width, model::Start::normal(0.35 / root));
  for (Index l = 0; l < form.layers; ++l) blocks.push_back(block(scope.at("layer", l)));
  last = model::RmsNorm::declare(scope.at("norm"), form.width);
  const model::PositionForm placed{.scheme = form.scheme,
                                   .longest = form.context,
                                   .base = form.base,
                                   .deviation = 0.35 / root,
                                   .buckets = form.buckets,
                                   .farthest = form.farthest};
  const model::SchemeEntry& scheme = model::entry(form.scheme);
  if (scheme.declare_words || scheme.declare_flow) {
    refuse("language model", "a scheme of embeddings or heads",
           std::string(model::scheme_id(form.scheme)));
  }
  positions = model::HeadPositions::declare(scope, form.heads, form.width / form.heads, true,
                                            placed, form.layers);
  added = model::AddedPositions::declare(scope, form.width, placed);
  if (added.fixed) added.fixed = model::FixedRows(*added.fixed.doubles / root);
}

// Narrow, and half as wide what goes back to the residual stream: it begins as little more
// than the embedded tokens.
LanguageModel::Block LanguageModel::block(const model::Scope& scope) const {
  constexpr double kIn = 0.4, kBack = 0.2;
  const auto linear = [](const model::Scope& at, Index in, Index out, double wide) {
    const auto start = model::Start::normal(wide / std::sqrt(static_cast<double>(in)));
    return model::Linear::declare(at, in, out, start, false);
  };
  const model::Scope looks = scope.at("attention"), thinks = scope.at("mlp");
  const Index d = form.width, wide = form.feed_forward;
  return {.before_attention = model::RmsNorm::declare(scope.at("norm_attention"), d),
          .before_mlp = model::RmsNorm::declare(scope.at("norm_mlp"), d),
          .attention = {.query = linear(looks.at("query"), d, d, kIn),
                        .key = linear(looks.at("key"), d, d, kIn),
                        .value = linear(looks.at("value"), d, d, kIn),
                        .output = linear(looks.at("output"), d, d, kBack),
                        .heads = form.heads,
                        .key_heads = form.heads},
          .mlp = {.up = linear(thinks.at("up"), d, wide, kIn),
                  .gate = linear(thinks.at("gate"), d, wide, kIn),
                  .down = linear(thinks.at("down"), wide, d, kBack),
                  .function = model::Activation::silu,
                  .gated = true}};
}

template <class S>
Tensor<S> LanguageModel::operator()(model::Tape<S>& tape, const std::int32_t* ids,
                                    const model::Sequences& sequences) const {
  const auto rate = static_cast<S>(form.dropout);
  const auto plus = [&](const Tensor<S>& x, const Tensor<S>& part) {
    return model::add_over(tape, x, model::dropout(tape, part, rate));
  };
  const Tensor<S> table = tape.parameter(embedding);
  const Tensor<S> words = model::embedding(tape, table, ids, sequences.rows());
  Tensor<S> x = model::dropout(tape, added(tape, words, ids, sequences), rate);
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
