#include "core/attention/scoring.h"

#include <cmath>
#include <numbers>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

template <class Scalar>
void require_same_width(const char* where, const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K) {
  if (Q.cols() != K.cols()) {
    refuse(where, "queries and keys of one width", shape_text(Q) + " and " + shape_text(K));
  }
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> dot_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K) {
  require_same_width("dot_scores", Q, K);
  MatrixOf<Scalar> scores = MatrixOf<Scalar>::Zero(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index j = 0; j < K.rows(); ++j) {
      for (Index c = 0; c < Q.cols(); ++c) scores(i, j) += Q(i, c) * K(j, c);
    }
  }
  return scores;
}

template <class Scalar>
Scalar attention_scale(Index d_k) {
  if (d_k < 1) refuse("attention_scale", "d_k >= 1", std::to_string(d_k));
  return Scalar(1) / std::sqrt(static_cast<Scalar>(d_k));
}

template <class Scalar>
MatrixOf<Scalar> scaled_dot_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K) {
  return dot_scores(Q, K) * attention_scale<Scalar>(Q.cols());
}

template <class Scalar>
MatrixOf<Scalar> additive_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                 const MatrixOf<Scalar>& W_q, const MatrixOf<Scalar>& W_k,
                                 const VectorOf<Scalar>& w_v) {
  const Index h = w_v.size();
  if (W_q.rows() != Q.cols() || W_k.rows() != K.cols() || W_q.cols() != h || W_k.cols() != h) {
    refuse("additive_scores",
           "W_q " + shape_text(Q.cols(), h) + " and W_k " + shape_text(K.cols(), h),
           shape_text(W_q) + " and " + shape_text(W_k));
  }
  const MatrixOf<Scalar> queries = Q * W_q;
  const MatrixOf<Scalar> keys = K * W_k;
  MatrixOf<Scalar> scores = MatrixOf<Scalar>::Zero(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index j = 0; j < K.rows(); ++j) {
      for (Index c = 0; c < h; ++c) scores(i, j) += w_v(c) * std::tanh(queries(i, c) + keys(j, c));
    }
  }
  return scores;
}

template <class Scalar>
MatrixOf<Scalar> bilinear_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K,
                                 const MatrixOf<Scalar>& W) {
  if (W.rows() != Q.cols() || W.cols() != K.cols()) {
    refuse("bilinear_scores", "W " + shape_text(Q.cols(), K.cols()), shape_text(W));
  }
  return dot_scores<Scalar>(Q * W, K);
}

template <class Scalar>
MatrixOf<Scalar> gaussian_scores(const MatrixOf<Scalar>& Q, const MatrixOf<Scalar>& K, Scalar w) {
  require_same_width("gaussian_scores", Q, K);
  if (!std::isfinite(w)) refuse("gaussian_scores", "a finite w", std::to_string(w));
  MatrixOf<Scalar> scores(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    for (Index j = 0; j < K.rows(); ++j) {
      const Scalar distance = w * (Q.row(i) - K.row(j)).norm();
      scores(i, j) = -distance * distance / Scalar(2);
    }
  }
  return scores;
}

template <class Scalar>
Scalar gaussian_kernel(Scalar u) {
  const Scalar inv_sqrt_two_pi = std::numbers::inv_sqrtpi_v<Scalar> / std::numbers::sqrt2_v<Scalar>;
  return std::exp(-u * u / Scalar(2)) * inv_sqrt_two_pi;
}

#define CORE_INSTANTIATE(Scalar)                                                                 \
  template MatrixOf<Scalar> dot_scores(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&);        \
  template Scalar attention_scale<Scalar>(Index);                                                \
  template MatrixOf<Scalar> scaled_dot_scores(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&); \
  template MatrixOf<Scalar> additive_scores(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,    \
                                            const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,    \
                                            const VectorOf<Scalar>&);                            \
  template MatrixOf<Scalar> bilinear_scores(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,    \
                                            const MatrixOf<Scalar>&);                            \
  template MatrixOf<Scalar> gaussian_scores(const MatrixOf<Scalar>&, const MatrixOf<Scalar>&,    \
                                            Scalar);                                             \
  template Scalar gaussian_kernel(Scalar);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
