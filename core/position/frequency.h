// The frequencies theta_i, in radians per position, that sinusoidal and rotary encodings share.
#pragma once

#include "core/types.h"

namespace core {

enum class FrequencyRule {
  paper,          // base^(-2i/d): Vaswani et al. 2017, arXiv:1706.03762, section 3.5
  tensor2tensor,  // base^(-i/(d/2-1)): tensor2tensor and fairseq; the last one is exactly 1/base
};

// theta_0 = 1, ..., theta_{d/2-1}: falling when base > 1, so low indices are the fast ones. d even
// and at least 2, base > 0 and finite, else InputError. With d = 2 both rules give theta_0 = 1.
VectorD frequencies(Index d, double base = 10000, FrequencyRule rule = FrequencyRule::paper);

// 2 pi / theta_i, in positions. Section 3.5 says "from 2 pi to 10000 * 2 pi": under the paper's own
// rule the longest is 2 pi base^((d-2)/d), a little less. theta_i > 0, else InputError.
VectorD wavelengths(const VectorD& theta);

}  // namespace core
