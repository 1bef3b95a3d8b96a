// RoPE beyond the length L that a model was trained on: other frequencies for a context s times as
// long. Frequencies are those of frequency.h; use them with rotary_table or rotary_angles. For all:
// d even and at least 4, base > 0, lengths and s > 0, else InputError. s <= 1 changes nothing.
#pragma once

#include "core/types.h"

namespace core {

// Position interpolation: theta_i / s, the same as positions m / s. Chen et al. 2023,
// arXiv:2306.15595: f'(x, m) = f(x, m L / L').
VectorD interpolated_frequencies(Index d, double base, double s);

// NTK-aware: the base b s^(d/(d-2)), which leaves theta_0 alone and divides the last by exactly s.
// Posted by "bloc97" in 2023; written up in Peng et al. 2023 (YaRN), arXiv:2309.00071.
double ntk_aware_base(Index d, double base, double s);

// Dynamic NTK, the base for the current `length`. They differ:
enum class DynamicNtk {
  factor,  // b (s length / L - (s - 1))^(d/(d-2)), Hugging Face's code; b while length <= L
  ratio,   // b max(1, length / L)^(d/(d-2)), the YaRN paper's "dynamic scaling"; no s
};
double dynamic_ntk_base(Index d, double base, double s, double trained_length, double length,
                        DynamicNtk form = DynamicNtk::factor);

struct RotaryScaling {
  Index d = 0;
  double base = 10000;
  double trained_length = 2048;  // L
  double s = 1;
  // Turns within L: pairs with fewer than `slow` are interpolated, with more than `fast` left
  // alone. alpha and beta in the paper, beta_slow and beta_fast in the code.
  double slow = 1, fast = 32;
  // For yarn_code alone: its ramp begins and ends at whole indices ("truncate" in newer releases).
  bool whole_ends = true;
};

// YaRN as the paper has it under "NTK-by-parts", arXiv:2309.00071 (its versions number
// differently): r_i = L / wavelength_i, gamma_i = (r_i - slow) / (fast - slow) clamped to [0, 1],
// theta'_i = (1 - gamma_i) theta_i / s + gamma_i theta_i. slow < fast, else InputError. The type
// "llama3" of published models is this formula, with L their original context, low_freq_factor for
// slow and high_freq_factor for fast.
struct YarnPaper {
  VectorD turns;        // r_i
  VectorD ramp;         // gamma_i: 1 is left alone, 0 is interpolated
  VectorD frequencies;  // theta'_i
};
YarnPaper yarn_paper(const RotaryScaling& scaling);

// YaRN as its released code and Hugging Face's have it: the ramp is linear in the pair's index
// between low = floor(dim(fast)) and high = ceil(dim(slow)), dim(r) = d ln(L / (2 pi r)) / (2 ln
// base), cut to [0, d - 1]. The ends agree with the paper's, the values between do not. base > 1
// here, for it divides by ln base.
struct YarnCode {
  Index low = 0, high = 0;  // as whole indices, whether the ramp ends there or not
  VectorD ramp;             // 1 is left alone, 0 is interpolated
  VectorD frequencies;      // theta'_i
};
YarnCode yarn_code(const RotaryScaling& scaling);

// sqrt(1/t) = 0.1 ln s + 1 (1 for s <= 1): YaRN's paper divides the logits by a temperature
// t, which is done by multiplying q and k by this factor each, or the rotary table's cos and sin.
double yarn_attention_factor(double s);

}  // namespace core
