// Why adding a position to an embedding can carry relative information: a function of two tokens,
// f(x_m + p_m, x_n + p_n), expanded about their embeddings to second order. The mixed term p_m f_mn
// p_n is the only one that couples the two positions.
#pragma once

#include "core/types.h"

namespace core {

struct PairExpansion {
  double value = 0;     // f
  double linear_m = 0;  // p_m . f_m
  double linear_n = 0;  // p_n . f_n
  double square_m = 0;  // p_m f_mm p_m / 2
  double square_n = 0;  // p_n f_nn p_n / 2
  double mixed = 0;     // p_m f_mn p_n
  double second_order() const { return first_order() + square_m + square_n + mixed; }
  double first_order() const { return value + linear_m + linear_n; }
  // The sum as it is sometimes printed, without the factors 1/2: wrong from the second order on.
  double without_halves() const { return first_order() + 2 * (square_m + square_n) + mixed; }
};

// gradient: (2d), hessian: (2d, 2d), both of f at [x_m; x_n]; p_m, p_n: (d), else InputError.
PairExpansion expand_pair(double value, const VectorD& gradient, const MatrixD& hessian,
                          const VectorD& p_m, const VectorD& p_n);

// The expansion of e^s / e^(x_m . x_n), with s = (x_m + part p_m) . (x_n + part p_n) the score of
// two tokens and `part` the share of the position vectors that is added. px = p_m . x_n, xp = x_m .
// p_n, pp = p_m . p_n; s is bilinear, so no other terms occur.
PairExpansion expand_exponential(double px, double xp, double pp, double part);
// The exact value: exp(part (px + xp) + part^2 pp).
double exact_exponential(double px, double xp, double pp, double part);

}  // namespace core
