#include "app/figure/color.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "app/figure/oklab.h"
#include "app/figure/theme.h"
#include "assets/assets.h"
#include "core/types.h"

namespace figure {
namespace {

// A map's file: 256 lines of "r,g,b". It is embedded by the build, so a fault in it is the build's.
MapColors parse_map(std::string_view name) {
  const std::string_view csv = assets::find(name);
  MapColors colors;
  const char* at = csv.data();
  const char* const end = at + csv.size();
  for (Rgba& color : colors) {
    for (std::uint8_t* channel : {&color.r, &color.g, &color.b}) {
      const auto [next, error] = std::from_chars(at, end, *channel);
      if (error != std::errc{}) {
        throw std::logic_error(fmt::format("{}: expected 256 lines of r,g,b", name));
      }
      at = next < end ? next + 1 : end;
    }
  }
  return colors;
}

MapColors make_diverging(const Theme& theme) {
  MapColors colors;
  for (int k = 0; k < kMapSize; ++k) {
    const double side = 2 * (k + 0.5) / kMapSize - 1;
    colors[static_cast<std::size_t>(k)] =
        mix(theme.neutral, side < 0 ? theme.negative : theme.positive, std::abs(side));
  }
  return colors;
}

// The scale's transform in double; the shader never sees it, only the edges made from it.
double transformed(const ColorScale& scale, double v) {
  switch (scale.transform) {
    case Transform::linear: return v;
    case Transform::log: return v > 0 ? std::log(v) : -std::numeric_limits<double>::infinity();
    case Transform::symlog: {
      // Linear up to c, then logarithmic; value and slope agree where the parts meet.
      const double c = scale.linear_below, m = std::abs(v);
      return m <= c ? v / c : std::copysign(1 + std::log(m / c), v);
    }
  }
  return v;
}

// The value that `transformed` takes to `t`, up to rounding.
double untransformed(const ColorScale& scale, double t) {
  switch (scale.transform) {
    case Transform::linear: return t;
    case Transform::log: return std::exp(t);
    case Transform::symlog: {
      const double c = scale.linear_below, m = std::abs(t);
      return m <= 1 ? t * c : std::copysign(c * std::exp(m - 1), t);
    }
  }
  return t;
}

// Floats as integers of the same order, so that bisection reaches every float between two.
std::int64_t rank_of(float v) {
  const auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(v) & 0x7fffffffu);
  return std::signbit(v) ? -bits : bits;
}

float float_of(std::int64_t rank) {
  const float magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(std::abs(rank)));
  return rank < 0 ? -magnitude : magnitude;
}

MapColors make_groups(const Theme& theme) {
  constexpr int kDistinct = 12;
  MapColors colors;
  for (int k = 0; k < kMapSize; ++k) {
    colors[static_cast<std::size_t>(k)] = theme.head(k % kDistinct);
  }
  return colors;
}

void check(const ColorScale& s) {
  if (!std::isfinite(s.lo) || !std::isfinite(s.hi) || s.lo > s.hi) {
    throw core::InputError(
        fmt::format("colour scale: expected finite lo <= hi, got {} and {}", s.lo, s.hi));
  }
  if (s.transform == Transform::log && s.lo <= 0) {
    throw core::InputError(fmt::format("logarithmic colour scale: expected lo > 0, got {}", s.lo));
  }
  if (s.transform == Transform::symlog && !(s.linear_below > 0 && std::isfinite(s.linear_below))) {
    throw core::InputError(fmt::format(
        "symmetric logarithmic colour scale: expected a linear part > 0, got {}", s.linear_below));
  }
}

ValueColors::Guess guess_of(const ColorScale& s) {
  const auto place = [&](double v) {
    return s.transform == Transform::log ? std::log2(v) : transformed(s, v);
  };
  const double lo = place(s.lo), width = place(s.hi) - lo;
  return {static_cast<float>(lo), static_cast<float>(width > 0 ? kMapSize / width : 0)};
}

// The logarithm of a positive value, to about a hundredth; anything below the normal range.
float rough_log2(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const float fraction = static_cast<float>(bits & 0x7fffffu) * 0x1p-23f;
  return static_cast<float>(bits >> 23) - 127 + fraction + 0.34f * fraction * (1 - fraction);
}

// `value` lies within the scale's ends.
std::size_t first_guess(float value, const ColorScale& s, const ValueColors::Guess& guess) {
  float t = value;
  if (s.transform == Transform::log) {
    t = rough_log2(value);
  } else if (s.transform == Transform::symlog) {
    constexpr float kLn2 = std::numbers::ln2_v<float>;
    const float m = std::abs(value) / s.linear_below;
    t = std::copysign(m <= 1 ? m : 1 + kLn2 * rough_log2(m), value);
  }
  const float at = (t - guess.offset) * guess.slope;
  if (!(at > 0)) return 0;  // nor a number, when the scale is too narrow for the slope
  return at < kMapSize ? static_cast<std::size_t>(at) : kMapSize - 1;
}

}  // namespace

