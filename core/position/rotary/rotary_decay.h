// Scores of one query and one key under RoPE as a function of their distance t = m - n, and the
// bound behind "long-term decay": Su et al. 2021, arXiv:2104.09864, section 3.4.3, eqs. 35 to 37.
// With h_i = (q_2i + i q_2i+1)(k_2i - i k_2i+1) the score is Re sum_i h_i e^{i t theta_i}, and with
// S_j = sum_{i<j} e^{i t theta_i}, h_{d/2} = 0, Abel's summation gives
//   |score| <= max_i |h_{i+1} - h_i| * sum_{j=1}^{d/2} |S_j|.
// Only this bound falls with distance, and even it rises at some steps; the scores themselves
// oscillate.
#pragma once

#include "core/position/rotary/rotary.h"
#include "core/types.h"

namespace core {

// The score at distances 0 .. max_distance, unscaled; it is the same for every pair of positions at
// that distance. q, k: (2 pairs), max_distance >= 0, else InputError, here and below.
VectorD rotary_score_curve(const VectorD& q, const VectorD& k, const VectorD& theta,
                           Index max_distance, RotaryPairing pairing = RotaryPairing::neighbors);

// (1 / (d/2)) sum_{j=1}^{d/2} |S_j|, the relative bound that the paper plots.
VectorD mean_partial_sum_curve(const VectorD& theta, Index max_distance);

// The right side of the inequality above for this q and k.
VectorD rotary_bound_curve(const VectorD& q, const VectorD& k, const VectorD& theta,
                           Index max_distance, RotaryPairing pairing = RotaryPairing::neighbors);

}  // namespace core
