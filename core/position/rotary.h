// Rotary position embedding: Su et al. 2021, arXiv:2104.09864, section 3.2.2, eqs. 14, 15 and 34.
// Position p turns the pair i of a query's or key's entries by the angle p * theta_i,
// theta_i = base^(-2i/d). Pairs are neighbours (2i, 2i+1), as in the paper; GPT-NeoX and Llama pair
// entry i with entry i + d/2, which is the same up to a permutation of the columns. When d is odd
// the last entry is not turned and d is rounded down in theta_i.
#pragma once

#include "core/types.h"

namespace core {

// cos and sin of p * theta_i, (n, d / 2) each; computed in double and rounded once.
struct RotaryTable {
  Matrix cos, sin;
};

// Of positions first .. first + n - 1. n, first, d >= 0, base > 0, else InputError.
RotaryTable rotary_table(Index n, Index d, double base = 10000, Index first = 0);

// Turns row p of `x` (n, d), as it lies in memory with `stride` floats from row to row, by the
// table's row p; `table` is made for the same d.
void rotate(float* x, Index n, Index d, Index stride, const RotaryTable& table);

// The same for a whole matrix.
Matrix rotated(const Matrix& x, const RotaryTable& table);

}  // namespace core
