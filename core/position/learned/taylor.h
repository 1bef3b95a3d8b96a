// Why adding a position to an embedding can carry relative information: the expansion of a function
// of two tokens about their embeddings, f(x_m + p_m, x_n + p_n), to second order. Its mixed term
// p_m f_mn p_n is the only one that couples the two positions.
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
  // As it is sometimes printed, without the factors 1/2: wrong from the second order on.
  double without_halves() const { return first_order() + 2 * (square_m + square_n) + mixed; }
};

// gradient: (2d), hessian: (2d, 2d), both of f at [x_m; x_n]; p_m, p_n: (d), else InputError.
PairExpansion expand_pair(double value, const VectorD& gradient, const MatrixD& hessian,
                          const VectorD& p_m, const VectorD& p_n);

// e^s over e^(x_m . x_n) as a function of two tokens, `part` of its position added to each, for a
// score s = (x_m + p_m) . (x_n + p_n) whose terms are p_m . x_n, x_m . p_n and p_m . p_n: s is
// bilinear, so the terms are all that its expansion takes.
PairExpansion expand_exponential(double px, double xp, double pp, double part);
// What it is: exp(part (px + xp) + part^2 pp).
double exact_exponential(double px, double xp, double pp, double part);

}  // namespace core
