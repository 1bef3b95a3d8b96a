// Loops over numbers that several layers need: by the vectors of this processor for floats, plainly
// for doubles, which the fast ones are held against.
#pragma once

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

}  // namespace core::model
