// The linear map that best takes each row of a table of positions to the row k positions on. For
// tables that are not sinusoidal it shows whether such a map exists.
#pragma once

#include "core/types.h"

namespace core {

struct FittedShift {
  MatrixD map;         // (d, d), acts on columns: map P(p)^T is near P(p + k)^T
  double rms = 0;      // root mean square of the error, over pairs and columns
  Index pairs = 0;     // pairs of rows k apart to which it was fitted
  bool exact = false;  // no more pairs than columns: some map fits any rows
};

// Least-squares fit over all p with rows p and p + k in P, (n, d); of several solutions the one of
// least norm. k may be negative; |k| < n, else InputError.
FittedShift fit_shift(const MatrixD& P, Index k);

}  // namespace core
