#include "core/position/rotary/rotary_scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/position/checks.h"
#include "core/position/frequency.h"

namespace core {
namespace {

// The base for which the last frequency is 1/s times that of `base`.
double stretched(const char* where, Index d, double base, double s) {
  position::require_even_width(where, d, 4);
  position::require_positive(where, "base", base);
  position::require_positive(where, "scale", s);
  const auto width = static_cast<double>(d);
  return base * std::pow(std::max(s, 1.0), width / (width - 2));
}

void require(const char* where, const RotaryScaling& scaling) {
  position::require_even_width(where, scaling.d, 4);
  position::require_positive(where, "base", scaling.base);
  position::require_positive(where, "trained length", scaling.trained_length);
  position::require_positive(where, "scale", scaling.s);
  position::require_positive(where, "lower number of turns", scaling.slow);
  if (!(scaling.fast > scaling.slow) || !std::isfinite(scaling.fast)) {
    refuse(where,
           "more turns for fast pairs than for slow ones, " + position::number_text(scaling.slow),
           position::number_text(scaling.fast));
  }
}

// ramp * theta + (1 - ramp) * theta / s.
VectorD mixed(const VectorD& theta, const VectorD& ramp, double s) {
  const double shrink = 1 / std::max(s, 1.0);
  return theta.array() * (ramp.array() + (1 - ramp.array()) * shrink);
}

}  // namespace

VectorD interpolated_frequencies(Index d, double base, double s) {
  position::require_even_width("interpolated_frequencies", d, 4);
  position::require_positive("interpolated_frequencies", "scale", s);
  return frequencies(d, base) / std::max(s, 1.0);
}

double ntk_aware_base(Index d, double base, double s) {
  return stretched("ntk_aware_base", d, base, s);
}

double dynamic_ntk_base(Index d, double base, double s, double trained_length, double length,
                        DynamicNtk form) {
  const char* where = "dynamic_ntk_base";
  position::require_positive(where, "trained length", trained_length);
  position::require_positive(where, "length", length);
  position::require_positive(where, "scale", s);
  const double ratio = std::max(1.0, length / trained_length);
  const bool factor = form == DynamicNtk::factor;
  return stretched(where, d, base, factor ? std::max(s, 1.0) * (ratio - 1) + 1 : ratio);
}

YarnPaper yarn_paper(const RotaryScaling& scaling) {
  require("yarn_paper", scaling);
  const VectorD theta = frequencies(scaling.d, scaling.base);
  YarnPaper yarn;
  yarn.turns = scaling.trained_length * wavelengths(theta).cwiseInverse();
  yarn.ramp =
      ((yarn.turns.array() - scaling.slow) / (scaling.fast - scaling.slow)).max(0.0).min(1.0);
  yarn.frequencies = mixed(theta, yarn.ramp, scaling.s);
  return yarn;
}

YarnCode yarn_code(const RotaryScaling& scaling) {
  require("yarn_code", scaling);
  if (!(scaling.base > 1)) {
    refuse("yarn_code", "a base > 1", position::number_text(scaling.base));
  }
  const auto d = static_cast<double>(scaling.d);
  const auto dimension = [&](double turns) {
    const double wavelength = scaling.trained_length / turns;
    return d * std::log(wavelength / (2 * std::numbers::pi)) / (2 * std::log(scaling.base));
  };
  const double first = dimension(scaling.fast), last = dimension(scaling.slow);
  YarnCode yarn;
  yarn.low = static_cast<Index>(std::clamp(std::floor(first), 0.0, d - 1));
  yarn.high = static_cast<Index>(std::clamp(std::ceil(last), 0.0, d - 1));
  const double low =
      scaling.whole_ends ? static_cast<double>(yarn.low) : std::clamp(first, 0.0, d - 1);
  const double high =
      scaling.whole_ends ? static_cast<double>(yarn.high) : std::clamp(last, 0.0, d - 1);
  // As in the published code: no ramp of width 0.
  const double width = std::max(high - low, 0.001);
  yarn.ramp = VectorD::NullaryExpr(scaling.d / 2, [&](Index i) {
    return 1 - std::clamp((static_cast<double>(i) - low) / width, 0.0, 1.0);
  });
  yarn.frequencies = mixed(frequencies(scaling.d, scaling.base), yarn.ramp, scaling.s);
  return yarn;
}

double yarn_attention_factor(double s) {
  position::require_positive("yarn_attention_factor", "scale", s);
  return s <= 1 ? 1 : 0.1 * std::log(s) + 1;
}

}  // namespace core
