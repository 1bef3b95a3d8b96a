// Matrices of random numbers.
#pragma once

#include "core/random.h"
#include "core/types.h"

namespace core {

// (rows, cols), row after row: mean 0, standard deviation `deviation`, independent.
inline MatrixD gaussian_matrix(Index rows, Index cols, double deviation, Random& random) {
  MatrixD drawn(rows, cols);
  for (Index k = 0; k < drawn.size(); ++k) drawn.data()[k] = deviation * random.gaussian();
  return drawn;
}

}  // namespace core
