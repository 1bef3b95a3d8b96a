// For tables of positions that are not sinusoidal: the linear map that comes nearest to moving
// every row k positions on, so that it can be seen whether there is one at all.
#pragma once

#include "core/types.h"

namespace core {

struct FittedShift {
  MatrixD map;         // (d, d), acts on columns: map P(p)^T is near P(p + k)^T
  double rms = 0;      // root mean square of what it misses, over pairs and columns
  Index pairs = 0;     // of rows k apart that it was fitted to
  bool exact = false;  // no more pairs than columns: some map fits whatever the rows are
};

// Least squares over all rows p with p + k inside P, (n, d); the map of least norm where several
// fit. k may be negative; |k| < n, else InputError.
FittedShift fit_shift(const MatrixD& P, Index k);

}  // namespace core
