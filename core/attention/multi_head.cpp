#include "core/attention/multi_head.h"

#include <optional>
#include <string>
#include <utility>

#include "core/refuse.h"

namespace core {
namespace {

constexpr const char* kWhere = "multi_head";

template <class Scalar>
MatrixOf<Scalar> project(const std::string& name, const MatrixOf<Scalar>& x,
                         const MatrixOf<Scalar>& W, const std::optional<VectorOf<Scalar>>& b) {
  if (x.cols() != W.rows()) {
    refuse(kWhere, "W_" + name + " with " + std::to_string(x.cols()) + " rows, the input's width",
           shape_text(W));
  }
  if (b && b->size() != W.cols()) {
    refuse(kWhere, "b_" + name + " of size " + std::to_string(W.cols()), std::to_string(b->size()));
  }
  MatrixOf<Scalar> y = x * W;
  if (b) y.rowwise() += b->transpose();
  return y;
}

template <class Scalar>
void require_heads(const MultiHeadWeightsOf<Scalar>& weights,
                   const AttentionOptionsOf<Scalar>& options) {
  const Index h = weights.heads;
  if (h < 1) refuse(kWhere, "heads >= 1", std::to_string(h));
  if (weights.W_q.cols() != weights.W_k.cols()) {
    refuse(kWhere, "W_q and W_k of one width",
           shape_text(weights.W_q) + " and " + shape_text(weights.W_k));
  }
  if (weights.W_q.cols() % h != 0 || weights.W_v.cols() % h != 0) {
    refuse(kWhere, "widths of W_q and W_v that " + std::to_string(h) + " heads divide",
           std::to_string(weights.W_q.cols()) + " and " + std::to_string(weights.W_v.cols()));
  }
  if (options.heads.value_or(h) != h) {
    refuse(kWhere, "the weights' " + std::to_string(h) + " heads", std::to_string(*options.heads));
  }
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> MultiHead<Scalar>::mean_weights() const {
  if (heads.empty()) return {};
  MatrixOf<Scalar> mean = heads.front().attended.weights;
  for (size_t i = 1; i < heads.size(); ++i) mean += heads[i].attended.weights;
  return mean / static_cast<Scalar>(heads.size());
}

template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& query, const MatrixOf<Scalar>& key,
                             const MatrixOf<Scalar>& value,
                             const MultiHeadWeightsOf<Scalar>& weights,
                             const AttentionOptionsOf<Scalar>& options) {
  require_heads(weights, options);
  const MatrixOf<Scalar> Q = project("q", query, weights.W_q, weights.b_q);
  const MatrixOf<Scalar> K = project("k", key, weights.W_k, weights.b_k);
  const MatrixOf<Scalar> V = project("v", value, weights.W_v, weights.b_v);
  require_fit(kWhere, options, Q.rows(), K.rows(), weights.heads);
  const Index d_k = weights.d_k(), d_v = weights.d_v();

  MultiHead<Scalar> result;
  result.concat.resize(Q.rows(), V.cols());
  AttentionOptionsOf<Scalar> one = options;
  one.heads.reset();
  for (Index i = 0; i < weights.heads; ++i) {
    const auto at = static_cast<size_t>(i);
    Head<Scalar> head{
        Q.middleCols(i * d_k, d_k), K.middleCols(i * d_k, d_k), V.middleCols(i * d_v, d_v), {}};
    one.bias.clear();
    if (!options.bias.empty()) one.bias = {options.bias[options.bias.size() == 1 ? 0 : at]};
    head.attended = attend(head.Q, head.K, head.V, one);
    result.concat.middleCols(i * d_v, d_v) = head.attended.output;
    result.heads.push_back(std::move(head));
  }
  result.output = project("o", result.concat, weights.W_o, weights.b_o);
  return result;
}

template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& x, const MultiHeadWeightsOf<Scalar>& weights,
                             const AttentionOptionsOf<Scalar>& options) {
  return multi_head(x, x, x, weights, options);
}

#define CORE_INSTANTIATE(Scalar)                                                 \
  template struct MultiHead<Scalar>;                                             \
  template MultiHead<Scalar> multi_head(                                         \
      const MatrixOf<Scalar>&, const MatrixOf<Scalar>&, const MatrixOf<Scalar>&, \
      const MultiHeadWeightsOf<Scalar>&, const AttentionOptionsOf<Scalar>&);     \
  template MultiHead<Scalar> multi_head(const MatrixOf<Scalar>&,                 \
                                        const MultiHeadWeightsOf<Scalar>&,       \
                                        const AttentionOptionsOf<Scalar>&);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
