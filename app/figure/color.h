// From a value to a colour: defined here, once, on the CPU. The fragment shader is a port of
// ValueColors::bin and is held to equality by a windowless test.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/tile.h"

namespace figure {

struct Rgba {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Rgba&) const = default;
  Rgba with_alpha(float alpha) const {
    return {r, g, b, static_cast<std::uint8_t>(static_cast<float>(a) * alpha + 0.5f)};
  }
};

// Relative luminance contrast of WCAG 2, from 1 to 21.
double contrast(Rgba a, Rgba b);

struct Theme;

// `groups` is for names, not amounts: whole numbers from 0 to 255 in the theme's distinct colours,
// which begin again after the twelfth; its scale runs linearly from 0 to 256.
enum class MapName { viridis, cividis, magma, gray, diverging, groups };
enum class Transform { linear, log, symlog };

inline constexpr int kMapSize = 256;
using MapColors = std::array<Rgba, kMapSize>;

// The 256 colours of a map; `diverging` runs through the theme's own neutral colour.
const MapColors& map_colors(MapName map, const Theme& theme);

// How values become colours. `diverging` scales are centred on zero: lo = -hi.
struct ColorScale {
  MapName map = MapName::viridis;
  Transform transform = Transform::linear;
  float lo = 0, hi = 1;
  float linear_below = 1e-3f;  // symlog only: the half-width of the linear part
  bool operator==(const ColorScale&) const = default;
};

// A colour scale ready to use: 256 bins with the values where each begins, found by bisection, so
// that CPU and GPU agree bit for bit whatever the transform, and special bins for what has no
// colour on the scale.
class ValueColors {
 public:
  enum Special : int { kBelow = 256, kAbove = 257, kNan = 258, kMaskedBin = 259, kBins = 260 };

  ValueColors(const ColorScale& scale, const Theme& theme);

  // The bin of a value: 0 to 255 within [lo, hi], else one of Special.
  int bin(float value) const;
  // Masked cells have a base colour and are hatched by the painter with `hatch()`.
  Rgba color(float value) const { return colors_[static_cast<std::size_t>(bin(value))]; }
  const std::array<Rgba, kBins>& colors() const { return colors_; }
  // edges()[k] is the smallest float in bin k; edges()[0] = lo. Values above hi are kAbove.
  const std::array<float, kMapSize>& edges() const { return edges_; }
  // Estimate of a value's bin, to begin a search there: a transformed value (log: its binary
  // logarithm) less `offset`, times `slope`. An error here costs time and no colour.
  struct Guess {
    float offset = 0, slope = 0;
  };
  const Guess& guess() const { return guess_; }
  const ColorScale& scale() const { return scale_; }
  Rgba hatch() const { return hatch_; }
  // Position of a value on the colour bar, 0 to 1 (not clamped).
  double position(double value) const;

 private:
  ColorScale scale_;
  Guess guess_;
  std::array<Rgba, kBins> colors_;
  std::array<float, kMapSize> edges_;
  Rgba hatch_;
};

}  // namespace figure
