// ALiBi, attention with linear biases: Press, Smith and Lewis 2022, arXiv:2108.12409, section 3:
//   softmax(q_i K^T / sqrt(d) + slope * [-(i-1), ..., -2, -1, 0])
// No embedding has a position in it; each head subtracts a penalty that grows with distance at a
// rate of its own.
#pragma once

#include "core/position/relative/relative.h"
#include "core/types.h"

namespace core {

enum class AlibiSlopeRule {
  released,   // for h a power of two as in the paper; else the slopes of the next lower power P,
              // followed by every other slope of 2P, as in the published code
  geometric,  // 2^(-8/h), 2^(-16/h), ..., 2^-8 for any h: the paper's sequence taken literally
};

// (h), all in (0, 1). For h a power of two both rules give the geometric sequence with first term
// and ratio 2^(-8/h). h >= 1, else InputError.
VectorD alibi_slopes(Index h, AlibiSlopeRule rule = AlibiSlopeRule::released);

// The slope of a head, counted from 1, is 2^(-8 k / of): the k-th of `of` in a geometric sequence.
// 1 <= head <= h, else InputError.
struct AlibiExponent {
  Index k = 1, of = 1;
  double value() const { return -8 * static_cast<double>(k) / static_cast<double>(of); }
};
AlibiExponent alibi_exponent(Index head, Index h, AlibiSlopeRule rule = AlibiSlopeRule::released);

enum class AlibiForm {
  causal,     // -slope (i - j) for keys up to the query, -infinity after it
  symmetric,  // -slope |i - j|: a common variant for encoders
  key_only,   // slope * j: the same softmax, since slope * i is constant in a row; the causal mask
              // is not in it
};

// The bias of one head, (n, m), to be added to the scaled scores. slope finite, else InputError.
MatrixD alibi_bias(double slope, Index n, Index m, AlibiForm form = AlibiForm::causal);

// The reach of a head: the least distance r for which the keys at distances 0 to r have at least
// `share` of the weight, were all contents equal and the past endless: 1 - e^{-slope (r+1)} >=
// share. slope > 0, 0 < share < 1, else InputError.
Index alibi_reach(double slope, double share = 0.99);

}  // namespace core
