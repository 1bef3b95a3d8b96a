// Complex-order embedding: each word has, in each dimension, an amplitude (its meaning), a
// frequency and an initial phase, and position turns it: Wang et al. 2020, "Encoding word order in
// complex embeddings" (ICLR), arXiv:1912.12333: f_j(pos) = r_j exp(i (omega_j pos + phi_j)).
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

// Words that nothing was learned for: amplitudes within `amplitude` of 1, frequencies theta_i
// within that share of it, phases within that share of half a turn of 0, uniformly, each word's
// own.
struct WordSpread {
  double amplitude = 0, frequency = 0, phase = 0;
  bool none() const { return amplitude == 0 && frequency == 0 && phase == 0; }
};
// (words, theta.size()) each; row k does not depend on how many follow. words >= 0, else
// InputError.
ComplexOrderTable spread_words(Index words, const VectorD& theta, const WordSpread& spread,
                               std::uint64_t seed);

// (n, d): word ids[k] at positions[k]. The paper's word-dependent form; equal rows of `frequency`
// give the one where position is independent of the word. As many positions as ids, ids inside the
// table, tables of one shape, else InputError.
MatrixC complex_order_embedding(const ComplexOrderTable& table, const std::vector<Index>& ids,
                                const VectorD& positions);

// exp(i omega t) of each of those words, (n, d): f(pos + t) = f(pos) exp(i omega t) wherever the
// word stands, so a shift is a multiplication that depends on the offset alone.
MatrixC complex_order_offset(const ComplexOrderTable& table, const std::vector<Index>& ids,
                             double offset);

// The imaginary and real parts of column i as columns 2i and 2i + 1, (n, 2d): with amplitude 1,
// phase 0 and omega_i = theta_i that is the sinusoidal table.
MatrixD interleaved_parts(const MatrixC& embedding);

}  // namespace core
