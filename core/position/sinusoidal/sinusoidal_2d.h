// Sinusoidal encoding of points (y, x) of a grid: one half of the columns encodes y, the other x,
// each by the 1-D encoding with sines and cosines alternating.
#pragma once

#include "core/types.h"

namespace core {

// Which half comes first; descriptions and code disagree. `width_first` is the widely copied
// function positionalencoding2d; texts that accompany it write [p_h, p_w].
enum class AxisOrder { height_first, width_first };

// The exponent, on which they disagree, too: that function runs the 1-D encoding at width d/2, so
// 2i/(d/2); the texts write 2i/d, which uses the upper half of the frequencies only.
enum class AxisExponent { half_width, whole_width };

struct Sinusoidal2dOptions {
  double base = 10000;
  AxisOrder order = AxisOrder::width_first;
  AxisExponent exponent = AxisExponent::half_width;
};

// The frequencies of one axis, (d/4). d a multiple of 4 and at least 4, base > 0, else InputError,
// here and below.
VectorD axis_frequencies(Index d, const Sinusoidal2dOptions& options = {});

// (d, d), acting on columns: PE(y, x + k) = M_k PE(y, x) (sinusoidal_shift.h). It rotates the half
// that encodes x and keeps the other.
MatrixD sinusoidal_2d_shift(double k, Index d, const Sinusoidal2dOptions& options = {});

// (height * width, d): row y * width + x. height and width >= 0, else InputError.
MatrixD sinusoidal_2d(Index height, Index width, Index d, const Sinusoidal2dOptions& options = {});

}  // namespace core
