#include "core/attention/attention.h"

#include <string>

#include "core/attention/scoring.h"
#include "core/refuse.h"

namespace core {
namespace {

template <class Scalar>
void require_shapes(const char* where, const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                    const MatrixOf<Scalar>& V, const AttentionOptionsOf<Scalar>& options) {
  if (Q.cols() != K.cols()) {
    refuse(where, "queries and keys of one width", shape_text(Q) + " and " + shape_text(K));
  }
  if (K.rows() != V.rows()) {
    refuse(where, "as many values as keys, " + std::to_string(K.rows()), std::to_string(V.rows()));
  }
  if (options.head_count() != 1) {
    refuse(where, "one head", std::to_string(options.head_count()));
  }
  require_fit(where, options, Q.rows(), K.rows(), 1);
}

// Pairs that carry nothing at all, so that 0 * NaN is never formed. Masked pairs of an empty row
// under kNaN or kUniform do carry their weight.
template <class Scalar>
bool carries(const MatrixOf<Scalar>& weights, const Mask& mask, Index i, Index j) {
  return mask.allowed(i, j) || weights(i, j) != Scalar(0);
}

}  // namespace

template <class Scalar>
Attended<Scalar> attend(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                        const MatrixOf<Scalar>& V, const AttentionOptionsOf<Scalar>& options) {
  require_shapes("attend", Q, K, V, options);
  const Mask mask = options.mask.value_or(Mask::none(Q.rows(), K.rows()));
  Attended<Scalar> result;
  result.scores = dot_scores(Q, K);
  result.scaled = result.scores * options.scale_for(Q.cols());
  if (!options.bias.empty()) result.scaled += *options.bias.front();
  result.weights = masked_softmax(result.scaled, mask, options.empty_row);
  result.output = MatrixOf<Scalar>::Zero(Q.rows(), V.cols());
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index j = 0; j < K.rows(); ++j) {
      if (!carries(result.weights, mask, i, j)) continue;
      for (Index c = 0; c < V.cols(); ++c) result.output(i, c) += result.weights(i, j) * V(j, c);
    }
  }
  return result;
}

template <class Scalar>
AttendGradients<Scalar> attend_backward(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                        const MatrixOf<Scalar>& V, const MatrixOf<Scalar>& weights,
                                        const MatrixOf<Scalar>& grad_output,
                                        const AttentionOptionsOf<Scalar>& options) {
  require_shapes("attend_backward", Q, K, V, options);
  if (weights.rows() != Q.rows() || weights.cols() != K.rows()) {
    refuse("attend_backward", "weights of " + shape_text(Q.rows(), K.rows()), shape_text(weights));
  }
  if (grad_output.rows() != Q.rows() || grad_output.cols() != V.cols()) {
    refuse("attend_backward", "a gradient of " + shape_text(Q.rows(), V.cols()),
           shape_text(grad_output));
  }
  const Mask mask = options.mask.value_or(Mask::none(Q.rows(), K.rows()));
  const Scalar scale = options.scale_for(Q.cols());
  AttendGradients<Scalar> grad{
      MatrixOf<Scalar>::Zero(Q.rows(), Q.cols()), MatrixOf<Scalar>::Zero(K.rows(), K.cols()),
      MatrixOf<Scalar>::Zero(V.rows(), V.cols()), MatrixOf<Scalar>::Zero(Q.rows(), K.rows())};
  for (Index i = 0; i < Q.rows(); ++i) {
    // 1. With respect to the weights, and the sum that the normalisation subtracts.
    VectorOf<Scalar> grad_weight = VectorOf<Scalar>::Zero(K.rows());
    Scalar shared = 0;
    for (Index j = 0; j < K.rows(); ++j) {
      if (!carries(weights, mask, i, j)) continue;
      grad_weight(j) = grad_output.row(i).dot(V.row(j));
      shared += weights(i, j) * grad_weight(j);
    }
    // 2. Through the softmax, and on to Q, K and V.
    for (Index j = 0; j < K.rows(); ++j) {
      if (!carries(weights, mask, i, j)) continue;
      grad.scaled(i, j) = weights(i, j) * (grad_weight(j) - shared);
      grad.Q.row(i) += scale * grad.scaled(i, j) * K.row(j);
      grad.K.row(j) += scale * grad.scaled(i, j) * Q.row(i);
      grad.V.row(j) += weights(i, j) * grad_output.row(i);
    }
  }
  return grad;
}

#define CORE_INSTANTIATE(Scalar)                                                                \
  template Attended<Scalar> attend(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,            \
                                   const MatrixOf<Scalar>&, const AttentionOptionsOf<Scalar>&); \
  template AttendGradients<Scalar> attend_backward(                                             \
      const MatrixOf<Scalar>&, const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,                \
      const MatrixOf<Scalar>&, const MatrixOf<Scalar>&, const AttentionOptionsOf<Scalar>&);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
