// The linear map M_k from a sinusoidal encoding to that of the position k further on: PE(p + k) =
// M_k PE(p) for every p, so "a fixed offset is a linear function of PE(p)" (Vaswani et al. 2017,
// arXiv:1706.03762, section 3.5; the map itself follows from the addition theorem).
#pragma once

#include "core/position/sinusoidal/sinusoidal.h"
#include "core/types.h"

namespace core {

// (d, d), acting on columns. On each pair (sin, cos) it is [[cos k theta, sin k theta], [-sin k
// theta, cos k theta]]: orthogonal, of determinant 1, M_j M_k = M_{j+k}, M_-k = M_k^T. k may be
// negative or fractional. d even, base > 0, else InputError.
MatrixD sinusoidal_shift(double k, Index d, const SinusoidalOptions& options = {});

}  // namespace core
