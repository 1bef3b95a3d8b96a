#include "core/attention/multi_head.h"

#include <string>

#include "core/refuse.h"

namespace core {
namespace {

constexpr const char* kWhere = "multi_head";

template <class Scalar>
MatrixOf<Scalar> project(const std::string& name, const MatrixOf<Scalar>& x,
                         const MatrixOf<Scalar>& W, const VectorOf<Scalar>& b) {
  if (x.cols() != W.rows()) {
    refuse(kWhere, "W_" + name + " with " + std::to_string(x.cols()) + " rows, the input's width",
           shape_text(W));
  }
  if (b.size() != 0 && b.size() != W.cols()) {
    refuse(kWhere, "b_" + name + " of size 0 or " + std::to_string(W.cols()),
           std::to_string(b.size()));
  }
  MatrixOf<Scalar> y = x * W;
  if (b.size() != 0) y.rowwise() += b.transpose();
  return y;
}

template <class Scalar>
void require_heads(const MultiHeadWeights<Scalar>& weights,
                   const MultiHeadOptions<Scalar>& options) {
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
  if (options.biases.size() > 1 && static_cast<Index>(options.biases.size()) != h) {
    refuse(kWhere, "no bias matrix, one, or one per head (" + std::to_string(h) + ")",
           std::to_string(options.biases.size()));
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
                             const MatrixOf<Scalar>& value, const MultiHeadWeights<Scalar>& weights,
                             const MultiHeadOptions<Scalar>& options) {
  require_heads(weights, options);
  const MatrixOf<Scalar> Q = project("q", query, weights.W_q, weights.b_q);
  const MatrixOf<Scalar> K = project("k", key, weights.W_k, weights.b_k);
  const MatrixOf<Scalar> V = project("v", value, weights.W_v, weights.b_v);
  const Index d_k = weights.d_k(), d_v = weights.d_v();

  MultiHead<Scalar> result;
  result.concat.resize(Q.rows(), V.cols());
  for (Index i = 0; i < weights.heads; ++i) {
    Head<Scalar> head{
        Q.middleCols(i * d_k, d_k), K.middleCols(i * d_k, d_k), V.middleCols(i * d_v, d_v), {}};
    const bool shared = options.biases.size() == 1;
    AttendOptions<Scalar> attend_options{options.scale, options.mask, nullptr, options.empty_row};
    if (!options.biases.empty()) {
      attend_options.bias = &options.biases[shared ? 0 : static_cast<size_t>(i)];
    }
    head.attended = attend(head.Q, head.K, head.V, attend_options);
    result.concat.middleCols(i * d_v, d_v) = head.attended.output;
    result.heads.push_back(std::move(head));
  }
  result.output = project("o", result.concat, weights.W_o, weights.b_o);
  return result;
}

template <class Scalar>
MultiHead<Scalar> multi_head(const MatrixOf<Scalar>& x, const MultiHeadWeights<Scalar>& weights,
                             const MultiHeadOptions<Scalar>& options) {
  return multi_head(x, x, x, weights, options);
}

#define CORE_INSTANTIATE(Scalar)                                                                  \
  template struct MultiHead<Scalar>;                                                              \
  template MultiHead<Scalar> multi_head(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,         \
                                        const MatrixOf<Scalar>&, const MultiHeadWeights<Scalar>&, \
                                        const MultiHeadOptions<Scalar>&);                         \
  template MultiHead<Scalar> multi_head(const MatrixOf<Scalar>&, const MultiHeadWeights<Scalar>&, \
                                        const MultiHeadOptions<Scalar>&);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
