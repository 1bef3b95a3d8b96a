#include "app/desktop/icon.h"

#include <cmath>

#include "app/figure/theme.h"
#include "core/attention/masked_softmax.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace desktop {
namespace {

using core::Index;

constexpr Index kWidth = 16;   // of the encodings
constexpr double kBase = 40;   // slow enough that neighbours differ in a few cells
constexpr int kSmall = 24;     // pixels: up to here an icon is small
constexpr float kGround = 13;  // radius of the ground's corners
constexpr float kInside = 9;   // from the edge to the cells

// Weights of n positions that look back at each other by their sinusoidal encodings.
core::MatrixD weights(Index n) {
  core::SinusoidalOptions options;
  options.base = kBase;
  const core::MatrixD table = core::sinusoidal_table(n, kWidth, options);
  const core::MatrixD scores = table * table.transpose();
  return core::masked_softmax(scores, core::Mask::causal(n, n), core::EmptyRow::zeros,
                              std::sqrt(static_cast<double>(kWidth)) / 2);
}

// The wave of the encoding's first pair over the cells that are masked: its phase by the distance
// from the diagonal.
figure::draw::Path trace(const figure::Theme& theme) {
  constexpr int kPoints = 96;
  figure::draw::Path path;
  path.color = theme.accent;
  path.width = 3.5f;
  for (int k = 0; k <= kPoints; ++k) {
    const double t = static_cast<double>(k) / kPoints;
    // Along the diagonal of the free corner, and across it by the sine.
    const double along = 12 + 40 * t, across = 6.5 * std::sin(2.5 * 2 * M_PI * t) * (1 - t * 0.5);
    path.points.push_back({static_cast<float>(20.5 + along * 0.62 + across * 0.62),
                           static_cast<float>(4.5 + along * 0.62 - across * 0.62)});
  }
  return path;
}

}  // namespace

figure::Drawing icon(int pixels) {
  const figure::Theme& theme = figure::theme(figure::ThemeName::dark);
  const Index n = pixels <= kSmall ? 4 : 6;
  const core::MatrixD w = weights(n);
  const figure::ValueColors colors({.lo = 0, .hi = 1}, theme);
  figure::Drawing drawing;
  drawing.bounds = {0, 0, kIconUnits, kIconUnits};
  drawing.primitives.push_back(
      figure::draw::Fill{{1, 1, kIconUnits - 2, kIconUnits - 2}, theme.panel, kGround});
  const float pitch = (kIconUnits - 2 * kInside) / static_cast<float>(n);
  const float gap = pixels <= kSmall ? 0.8f : 0.9f;
  for (Index row = 0; row < n; ++row) {
    for (Index col = 0; col <= row; ++col) {
      const figure::Rect cell{kInside + static_cast<float>(col) * pitch + gap / 2,
                              kInside + static_cast<float>(row) * pitch + gap / 2, pitch - gap,
                              pitch - gap};
      // Its root: the first row's one is not to outshine all others.
      const float value = std::sqrt(static_cast<float>(w(row, col)));
      drawing.primitives.push_back(figure::draw::Fill{cell, colors.color(value), 1.2f});
    }
  }
  if (pixels > kSmall) drawing.primitives.push_back(trace(theme));
  return drawing;
}

}  // namespace desktop
