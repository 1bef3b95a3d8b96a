#include "core/position/rotary.h"

#include <cmath>
#include <string>

namespace core {

RotaryTable rotary_table(Index n, Index d, double base, Index first) {
  if (n < 0 || first < 0 || d < 0 || !(base > 0) || !std::isfinite(base)) {
    throw InputError("expected n, first and d of at least 0 and a positive base, got " +
                     std::to_string(n) + ", " + std::to_string(first) + ", " + std::to_string(d) +
                     " and " + std::to_string(base));
  }
  const Index pairs = d / 2;
  RotaryTable table{Matrix(n, pairs), Matrix(n, pairs)};
  for (Index i = 0; i < pairs; ++i) {
    const double theta = std::pow(base, -static_cast<double>(i) / static_cast<double>(pairs));
    for (Index p = 0; p < n; ++p) {
      const double angle = static_cast<double>(first + p) * theta;
      table.cos(p, i) = static_cast<float>(std::cos(angle));
      table.sin(p, i) = static_cast<float>(std::sin(angle));
    }
  }
  return table;
}

void rotate(float* x, Index n, Index d, Index stride, const RotaryTable& table) {
  for (Index p = 0; p < n; ++p) {
    float* row = x + p * stride;
    for (Index i = 0; i < d / 2; ++i) {
      const float a = row[2 * i], b = row[2 * i + 1];
      row[2 * i] = a * table.cos(p, i) - b * table.sin(p, i);
      row[2 * i + 1] = a * table.sin(p, i) + b * table.cos(p, i);
    }
  }
}

Matrix rotated(const Matrix& x, const RotaryTable& table) {
  if (table.cos.rows() != x.rows() || table.cos.cols() != x.cols() / 2) {
    throw InputError("expected a rotary table of " + std::to_string(x.rows()) + " positions and " +
                     std::to_string(x.cols() / 2) + " pairs, got " +
                     std::to_string(table.cos.rows()) + " and " + std::to_string(table.cos.cols()));
  }
  Matrix result = x;
  rotate(result.data(), result.rows(), result.cols(), result.cols(), table);
  return result;
}

}  // namespace core
