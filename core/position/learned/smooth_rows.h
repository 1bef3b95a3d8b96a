// Stand-ins for learned tables where nothing is trained: random rows, with neighboring positions
// similar.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace core {

struct SmoothRows {
  std::uint64_t seed = 0;
  std::uint64_t table = 0;  // its number: tables of one seed are independent of each other
  double deviation = 1;     // standard deviation of every number
  double smooth = 0;        // rows r apart have correlation exp(-r / smooth); 0: none
};

// (count, d): a stationary autoregressive process of first order along the rows, x(0) = e(0) and
//   x(r) = rho x(r-1) + sqrt(1 - rho^2) e(r),  rho = exp(-1 / smooth).
// Row r does not depend on the number of rows. count, d >= 0, smooth >= 0, else InputError.
MatrixD smooth_rows(Index count, Index d, const SmoothRows& how);

// (before + 1 + after, d): rows of the relative positions -before to after. Both sides start at the
// row of 0 and are independent from there on. before, after >= 0, else InputError.
MatrixD smooth_sides(Index before, Index after, Index d, const SmoothRows& how);

}  // namespace core
