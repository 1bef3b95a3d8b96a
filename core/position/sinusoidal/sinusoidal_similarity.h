// Similarity of the sinusoidal encodings of two positions. It depends on their distance t and the
// frequencies only, neither on the positions nor on the layout:
//   PE(p) . PE(p + t) = sum_i cos(t theta_i)
//   |PE(p + t) - PE(p)| = 2 sqrt(sum_i sin^2(t theta_i / 2))
// The product is not monotone in t: below a falling envelope it rises again and again. With base
// 10000 it first rises at distance 4, 6, 12, 44 for d = 8, 64, 128, 512.
#pragma once

#include <optional>
#include <vector>

#include "core/types.h"

namespace core {

// The products at distances 0 .. max_distance, (max_distance + 1); d/2 at distance 0. theta: at
// least one frequency. max_distance >= 0, else InputError.
VectorD dot_product_curve(const VectorD& theta, Index max_distance);

// P P^T of n positions, (n, n): symmetric Toeplitz. n >= 0, else InputError.
MatrixD similarity_matrix(const VectorD& theta, Index n);

// |PE(p + t) - PE(p)| for one distance t, computed so that small values keep their digits.
double encoding_distance(const VectorD& theta, double t);

struct Lag {
  Index lag = 0;
  double distance = 0;
};

// The `count` lags in [1, max_lag] with the closest encodings, closest first, of equals the shorter
// lag first; all lags when there are fewer. With the first frequency alone these are near multiples
// of 2 pi: 710, 333, 377, ... max_lag >= 1, count >= 0, else InputError.
std::vector<Lag> closest_lags(const VectorD& theta, Index max_lag, Index count);

// The lags in [1, max_lag] that are closer than every shorter one, shortest first. The last of them
// below n is the least distance between any two of n positions. A lag costs a sine or two, since
// its sum stops as soon as it is too large. max_lag >= 1, at least one frequency, else InputError.
std::vector<Lag> closest_so_far(const VectorD& theta, Index max_lag, const Cancel& cancel = {});

// The shortest lag in [1, max_lag] closer than `threshold` > 0: so many positions in a row stay at
// least `threshold` apart. None when no lag is that close. Only lags near multiples of the first
// wavelength are tried: elsewhere the first frequency alone keeps them apart. InputError as above.
std::optional<Lag> first_closer(const VectorD& theta, double threshold, Index max_lag);

// For each length l = 2 .. max_length, in entry l - 2, the smallest distance between any two of l
// consecutive positions: the least encoding_distance over lags 1 .. l - 1. Never increases.
// max_length >= 2, else InputError.
VectorD smallest_separation(const VectorD& theta, Index max_length);

}  // namespace core
