#include "app/labs/cost/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

figure::Plot log_plot(std::string id, std::string x_label, double lo, double hi,
                      std::string y_label) {
  figure::Plot plot{.id = std::move(id)};
  plot.x = {std::move(x_label), lo, hi};
  plot.y.label = std::move(y_label);
  plot.x.scale = plot.y.scale = figure::AxisScale::log;
  plot.y.lo = std::numeric_limits<double>::infinity();
  plot.y.hi = 0;
  return plot;
}

void add_curve(figure::Plot& plot, const std::function<double(double)>& y, const CurveLook& look) {
  figure::Line line;
  line.x = log_samples(plot.x.lo, plot.x.hi);
  for (const double x : line.x) {
    const double value = y(x);
    const bool drawn = value > 0 && std::isfinite(value);
    line.y.push_back(drawn ? value : std::numeric_limits<double>::quiet_NaN());
    if (!drawn) continue;
    plot.y.lo = std::min(plot.y.lo, value);
    plot.y.hi = std::max(plot.y.hi, value);
  }
  line.color = look.color;
  line.label = look.label;
  line.dashed = look.dashed;
  line.width = look.width;
  plot.marks.emplace_back(std::move(line));
}

void add_point(figure::Plot& plot, double x, double y, const figure::Color& color, bool chosen,
               figure::Assignments pick) {
  figure::Points points;
  points.x = {x};
  points.y = {y};
  points.color = chosen ? figure::Color(figure::Role::accent) : color;
  points.radius = chosen ? 5.0f : 4.0f;
  points.picks = {std::move(pick)};
  plot.y.lo = std::min(plot.y.lo, y);
  plot.y.hi = std::max(plot.y.hi, y);
  plot.marks.emplace_back(std::move(points));
}

void settle(figure::Plot& plot) {
  if (!(plot.y.hi > 0)) plot.y.lo = plot.y.hi = 1;
  plot.y.lo /= 2;
  plot.y.hi *= 2;
}

}  // namespace lab::cost
