#include "app/labs/shared/drawing/axes.h"

namespace lab {

void Extent::add(Number value) {
  if (!std::isfinite(value.value)) return;
  lo = std::min(lo, value.value);
  hi = std::max(hi, value.value);
}

void Extent::add(const Numbers& values) {
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

Extent heights(const std::vector<Mark>& marks) {
  Extent extent;
  for (const Mark& mark : marks) {
    if (const auto* line = std::get_if<Line>(&mark)) extent.add(line->y);
    if (const auto* points = std::get_if<Points>(&mark)) extent.add(points->y);
  }
  return extent;
}

void fit_log(Axis& axis, const Extent& extent) {
  axis.scale = AxisScale::log;
  axis.lo = extent.empty() ? 0.5 : extent.lo / 2;
  axis.hi = extent.empty() ? 2 : 2 * extent.hi;
}

void fit_powers(Axis& axis, const Extent& extent) {
  axis.scale = AxisScale::log;
  if (extent.empty()) return;
  axis.lo = std::pow(10, std::floor(std::log10(extent.lo)));
  axis.hi = std::pow(10, std::ceil(std::log10(extent.hi)));
  if (axis.hi <= axis.lo) axis.hi = 10 * axis.lo;
}

double largest_size(const Numbers& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

Axis value_axis(std::string label, Number lo, Number hi, AxisLook look) {
  return {.label = std::move(label),
          .lo = lo,
          .hi = hi > lo ? hi : Number(lo + 1),
          .labels = std::move(look.labels),
          .link = std::move(look.link),
          .color = look.color,
          .marked = look.marked,
          .named = look.named};
}

Axis log_axis(std::string label, Number lo, Number hi, AxisLook look) {
  Axis axis = value_axis(std::move(label), lo, hi, std::move(look));
  axis.hi = hi;
  axis.scale = AxisScale::log;
  return axis;
}

Axis fitted_axis(std::string label, const Extent& extent, double room, AxisLook look) {
  Axis axis = value_axis(std::move(label), 0, 1, std::move(look));
  fit(axis, extent, room);
  return axis;
}

Axis hidden_axis(Number lo, Number hi) { return {.lo = lo, .hi = hi, .visible = false}; }

Axis cell_axis(std::string label, Index count, AxisLook look) {
  Axis axis = value_axis(std::move(label), 0, count, std::move(look));
  axis.cells = true;
  return axis;
}

Axis cell_axis(std::string label, Index count, std::string link) {
  return cell_axis(std::move(label), count, AxisLook{.link = std::move(link)});
}

Axis counted_axis(std::string label, Index count, std::string link) {
  Axis axis = cell_axis(std::move(label), count + 1, std::move(link));
  axis.lo = 1;
  return axis;
}

}  // namespace lab
