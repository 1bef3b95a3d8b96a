// How large dot products of random vectors are: why attention divides by the root of the width.
// Vaswani et al. 2017, arXiv:1706.03762, section 3.2.1, footnote 4: entries of mean 0 and variance
// 1 give q . k the mean 0 and the variance d.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace core {

// The density at z of q . k for q and k of width d with independent standard normal entries: given
// q it is normal with variance |q|^2, which is chi-squared with d degrees of freedom, so that
// p(z) = integral of chi2_d(s) N(z; 0, s) ds. For d = 2 it is exp(-|z|) / 2. d >= 1, else
// InputError; infinite at z = 0 for d = 1. Good to about 1e-9 of its largest value.
double dot_product_density(Index d, double z);

// The density of a normal distribution of mean 0 at z. variance > 0, else InputError.
double normal_density(double z, double variance);

// Scores q . k of `rows` queries, each with `keys` keys of its own, all of width d with entries of
// mean 0 and variance 1 (core::Random::gaussian). Wider vectors begin with the entries of narrower
// ones: as d grows, each score takes random steps of variance 1. Result (rows, keys), the same for
// any number of threads. d, rows, keys >= 1, else InputError.
MatrixD sample_dot_products(Index d, Index rows, Index keys, std::uint64_t seed, int threads = 0,
                            const Cancel& cancel = {});

}  // namespace core
