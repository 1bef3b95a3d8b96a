// Sinusoidal position encoding: Vaswani et al. 2017, arXiv:1706.03762, section 3.5:
//   PE(p, 2i) = sin(p / base^(2i/d)),  PE(p, 2i+1) = cos(p / base^(2i/d))
// Sines and cosines alternate, as the paper writes it (some code puts all sines first).
#pragma once

#include "core/types.h"

namespace core {

// The table of positions first .. first + n - 1, (n, d); computed in double. An odd d ends with a
// sine. n, first >= 0, d >= 1, base > 0, else InputError.
MatrixD sinusoidal_table(Index n, Index d, double base = 10000, Index first = 0);

}  // namespace core
