// Dot products and softmax as a processor of few bits computes them: a rounding after every single
// operation. Everything in double otherwise, and each double result is exact or nearly so before it
// is rounded.
//
// Error bounds: Higham 2002, "Accuracy and stability of numerical algorithms", sections 3.1
// and 4.2: |error| <= gamma_m sum |x_i y_i|, gamma_m = m u / (1 - m u), with u half the spacing at
// 1 and m the number of roundings that the longest path through the sum meets. They hold without
// overflow and underflow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/precision/rounding.h"
#include "core/types.h"

namespace core {

enum class SumOrder {
  sequential,  // one running sum, first to last
  pairwise,    // halves added up on their own, down to single terms; a left half is the smaller
};

struct LowArithmetic {
  Format numbers = kBFloat16;     // what vectors and results are stored in
  Format arithmetic = kBFloat16;  // what each operation's result is rounded to: `numbers`, or
                                  // kFloat32 to "accumulate in float32"
  SumOrder order = SumOrder::sequential;
  Rounding rounding = Rounding::nearest_even;  // of both; overflow as IEEE
  std::uint64_t seed = 0;                      // of stochastic rounding
};

// The sum of terms that are first rounded to `arithmetic` themselves; 0 of none.
double low_sum(std::span<const double> terms, const LowArithmetic& how);

struct LowDot {
  double result = 0;        // a number of `numbers`
  double before_store = 0;  // the last sum, a number of `arithmetic`
  double of_rounded = 0;    // the exact product of the rounded vectors, in double
  double exact = 0;         // of the vectors as they came, in double
  double absolute_sum = 0;  // sum |x_i y_i| of the rounded vectors
  double bound = 0;         // on |before_store - of_rounded|; infinite when m u >= 1
};
// Vectors rounded to `numbers`, products and sums to `arithmetic`, the result to `numbers`. Equal
// lengths, else InputError; 0 is allowed.
LowDot low_dot(const VectorD& x, const VectorD& y, const LowArithmetic& how);

// The running sums of the sequential order (n), each rounded to `arithmetic`: where they stop
// growing, terms are smaller than half a step.
VectorD low_running_sums(const VectorD& terms, const LowArithmetic& how);

// The same with the terms as they were added, each rounded to `arithmetic` itself: (n) both.
struct LowRunning {
  VectorD terms, sums;
};
LowRunning low_running(const VectorD& terms, const LowArithmetic& how);

struct LowSoftmax {
  VectorD scores;        // numbers of `numbers`
  VectorD differences;   // to the largest of them, of `arithmetic` from here on
  VectorD powers;        // exponentials of these
  VectorD weights;       // numbers of `numbers`
  VectorD exact;         // softmax of the scores as they came, in double
  double sum = 0;        // the low denominator
  double total = 0;      // of the low weights, added exactly; not 1 in general
  double max_error = 0;  // |weight - exact|; NaN when a weight is
};
// Scores rounded to `numbers`; differences to the largest, exponentials, their sum and the
// quotients rounded to `arithmetic`; weights to `numbers`. At least one score, none NaN, the
// largest finite (also once rounded), else InputError.
LowSoftmax low_softmax(const VectorD& scores, const LowArithmetic& how);

// What many random trials give.
struct LowErrors {
  Index length = 0;
  double mean = 0, max = 0;  // of the error
  double bound = 0;          // the largest bound of a trial; 0 where there is none
};
// Dot products of two vectors of independent numbers of mean 0 and variance 1 (core/random.h), for
// each length: |before_store - of_rounded| / sum |x_i y_i|, and gamma_m. The same for a seed
// whatever the number of threads. Lengths and trials at least 1, else InputError.
std::vector<LowErrors> low_dot_errors(const std::vector<Index>& lengths, Index trials,
                                      std::uint64_t seed, const LowArithmetic& how, int threads = 0,
                                      const Cancel& cancel = {});
// Softmax of n scores of mean 0 and this standard deviation: the largest |weight - exact| / exact
// of a trial.
std::vector<LowErrors> low_softmax_errors(const std::vector<Index>& lengths, Index trials,
                                          double deviation, std::uint64_t seed,
                                          const LowArithmetic& how, int threads = 0,
                                          const Cancel& cancel = {});

// gamma_m above for products and sums of `length` terms in this order; infinite when m u >= 1. For
// roundings to nearest; others double u.
double dot_error_factor(Index length, const LowArithmetic& how);

}  // namespace core
