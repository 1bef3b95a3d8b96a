#include "core/position/sinusoidal/sinusoidal_2d.h"

#include <cmath>

#include "core/position/checks.h"
#include "core/position/frequency.h"

namespace core {
namespace {

void encode(double position, const VectorD& theta, Eigen::Ref<VectorD> half) {
  for (Index i = 0; i < theta.size(); ++i) {
    half(2 * i) = std::sin(position * theta(i));
    half(2 * i + 1) = std::cos(position * theta(i));
  }
}

}  // namespace

MatrixD sinusoidal_2d(Index height, Index width, Index d, const Sinusoidal2dOptions& options) {
  const char* where = "sinusoidal_2d";
  if (d < 4 || d % 4 != 0) refuse(where, "a width that 4 divides, at least 4", std::to_string(d));
  position::require_at_least(where, "a height", 0, height);
  position::require_at_least(where, "a width of the grid", 0, width);
  const Index exponent_width = options.exponent == AxisExponent::half_width ? d / 2 : d;
  const VectorD theta = frequencies(exponent_width, options.base).head(d / 4);
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
