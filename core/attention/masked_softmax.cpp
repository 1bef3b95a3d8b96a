#include "core/attention/masked_softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/attention/softmax.h"
#include "core/refuse.h"

namespace core {
namespace {

template <class Scalar>
void require_same_shape(const char* where, const MatrixOf<Scalar>& scores, const Mask& mask) {
  if (scores.rows() != mask.rows() || scores.cols() != mask.cols()) {
    refuse(where, "a mask of the scores' shape, " + shape_text(scores),
           shape_text(mask.rows(), mask.cols()));
  }
}

template <class Scalar>
Scalar empty_row_weight(EmptyRow empty_row, Index m) {
  if (empty_row == EmptyRow::nan) return std::numeric_limits<Scalar>::quiet_NaN();
  return empty_row == EmptyRow::uniform ? Scalar(1) / static_cast<Scalar>(m) : Scalar(0);
}

// The allowed keys of row i.
std::vector<Index> allowed_keys(const Mask& mask, Index i) {
  std::vector<Index> keys;
  for (Index j = 0; j < mask.cols(); ++j) {
    if (mask.allowed(i, j)) keys.push_back(j);
  }
  return keys;
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> masked_softmax(const MatrixOf<Scalar>& scores, const Mask& mask,
                                EmptyRow empty_row, Scalar temperature) {
  require_same_shape("masked_softmax", scores, mask);
  MatrixOf<Scalar> weights = MatrixOf<Scalar>::Zero(scores.rows(), scores.cols());
  for (Index i = 0; i < scores.rows(); ++i) {
    const std::vector<Index> keys = allowed_keys(mask, i);
    VectorOf<Scalar> kept(static_cast<Index>(keys.size()));
    for (Index k = 0; k < kept.size(); ++k) kept(k) = scores(i, keys[static_cast<size_t>(k)]);
    const bool empty = std::all_of(kept.begin(), kept.end(), [](Scalar x) {
      return x == -std::numeric_limits<Scalar>::infinity();
    });
    const VectorOf<Scalar> p = softmax(kept, temperature);
    if (empty) weights.row(i).setConstant(empty_row_weight<Scalar>(empty_row, scores.cols()));
    if (empty) continue;
    for (Index k = 0; k < p.size(); ++k) weights(i, keys[static_cast<size_t>(k)]) = p(k);
  }
  return weights;
}

template <class Scalar>
MatrixOf<Scalar> filled_softmax(const MatrixOf<Scalar>& scores, const Mask& mask, Scalar fill) {
  require_same_shape("filled_softmax", scores, mask);
  MatrixOf<Scalar> filled = scores;
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      if (!mask.allowed(i, j)) filled(i, j) = fill;
    }
  }
  return softmax_rows(filled);
}

template <class Scalar>
MatrixOf<Scalar> softmax_then_mask(const MatrixOf<Scalar>& scores, const Mask& mask,
                                   Renormalize renormalize) {
  require_same_shape("softmax_then_mask", scores, mask);
  MatrixOf<Scalar> weights = softmax_rows(scores);
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      if (!mask.allowed(i, j)) weights(i, j) = Scalar(0);
    }
    if (renormalize == Renormalize::yes) weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}

template <class Scalar>
MatrixOf<Scalar> softmax_of_masked_product(const MatrixOf<Scalar>& scores, const Mask& mask) {
  require_same_shape("softmax_of_masked_product", scores, mask);
  MatrixOf<Scalar> product = scores;
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      product(i, j) *= mask.allowed(i, j) ? Scalar(1) : Scalar(0);
    }
  }
  return softmax_rows(product);
}

Mask valid_lengths_mask(Index n, Index m, const std::vector<Index>& lengths) {
  const Mask shape = Mask::none(n, m);  // refuses negative sizes
  if (static_cast<Index>(lengths.size()) != n) {
    refuse("valid_lengths_mask", std::to_string(n) + " lengths, one per row",
           std::to_string(lengths.size()));
  }
  BoolMatrix allowed(shape.rows(), shape.cols());
  for (Index i = 0; i < n; ++i) {
    const Index length = lengths[static_cast<size_t>(i)];
    if (length < 0) refuse("valid_lengths_mask", "lengths >= 0", std::to_string(length));
    for (Index j = 0; j < m; ++j) allowed(i, j) = j < length;
  }
  return Mask::dense(std::move(allowed));
}

Mask valid_length_mask(Index n, Index m, Index length) {
  if (length < 0) refuse("valid_length_mask", "a length >= 0", std::to_string(length));
  return Mask::key_padding(n, m, std::min(length, m));
}

#define CORE_INSTANTIATE(Scalar)                                                                  \
  template MatrixOf<Scalar> masked_softmax(const MatrixOf<Scalar>&, const Mask&, EmptyRow,        \
                                           Scalar);                                               \
  template MatrixOf<Scalar> filled_softmax(const MatrixOf<Scalar>&, const Mask&, Scalar);         \
  template MatrixOf<Scalar> softmax_then_mask(const MatrixOf<Scalar>&, const Mask&, Renormalize); \
  template MatrixOf<Scalar> softmax_of_masked_product(const MatrixOf<Scalar>&, const Mask&);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
