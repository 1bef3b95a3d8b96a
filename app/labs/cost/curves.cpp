#include "app/labs/cost/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lab::cost {

using figure::AxisScale;

std::vector<double> log_samples(double lo, double hi) {
  constexpr int kCount = 121;
  std::vector<double> samples;
  for (int k = 0; k < kCount; ++k) {
    const double x = std::round(lo * std::pow(hi / lo, k / (kCount - 1.0)));
    if (samples.empty() || x > samples.back()) samples.push_back(x);
  }
  return samples;
}

LogPlot::LogPlot(std::string id, figure::Axis x, std::string y_label, std::string param)
    : plot_{.id = std::move(id),
            .x = std::move(x),
            .y = {std::move(y_label), std::numeric_limits<double>::infinity(), 0, AxisScale::log},
            .x_param = std::move(param)} {
  plot_.x.scale = AxisScale::log;
}

LogPlot& LogPlot::curve(const std::function<double(double)>& y, figure::Line look) {
  look.x = log_samples(plot_.x.lo, plot_.x.hi);
  for (const double x : look.x) {
    const double value = y(x);
    const bool drawn = value > 0 && std::isfinite(value);
    look.y.push_back(drawn ? value : std::numeric_limits<double>::quiet_NaN());
    if (drawn) hold(value);
  }
  return mark(std::move(look));
}

LogPlot& LogPlot::point(double x, double y, const figure::Color& color, bool chosen,
                        figure::Assignments pick) {
  hold(y);
  return mark(figure::Points{.x = {x},
                             .y = {y},
                             .color = chosen ? figure::Color(figure::Role::accent) : color,
                             .radius = chosen ? 5.0f : 4.0f,
                             .picks = {std::move(pick)}});
}

LogPlot& LogPlot::mark(figure::Mark mark) {
  plot_.marks.push_back(std::move(mark));
  return *this;
}

void LogPlot::hold(double y) {
  plot_.y.lo = std::min(plot_.y.lo, y);
  plot_.y.hi = std::max(plot_.y.hi, y);
}

figure::Plot LogPlot::finish(std::string title) && {
  if (!(plot_.y.hi > 0)) plot_.y.lo = plot_.y.hi = 1;
  plot_.y.lo /= 2;
  plot_.y.hi *= 2;
  plot_.title = std::move(title);
  return std::move(plot_);
}

}  // namespace lab::cost
