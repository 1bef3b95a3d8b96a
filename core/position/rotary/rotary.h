// Rotary position embedding: Su et al. 2021, arXiv:2104.09864, section 3.2.2, eqs. 14, 15 and 34.
// Position p rotates pair i of a query's or key's entries by the angle p * theta_i, theta_i =
// base^(-2i/d), (a, b) -> (a cos - b sin, a sin + b cos). The product of a rotated query and a
// rotated key depends on the distance of their positions only.
//
// Code bases pair entries differently, and scores of the same q and k then differ; after a
// permutation of the columns (neighbors_to_halves) they are the same. A table of fewer than d/2
// pairs rotates the first columns only: partial rotation, "rotary_pct" in GPT-NeoX.
#pragma once

#include "core/position/frequency.h"
#include "core/types.h"

namespace core {

enum class RotaryPairing {
  neighbors,  // (2i, 2i + 1): the paper, GPT-J, Meta's Llama
  halves,     // (i, i + r), r pairs in all: GPT-NeoX, Llama in Hugging Face's code
};

// cos and sin of p * theta_i, (n, pairs) each; computed in double and rounded once. Both may be
// multiplied by a factor (see rotary_scaling.h and xpos.h).
template <class Scalar>
struct RotaryTableOf {
  MatrixOf<Scalar> cos, sin;
};
using RotaryTable = RotaryTableOf<float>;
using RotaryTableD = RotaryTableOf<double>;

// The table of positions first .. first + n - 1 for frequencies(d, base), or for any theta; fast,
// see angle_table.h. d even and at least 0, n, first >= 0, base > 0, else InputError.
RotaryTable rotary_table(Index n, Index d, double base = 10000, Index first = 0);
RotaryTable rotary_table(Index n, const VectorD& theta, Index first = 0, int threads = 0);

// The table of any positions, negative or fractional ones too: each entry by the formula, plainly.
RotaryTableD rotary_angles(const VectorD& positions, const VectorD& theta);
RotaryTable rounded(const RotaryTableD& table);

// The table that rotates back: cos and -sin.
template <class Scalar>
RotaryTableOf<Scalar> inverse(const RotaryTableOf<Scalar>& table) {
  return {table.cos, -table.sin};
}

// Rotates x in place, row p by row p of the table. x: (n, d), with `stride` numbers from row to
// row; that n and 2 * pairs <= d fit the table is not checked.
template <class Scalar>
void rotate(Scalar* x, Index n, Index d, Index stride, const RotaryTableOf<Scalar>& table,
            RotaryPairing pairing = RotaryPairing::neighbors, int threads = 1);

// The same of a whole matrix, (n, d), as a copy. A table of n rows and at most d/2 pairs, else
// InputError.
template <class Scalar>
MatrixOf<Scalar> rotated(const MatrixOf<Scalar>& x, const RotaryTableOf<Scalar>& table,
                         RotaryPairing pairing = RotaryPairing::neighbors);

// The same from x to y, both (n, d) with `stride` numbers from row to row, not overlapping: rotates
// while it copies, the cheapest way to a new matrix. threads: 0 = all cores. Not checked.
template <class Scalar>
void rotate_into(Scalar* y, const Scalar* x, Index n, Index d, Index stride,
                 const RotaryTableOf<Scalar>& table,
                 RotaryPairing pairing = RotaryPairing::neighbors, int threads = 0);

// R_p as a matrix on columns, (2 pairs, 2 pairs): eqs. 14 and 15. Two nonzeros in each row,
// orthogonal, R_m^T R_n = R_{n-m}. For display: rotating by it costs d times as much.
MatrixD rotary_matrix(double position, const VectorD& theta,
                      RotaryPairing pairing = RotaryPairing::neighbors);

// The columns of x, (n, d), with the even ones first and then the odd ones. Rotating the result
// with `halves` equals rotating x with `neighbors` and then reordering. d even, else InputError.
MatrixD neighbors_to_halves(const MatrixD& x);

}  // namespace core
