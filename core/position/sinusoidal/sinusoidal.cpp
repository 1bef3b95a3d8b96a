#include "core/position/sinusoidal/sinusoidal.h"

#include <cmath>

#include "core/position/checks.h"
#include "core/position/sinusoidal/angle_table.h"

namespace core {

Index sine_column(Index i, Index, SinusoidalLayout layout) {
  return layout == SinusoidalLayout::interleaved ? 2 * i : i;
}

Index cosine_column(Index i, Index d, SinusoidalLayout layout) {
  return layout == SinusoidalLayout::interleaved ? 2 * i + 1 : d / 2 + i;
}

MatrixD sinusoidal_rows(const VectorD& positions, Index d, const SinusoidalOptions& options) {
  const VectorD theta = frequencies(d, options.base, options.rule);
  MatrixD table(positions.size(), d);
  for (Index i = 0; i < theta.size(); ++i) {
    const Index sine = sine_column(i, d, options.layout);
    const Index cosine = cosine_column(i, d, options.layout);
    for (Index p = 0; p < positions.size(); ++p) {
      const double angle = positions(p) * theta(i);
      table(p, sine) = std::sin(angle);
      table(p, cosine) = std::cos(angle);
    }
  }
  return table;
}

MatrixD sinusoidal_table(Index n, Index d, const SinusoidalOptions& options, Index first) {
  position::require_at_least("sinusoidal_table", "a number of positions", 0, n);
  position::require_at_least("sinusoidal_table", "a first position", 0, first);
  return sinusoidal_rows(
      VectorD::NullaryExpr(n, [&](Index p) { return static_cast<double>(first + p); }), d, options);
}

void sinusoidal_table_into(Matrix& table, Index n, Index d, const SinusoidalOptions& options,
                           Index first, int threads) {
  position::require_at_least("sinusoidal_table_into", "a number of positions", 0, n);
  position::require_at_least("sinusoidal_table_into", "a first position", 0, first);
  const VectorD theta = frequencies(d, options.base, options.rule);
  table.resize(n, d);
  const bool interleaved = options.layout == SinusoidalLayout::interleaved;
  const AngleTarget target{.sine = table.data(),
                           .cosine = table.data() + (interleaved ? 1 : d / 2),
                           .stride = d,
                           .step = interleaved ? 2 : 1};
  fill_angle_table(theta, first, n, target, threads);
}

Matrix sinusoidal_rows_in_float(const VectorD& positions, Index d, double base) {
  position::require_even_width("sinusoidal_rows_in_float", d);
  position::require_positive("sinusoidal_rows_in_float", "base", base);
  const float rate = -(std::log(static_cast<float>(base)) / static_cast<float>(d));
  Matrix table(positions.size(), d);
  for (Index i = 0; i < d / 2; ++i) {
    const float theta = std::exp(static_cast<float>(2 * i) * rate);
    for (Index p = 0; p < positions.size(); ++p) {
      const float angle = static_cast<float>(positions(p)) * theta;
      table(p, 2 * i) = std::sin(angle);
      table(p, 2 * i + 1) = std::cos(angle);
    }
  }
  return table;
}

}  // namespace core
