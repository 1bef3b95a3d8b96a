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

void fit(Axis& axis, const Extent& extent, double room) {
  if (extent.empty()) return;
  const auto [lo, hi] = extent;
  const double size = std::max(std::abs(lo), std::abs(hi));
  constexpr double kNoise = 1e-9;  // values nearer than this are one, rounded in different ways
  const bool spans = hi - lo > kNoise * size;
  const double beside = spans ? room * (hi - lo) : size > 0 ? 0.1 * size : 1;
  axis.lo = lo - beside;
  axis.hi = hi + beside;
}

double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

ColorScale signed_scale(float largest) {
  const float hi = kScaleMargin * (largest > 0 && std::isfinite(largest) ? largest : 1);
  return {.map = MapName::diverging, .transform = figure::Transform::linear, .lo = -hi, .hi = hi};
}

Axis cell_axis(std::string label, Index count, std::string link) {
  Axis axis;
  axis.label = std::move(label);
  axis.hi = static_cast<double>(count);
  axis.cells = true;
  axis.link = std::move(link);
  return axis;
}

Axis counted_axis(std::string label, Index count, std::string link) {
  Axis axis = cell_axis(std::move(label), count + 1, std::move(link));
  axis.lo = 1;
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
  Bars bars;
  bars.values = std::move(values);
  bars.color = color;
  plot.add(std::move(bars));
  return plot;
}

Heatmap dense_heatmap(Matrix cells, const ColorScale& scale) {
  Heatmap map;
  map.source = std::make_shared<DenseSource>(std::move(cells));
  map.scale = scale;
  return map;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "\"" : ", \"") + word + "\"";
  return all;
}

}  // namespace lab
