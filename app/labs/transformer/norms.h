// Three norms of the same numbers.
#pragma once

#include "app/labs/transformer/model.h"

namespace lab::transformer {

// In the order of NormKind, gain 1 and shift 0, as they begin.
struct Norms {
  MatrixD x;
  std::array<MatrixD, 3> y;
};
inline constexpr double kEpsilon = 1e-5;

// Norms of rows of tokens.
Norms norms_of(const MatrixD& x);

}  // namespace lab::transformer
