// Loops that several layers need: floats with this processor's vectors, doubles plainly, as the
// reference for the fast ones.
#pragma once

#include <algorithm>
#include <type_traits>

#include "core/model/kernels/kernels.h"
#include "core/types.h"

namespace core::model {

// to += from
template <class S>
void add(const S* from, Index count, S* to) {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().add(from, count, to);
  } else {
    for (Index i = 0; i < count; ++i) to[i] += from[i];
  }
}

// to += factor * from
template <class S>
void add_scaled(const S* from, Index count, S factor, S* to) {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().add_scaled(from, count, factor, to);
  } else {
    for (Index i = 0; i < count; ++i) to[i] += factor * from[i];
  }
}

// to += a * b
template <class S>
void add_product(const S* a, const S* b, Index count, S* to) {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().add_product(a, b, count, to);
  } else {
    for (Index i = 0; i < count; ++i) to[i] += a[i] * b[i];
  }
}

// to (cols) += the sum of the rows.
template <class S>
void add_rows(const S* from, Index rows, Index cols, S* to) {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().add_rows(from, rows, cols, to);
  } else {
    for (Index i = 0; i < rows; ++i) add(from + i * cols, cols, to);
  }
}

template <class S>
S dot(const S* a, const S* b, Index count) {
  if constexpr (std::is_same_v<S, float>) {
    return kernels::table().dot(a, b, count);
  } else {
    S sum = 0;
    for (Index i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
  }
}

// The first `end` scores become weights that sum to 1, the others 0; all are 0 when `end` is 0.
template <class S>
void softmax_row(S* s, Index end, Index cols) {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().softmax({s, 0, end, cols});
  } else {
    std::fill(s + end, s + cols, S{0});
    if (end == 0) return;
    Eigen::Map<VectorOf<S>> row(s, end);
    const S largest = row.maxCoeff();
    row = (row.array() - largest).exp();
    row /= row.sum();
  }
}

// dp, the gradient with respect to weights p, becomes that with respect to their scores: p (dp -
// sum of p dp).
template <class S>
void softmax_row_backward(const S* p, Index end, Index cols, S* dp) {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().softmax_backward({const_cast<float*>(p), 0, end, cols}, dp);
  } else {
    std::fill(dp + end, dp + cols, S{0});
    const S mean = dot(p, dp, end);
    for (Index j = 0; j < end; ++j) dp[j] = p[j] * (dp[j] - mean);
  }
}

}  // namespace core::model
