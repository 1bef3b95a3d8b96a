#include "app/labs/shared/parts.h"

namespace lab {

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  lo = std::min(lo, value);
  hi = std::max(hi, value);
}

void Extent::add(const std::vector<double>& values) {
  for (const double value : values) add(value);
}

void fit(figure::Axis& axis, const Extent& extent, double room) {
  if (extent.empty()) return;
  const auto [lo, hi] = extent;
  const double size = std::max(std::abs(lo), std::abs(hi));
  const double beside = hi > lo ? room * (hi - lo) : size > 0 ? 0.1 * size : 1;
  axis.lo = lo - beside;
  axis.hi = hi + beside;
}

double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

figure::ColorScale signed_scale(float largest) {
  const float hi = kScaleMargin * (largest > 0 && std::isfinite(largest) ? largest : 1);
  return {.map = figure::MapName::diverging,
          .transform = figure::Transform::linear,
          .lo = -hi,
          .hi = hi};
}

figure::Axis cell_axis(std::string label, Index count, std::string link) {
  figure::Axis axis;
  axis.label = std::move(label);
  axis.hi = static_cast<double>(count);
  axis.cells = true;
  axis.link = std::move(link);
  return axis;
}

Plot strip(std::string id, std::string lead, std::vector<double> values, Color color,
           double largest) {
  const double reach = largest > 0 && std::isfinite(largest) ? largest : 1;
  Plot plot{.id = std::move(id)};
  plot.lead = std::move(lead);
  plot.lead_color = color;
  plot.x = cell_axis("", static_cast<Index>(values.size()));
  plot.x.visible = plot.y.visible = false;
  plot.y.lo = -reach;
  plot.y.hi = reach;
  figure::Bars bars;
  bars.values = std::move(values);
  bars.color = color;
  plot.marks.emplace_back(std::move(bars));
  return plot;
}

figure::Heatmap dense_heatmap(Matrix cells, const figure::ColorScale& scale) {
  figure::Heatmap map;
  map.source = std::make_shared<figure::DenseSource>(std::move(cells));
  map.scale = scale;
  return map;
}

}  // namespace lab
