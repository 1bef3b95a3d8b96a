// Complex-order embedding: Wang et al. 2020, "Encoding word order in complex embeddings" (ICLR),
// arXiv:1912.12333. In each dimension j a word is a complex number: its amplitude r_j is the
// meaning, and position rotates it from an initial phase phi_j at a frequency omega_j:
//   f_j(pos) = r_j exp(i (omega_j pos + phi_j)).
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace core {

using MatrixC = MatrixOf<std::complex<double>>;

// One row a word, (V, d) each.
struct ComplexOrderTable {
  MatrixD amplitude;  // r: |f| = |r| at every position
  MatrixD frequency;  // omega, radians per position
  MatrixD phase;      // phi, radians
};

// omega = 2 pi / period. period: every entry nonzero, else InputError.
MatrixD frequency_of_period(const MatrixD& period);

// Made-up words, where nothing is learned. Each number of each word is drawn uniformly: amplitudes
// within `amplitude` of 1, frequencies within the share `frequency` of theta_i, phases within the
// share `phase` of half a turn of 0.
struct WordSpread {
  double amplitude = 0, frequency = 0, phase = 0;
  bool none() const { return amplitude == 0 && frequency == 0 && phase == 0; }
};
// Tables (words, theta.size()); row k does not depend on the number of words. words >= 0, else
// InputError.
ComplexOrderTable spread_words(Index words, const VectorD& theta, const WordSpread& spread,
                               std::uint64_t seed);

// (n, d): row k is word ids[k] at positions[k]. This is the paper's word-dependent form; equal rows
// of `frequency` give the word-independent one. InputError unless there are as many positions as
// ids, the ids lie in the table and its matrices have one shape.
MatrixC complex_order_embedding(const ComplexOrderTable& table, const std::vector<Index>& ids,
                                const VectorD& positions);

// (n, d): exp(i omega t) for each of those words, t being the offset. f(pos + t) = f(pos) exp(i
// omega t) at every pos: a shift is a multiplication that depends on the offset alone.
MatrixC complex_order_offset(const ComplexOrderTable& table, const std::vector<Index>& ids,
                             double offset);

// The imaginary and real parts of column i as columns 2i and 2i + 1, (n, 2d): with amplitude 1,
// phase 0 and omega_i = theta_i that is the sinusoidal table.
MatrixD interleaved_parts(const MatrixC& embedding);

}  // namespace core