double contrast(Rgba a, Rgba b) {
  const auto luminance = [](Rgba c) {
    const LinearRgb l = to_linear(c);
    return 0.2126 * l.r + 0.7152 * l.g + 0.0722 * l.b;
  };
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

const MapColors& map_colors(MapName map, const Theme& theme) {
  static const MapColors viridis = parse_map("colormaps/viridis.csv");
  static const MapColors cividis = parse_map("colormaps/cividis.csv");
  static const MapColors magma = parse_map("colormaps/magma.csv");
  static const MapColors gray = parse_map("colormaps/grey.csv");
  static const MapColors diverging_dark = make_diverging(figure::theme(ThemeName::dark));
  static const MapColors diverging_light = make_diverging(figure::theme(ThemeName::light));
  static const MapColors groups_dark = make_groups(figure::theme(ThemeName::dark));
  static const MapColors groups_light = make_groups(figure::theme(ThemeName::light));
  const bool dark = theme.name == ThemeName::dark;
  switch (map) {
    case MapName::viridis: return viridis;
    case MapName::cividis: return cividis;
    case MapName::magma: return magma;
    case MapName::gray: return gray;
    case MapName::groups: return dark ? groups_dark : groups_light;
    case MapName::diverging: break;
  }
  return dark ? diverging_dark : diverging_light;
}

ValueColors::ValueColors(const ColorScale& scale, const Theme& theme)
    : scale_(scale), hatch_(theme.hatch) {
  check(scale);
  guess_ = guess_of(scale);
  const MapColors& map = map_colors(scale.map, theme);
  std::copy(map.begin(), map.end(), colors_.begin());
  // Beyond the ends a colour still belongs to its end, but is told from it.
  colors_[kBelow] = mix(map.front(), theme.below, 0.35);
  colors_[kAbove] = mix(map.back(), theme.above, 0.35);
  colors_[kNan] = theme.nan;
  colors_[kMaskedBin] = theme.masked;

  const double lo = transformed(scale, scale.lo), hi = transformed(scale, scale.hi);
  edges_[0] = scale.lo;
  for (int k = 1; k < kMapSize; ++k) {
    float& edge = edges_[static_cast<std::size_t>(k)];
    if (scale.lo == scale.hi) {  // one value only: it takes the middle of the scale
      edge = k <= kMapSize / 2 ? scale.lo
                               : std::nextafter(scale.hi, std::numeric_limits<float>::infinity());
      continue;
    }
    const double wanted = static_cast<double>(k) / kMapSize;
    const auto reaches = [&](std::int64_t rank) { return position(float_of(rank)) >= wanted; };
    std::int64_t below = rank_of(edges_[static_cast<std::size_t>(k - 1)]), in = rank_of(scale.hi);
    if (reaches(below)) in = below;
    // The edge lies next to where exact arithmetic would put it: from there in growing steps, until
    // it is between the two, then by bisection.
    const double guess = untransformed(scale, lo + (hi - lo) * wanted);
    std::int64_t at = rank_of(static_cast<float>(guess));
    for (std::int64_t step = 1; at > below && at < in; step *= 2) {
      const bool high = reaches(at);
      (high ? in : below) = at;
      if (in - below <= step) break;
      at += high ? -step : step;
    }
    while (in - below > 1) {
      const std::int64_t middle = below + (in - below) / 2;
      (reaches(middle) ? in : below) = middle;
    }
    edge = float_of(in);
  }
}

int ValueColors::bin(float value) const {
  if (!(value >= scale_.lo && value <= scale_.hi)) {
    if (!std::isnan(value)) return value < scale_.lo ? kBelow : kAbove;
    return core::is_masked(value) ? kMaskedBin : kNan;
  }
  // From about where it is to the last edge that it reaches.
  std::size_t at = first_guess(value, scale_, guess_);
  while (value < edges_[at]) --at;
  while (at + 1 < kMapSize && value >= edges_[at + 1]) ++at;
  return static_cast<int>(at);
}

double ValueColors::position(double value) const {
  if (scale_.lo == scale_.hi) return 0.5;
  const double lo = transformed(scale_, scale_.lo), hi = transformed(scale_, scale_.hi);
  return (transformed(scale_, value) - lo) / (hi - lo);
}

}  // namespace figure
