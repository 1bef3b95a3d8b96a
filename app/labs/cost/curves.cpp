#include "app/labs/cost/curves.h"

namespace lab::cost {

std::vector<double> log_samples(double lo, double hi) {
  constexpr int kCount = 121;
  std::vector<double> samples;
  for (int k = 0; k < kCount; ++k) {
    const double x = std::round(lo * std::pow(hi / lo, k / (kCount - 1.0)));
    if (samples.empty() || x > samples.back()) samples.push_back(x);
  }
  return samples;
}

Line curve(const figure::Axis& x, const std::function<double(double)>& y, Line line) {
  line.x = log_samples(x.lo, x.hi);
  for (const double at : line.x) {
    const double value = y(at);
    line.y.push_back(value > 0 ? value : std::numeric_limits<double>::quiet_NaN());
  }
  return line;
}

Points point(double x, double y, const Color& color, bool chosen, figure::Assignments pick) {
  return {.x = {x},
          .y = {y},
          .color = chosen ? figure::Color(Role::accent) : color,
          .radius = chosen ? 5.0f : 4.0f,
          .picks = {std::move(pick)}};
}

Extent heights(const Marks& marks) {
  Extent extent;
  for (const figure::Mark& mark : marks) {
    if (const auto* line = std::get_if<Line>(&mark)) extent.add(line->y);
    if (const auto* points = std::get_if<Points>(&mark)) extent.add(points->y);
  }
  return extent;
}

Plot log_plot(std::string id, figure::Axis x, std::string y_label, std::string param, Marks marks) {
  Extent y = heights(marks);
  if (y.empty()) y = {1, 1};
  x.scale = figure::AxisScale::log;
  return {.id = std::move(id),
          .x = std::move(x),
          .y = {std::move(y_label), y.lo / 2, 2 * y.hi, figure::AxisScale::log},
          .marks = std::move(marks),
          .x_param = std::move(param)};
}

}  // namespace lab::cost
