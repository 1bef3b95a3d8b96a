#include "app/state/desk/zoom.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace state {

namespace {

constexpr double kFewestCells = 3;

// A range of an axis, from left to right or from top to bottom.
struct Stretch {
  double a, b;

  double lo() const { return std::min(a, b); }
  double hi() const { return std::max(a, b); }
  // From lo to hi, running the way this one does.
  Stretch spanning(double lo, double hi) const {
    return a <= b ? Stretch{lo, hi} : Stretch{hi, lo};
  }
};

// In the units in which zooming is even: logarithms on a logarithmic axis.
double to_axis(double v, bool log) { return log ? std::log(std::max(v, 1e-300)) : v; }
double back(double v, bool log) { return log ? std::exp(v) : v; }

Stretch scaled(Stretch now, double at, double factor, Stretch whole, double fewest, bool log) {
  const double lo = to_axis(whole.lo(), log), hi = to_axis(whole.hi(), log);
  const double a = to_axis(now.lo(), log), b = to_axis(now.hi(), log), p = to_axis(at, log);
  const double length = std::clamp((b - a) * factor, std::min(fewest, hi - lo), hi - lo);
  if (length >= hi - lo) return whole;
  const double share = b == a ? 0.5 : (p - a) / (b - a);
  const double from = std::clamp(p - share * length, lo, hi - length);
  return now.spanning(back(from, log), back(from + length, log));
}

Stretch shifted(Stretch now, float pixels, float size, Stretch whole, bool log) {
  const double lo = to_axis(whole.lo(), log), hi = to_axis(whole.hi(), log);
  const double a = to_axis(now.lo(), log), b = to_axis(now.hi(), log);
  const double along = to_axis(now.b, log) - to_axis(now.a, log);
  const double by = -static_cast<double>(pixels / std::max(size, 1.0f)) * along;
  const double from = std::clamp(a + by, lo, std::max(lo, hi - (b - a)));
  return now.spanning(back(from, log), back(from + (b - a), log));
}

double fewest_of(const figure::Axis& axis) {
  const bool log = axis.scale == figure::AxisScale::log;
  if (axis.cells) return kFewestCells;
  return std::abs(to_axis(axis.hi, log) - to_axis(axis.lo, log)) / 1e4;
}

bool same_link(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

// The part of an axis that `shown` is, on a linked one; the whole is the whole.
Stretch on_linked(Stretch shown, Stretch its_whole, Stretch whole) {
  if (shown.lo() <= its_whole.lo() && shown.hi() >= its_whole.hi()) return whole;
  return whole.spanning(shown.lo(), shown.hi());
}

}  // namespace

figure::View zoomed(const figure::Plot& plot, const figure::PlotFrame& frame, figure::Point about,
                    double factor) {
  const figure::View& s = frame.shown;
  const figure::View whole = figure::whole_view(plot);
  Stretch x{s.x0, s.x1}, y{s.y0, s.y1};
  if (plot.x.visible) {
    x = scaled(x, frame.x_at(about.x), factor, {whole.x0, whole.x1}, fewest_of(plot.x),
               frame.x_log);
  }
  if (plot.y.visible) {
    y = scaled(y, frame.y_at(about.y), factor, {whole.y0, whole.y1}, fewest_of(plot.y),
               frame.y_log);
  }
  return {x.a, x.b, y.a, y.b};
}

figure::View moved(const figure::Plot& plot, const figure::PlotFrame& frame, float dx, float dy) {
  const figure::View& s = frame.shown;
  const figure::View whole = figure::whole_view(plot);
  const Stretch x = shifted({s.x0, s.x1}, dx, frame.area.w, {whole.x0, whole.x1}, frame.x_log);
  const Stretch y = shifted({s.y0, s.y1}, dy, frame.area.h, {whole.y0, whole.y1}, frame.y_log);
  return {x.a, x.b, y.a, y.b};
}

bool linked(const figure::Plot& a, const figure::Plot& b) {
  return same_link(a.x.link, b.x.link) || same_link(a.y.link, b.y.link);
}

figure::View followed(const figure::Plot& plot, const figure::View& view, const figure::Plot& other,
                      const figure::View& now) {
  const figure::View from = figure::whole_view(plot), whole = figure::whole_view(other);
  figure::View next = now;
  if (same_link(plot.x.link, other.x.link)) {
    const Stretch x = on_linked({view.x0, view.x1}, {from.x0, from.x1}, {whole.x0, whole.x1});
    next.x0 = x.a, next.x1 = x.b;
  }
  if (same_link(plot.y.link, other.y.link)) {
    const Stretch y = on_linked({view.y0, view.y1}, {from.y0, from.y1}, {whole.y0, whole.y1});
    next.y0 = y.a, next.y1 = y.b;
  }
  return next;
}

}  // namespace state
