// RoPE beyond the length L that a model was trained on: other frequencies for a context s times as
// long, to be used with rotary_table or rotary_angles. Everywhere d is even and at least 4, base,
// lengths and s > 0, else InputError. s <= 1 changes nothing.
#pragma once

#include "core/types.h"

namespace core {

// Position interpolation: theta_i / s, the same as positions m / s. Chen et al. 2023,
// arXiv:2306.15595: f'(x, m) = f(x, m L / L').
VectorD interpolated_frequencies(Index d, double base, double s);

// NTK-aware scaling: the base b s^(d/(d-2)), which keeps theta_0 and divides the last frequency by
// exactly s. Posted by "bloc97" in 2023; described in Peng et al. 2023 (YaRN), arXiv:2309.00071.
double ntk_aware_base(Index d, double base, double s);

// Dynamic NTK, the base for the current `length`. Two definitions are in use:
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
  // Turns within L: pairs with fewer than `slow` are interpolated, those with more than `fast` are
  // kept. alpha and beta in the paper, beta_slow and beta_fast in the code.
  double slow = 1, fast = 32;
  // For yarn_code alone: the ends of the ramp are rounded to whole indices ("truncate" in newer
  // releases).
  bool whole_ends = true;
};

// YaRN as in the paper's section "NTK-by-parts", arXiv:2309.00071 (numbered differently from
// version to version): r_i = L / wavelength_i, gamma_i = (r_i - slow) / (fast - slow) clamped to
// [0, 1], theta'_i = (1 - gamma_i) theta_i / s + gamma_i theta_i. slow < fast, else InputError. The
// type "llama3" of published models is this formula, with L their original context, low_freq_factor
// for slow and high_freq_factor for fast.
struct YarnPaper {
  VectorD turns;        // r_i
  VectorD ramp;         // gamma_i: 1 is kept, 0 is interpolated
  VectorD frequencies;  // theta'_i
};
YarnPaper yarn_paper(const RotaryScaling& scaling);

// YaRN as in its released code and Hugging Face's: the ramp is linear in the pair's index between
// low = floor(dim(fast)) and high = ceil(dim(slow)), dim(r) = d ln(L / (2 pi r)) / (2 ln base),
// clamped to [0, d - 1]. It agrees with the paper at the ends of the ramp, not between them. base >
// 1, since it divides by ln base.
struct YarnCode {
  Index low = 0, high = 0;  // rounded to whole indices even where the ramp does not end there
  VectorD ramp;             // 1 is kept, 0 is interpolated
  VectorD frequencies;      // theta'_i
};
YarnCode yarn_code(const RotaryScaling& scaling);

// YaRN's attention factor, sqrt(1/t) = 0.1 ln s + 1 (1 for s <= 1). The paper divides the logits by
// a temperature t; multiplying q and k by this factor each, or the table's cos and sin, does the
// same.
double yarn_attention_factor(double s);

}  // namespace core
