#include "core/attention/fast/fast_multi_head.h"

#include <optional>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

Product projection(const Matrix& X, const Matrix& W, const std::optional<Vector>& b, Matrix& to) {
  return {&X, &W, b ? &*b : nullptr, &to};
}

Product projection(const Matrix& X, const PackedMatrix& W, const std::optional<Vector>& b,
                   Matrix& to) {
  return {.a = &X, .bias = b ? &*b : nullptr, .c = &to, .packed = &W};
}

template <class Weights>
void forward(const Matrix& X_q, const Matrix& X_kv, const Weights& weights,
             const AttentionOptions& options, FastMultiHead& result, const Cancel& cancel) {
  if (options.heads.value_or(weights.heads) != weights.heads) {
    refuse("multi_head", "the weights' " + std::to_string(weights.heads) + " heads",
           std::to_string(*options.heads));
  }
  const Product inputs[] = {projection(X_q, weights.W_q, weights.b_q, result.Q),
                            projection(X_kv, weights.W_k, weights.b_k, result.K),
                            projection(X_kv, weights.W_v, weights.b_v, result.V)};
  multiply_into(inputs, options.threads, cancel, options.isa);

  AttentionOptions own = options;
  own.heads = weights.heads;
  attend_fast_into(result.Q, result.K, result.V, own, result.attention, cancel);

  const Product output[] = {
      projection(result.attention.output, weights.W_o, weights.b_o, result.output)};
  multiply_into(output, options.threads, cancel, options.isa);
}

}  // namespace

PackedMultiHeadWeights::PackedMultiHeadWeights(const MultiHeadWeights& weights, int threads,
                                               Isa isa)
    : heads(weights.heads),
      W_q(weights.W_q, threads, isa),
      W_k(weights.W_k, threads, isa),
      W_v(weights.W_v, threads, isa),
      W_o(weights.W_o, threads, isa),
      b_q(weights.b_q),
      b_k(weights.b_k),
      b_v(weights.b_v),
      b_o(weights.b_o) {}

void multi_head_forward_into(const Matrix& X_q, const Matrix& X_kv, const MultiHeadWeights& weights,
                             const AttentionOptions& options, FastMultiHead& result,
                             const Cancel& cancel) {
  forward(X_q, X_kv, weights, options, result, cancel);
}

void multi_head_forward_into(const Matrix& X_q, const Matrix& X_kv,
                             const PackedMultiHeadWeights& weights, const AttentionOptions& options,
                             FastMultiHead& result, const Cancel& cancel) {
  forward(X_q, X_kv, weights, options, result, cancel);
}

FastMultiHead multi_head_forward(const Matrix& X_q, const Matrix& X_kv,
                                 const MultiHeadWeights& weights, const AttentionOptions& options,
                                 const Cancel& cancel) {
  FastMultiHead result;
  multi_head_forward_into(X_q, X_kv, weights, options, result, cancel);
  return result;
}

}  // namespace core
