// Tables that stand for learned ones where nothing is trained: random rows of positions, of which
// neighbours are alike.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace core {

struct SmoothRows {
  std::uint64_t seed = 0;
  std::uint64_t table = 0;  // tables of one seed are independent of each other
  double deviation = 1;     // of every number
  double smooth = 0;        // rows r apart are correlated by exp(-r / smooth); 0: not at all
};

// (count, d): a stationary process of first order along the rows, x(0) = e(0) and
//   x(r) = rho x(r-1) + sqrt(1 - rho^2) e(r),  rho = exp(-1 / smooth),
// so that row r does not depend on how many follow. count, d >= 0, smooth >= 0, else InputError.
MatrixD smooth_rows(Index count, Index d, const SmoothRows& how);

// (before + 1 + after, d): rows of the relative positions -before to after. Both sides start at the
// row of 0 and go their own ways. before, after >= 0, else InputError.
MatrixD smooth_sides(Index before, Index after, Index d, const SmoothRows& how);

}  // namespace core
