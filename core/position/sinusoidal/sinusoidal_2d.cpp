#include "core/position/sinusoidal/sinusoidal_2d.h"

#include <cmath>

#include "core/position/checks.h"
#include "core/position/frequency.h"
#include "core/position/sinusoidal/sinusoidal_shift.h"

namespace core {
namespace {

void encode(double position, const VectorD& theta, Eigen::Ref<VectorD> half) {
  for (Index i = 0; i < theta.size(); ++i) {
    half(2 * i) = std::sin(position * theta(i));
    half(2 * i + 1) = std::cos(position * theta(i));
  }
}

// The width of the 1-D encoding of which half of the columns is a part.
Index exponent_width(Index d, const Sinusoidal2dOptions& options) {
  if (d < 4 || d % 4 != 0) {
    refuse("sinusoidal_2d", "a width that 4 divides, at least 4", std::to_string(d));
  }
  return options.exponent == AxisExponent::half_width ? d / 2 : d;
}

}  // namespace

VectorD axis_frequencies(Index d, const Sinusoidal2dOptions& options) {
  return frequencies(exponent_width(d, options), options.base).head(d / 4);
}

MatrixD sinusoidal_2d_shift(double k, Index d, const Sinusoidal2dOptions& options) {
  const Index half = d / 2, at = options.order == AxisOrder::width_first ? 0 : half;
  MatrixD map = MatrixD::Identity(d, d);
  map.block(at, at, half, half) =
      sinusoidal_shift(k, exponent_width(d, options), {.base = options.base})
          .topLeftCorner(half, half);
  return map;
}

MatrixD sinusoidal_2d(Index height, Index width, Index d, const Sinusoidal2dOptions& options) {
  const char* where = "sinusoidal_2d";
  const VectorD theta = axis_frequencies(d, options);
  position::require_at_least(where, "a height", 0, height);
  position::require_at_least(where, "a width of the grid", 0, width);
  const bool width_first = options.order == AxisOrder::width_first;
  MatrixD table(height * width, d);
  VectorD row(d);
  for (Index y = 0; y < height; ++y) {
    for (Index x = 0; x < width; ++x) {
      encode(static_cast<double>(width_first ? x : y), theta, row.head(d / 2));
      encode(static_cast<double>(width_first ? y : x), theta, row.tail(d / 2));
      table.row(y * width + x) = row.transpose();
    }
  }
  return table;
}

}  // namespace core
