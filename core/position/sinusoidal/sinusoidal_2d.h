// Sinusoidal encoding of places (y, x) on a grid: one half of the columns encodes y, the other x,
// each as the 1-D encoding does with sines and cosines alternating.
#pragma once

#include "core/types.h"

namespace core {

// Descriptions and code disagree on which half comes first. `width_first` is what the widely copied
// function positionalencoding2d does; texts beside it write [p_h, p_w].
enum class AxisOrder { height_first, width_first };

// And on the exponent: that function runs the 1-D encoding at width d/2, so 2i/(d/2); its texts
// write 2i/d, which uses the upper half of the frequencies only.
enum class AxisExponent { half_width, whole_width };

struct Sinusoidal2dOptions {
  double base = 10000;
  AxisOrder order = AxisOrder::width_first;
  AxisExponent exponent = AxisExponent::half_width;
};

// The frequencies of one axis, (d/4). d a multiple of 4 and at least 4, base > 0, else InputError
// (so for all that follow).
VectorD axis_frequencies(Index d, const Sinusoidal2dOptions& options = {});

// (d, d), acting on columns: PE(y, x + k) = M_k PE(y, x) (sinusoidal_shift.h). The half that
// encodes x turns, the other stays.
MatrixD sinusoidal_2d_shift(double k, Index d, const Sinusoidal2dOptions& options = {});

// (height * width, d): row y * width + x. height and width >= 0, else InputError.
MatrixD sinusoidal_2d(Index height, Index width, Index d, const Sinusoidal2dOptions& options = {});

}  // namespace core
