// The points with the curve through them, and what the picked query makes of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/labs/pooling/page.h"

namespace lab::pooling {
namespace {

using figure::Color;
using figure::Figure;
using figure::Handle;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Index kMostPicked = 2000;  // points that can be clicked one by one
constexpr Index kMostStems = 400;
constexpr std::size_t kSizes = 5;  // of points, by weight

struct Range {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  void take(double v) {
    if (!std::isfinite(v)) return;
    lo = std::min(lo, v);
    hi = std::max(hi, v);
  }
};

// Room for the points and for the bump of the kernel below them.
Range y_range(const Scene& scene) {
  Range range;
  for (const double y : scene.data().y) range.take(y);
  for (const double y : scene.model.fit->y) range.take(y);
  if (scene.data().known) {
    for (const double x : scene.model.fit->x) range.take(truth(x));
  }
  if (!(range.lo <= range.hi)) range = {0, 1};
  const double height = std::max(range.hi - range.lo, 1e-9 * std::max(1.0, std::abs(range.hi)));
  return {range.lo - 0.22 * height, range.hi + 0.08 * height};
}

figure::Assignments picks(Index key) {
  return {{"key", fmt::format("{}", key)}, {"explain", "prediction"}};
}

// How much of the largest weight a key has, 0 to 1.
double share(const Scene& scene, Index j) {
  const double largest = scene.row().largest();
  return largest > 0 ? scene.weight(j) / largest : 0;
}

// Points drawn in a few sizes: what has more weight is larger and darker.
void add_points(const Scene& scene, Plot& plot) {
  const Data& data = scene.data();
  const bool many = data.size() > kMostPicked;
  std::array<Points, kSizes> sizes;
  for (Index j = 0; j < data.size(); ++j) {
    const double part = std::sqrt(share(scene, j));
    const auto size = static_cast<std::size_t>(std::ceil(part * (kSizes - 1)));
    Points& points = sizes[std::min(size, kSizes - 1)];
    points.x.push_back(data.x(j));
    points.y.push_back(data.y(j));
    if (!many) points.picks.push_back(picks(j));
  }
  for (std::size_t k = 0; k < kSizes; ++k) {
    const auto part = static_cast<float>(k) / (kSizes - 1);
    sizes[k].radius = many ? 1 + 0.8f * part : 2.5f + 3.5f * part;
    sizes[k].color = Color(Role::value, 0.28f + 0.72f * part);
    if (!sizes[k].x.empty()) plot.marks.emplace_back(std::move(sizes[k]));
  }
}

// Clicked points can be dragged; their indices are those of clicking.
void add_handles(const Scene& scene, Plot& plot) {
  const Data& data = scene.data();
  for (Index j = 0; j < data.size(); ++j) {
    const auto part = static_cast<float>(std::sqrt(share(scene, j)));
    Handle handle;
    handle.x = data.x(j);
    handle.y = data.y(j);
    handle.points_param = "points";
    handle.point = static_cast<std::size_t>(data.clicked[static_cast<std::size_t>(j)]);
    handle.color = Color(Role::value, 0.35f + 0.65f * part);
    handle.radius = 3 + 4 * part;
    plot.marks.emplace_back(std::move(handle));
  }
}

// The weight a key anywhere would have, as a bump at the foot of the plot.
figure::Band bump(const Scene& scene, const Range& range) {
  figure::Band band;
  band.color = Color(Role::query, 0.22f);
  const double foot = range.lo, height = 0.13 * (range.hi - range.lo);
  const auto& [kernel, bandwidth] = scene.model.weighing;
  for (const double x : scene.model.fit->x) {
    const double u = (scene.query() - x) / bandwidth;
    band.x.push_back(x);
    band.lo.push_back(foot);
    band.hi.push_back(foot +
                      height * core::pooling_kernel(kernel, u) / core::pooling_kernel(kernel, 0));
  }
  return band;
}

void add_query(const Scene& scene, const Range& range, Plot& plot) {
  plot.marks.emplace_back(figure::Rule{true, scene.query(), Color(Role::query, 0.8f), true, "q"});
  Handle handle;
  handle.x = scene.query();
  const bool there = !scene.model.empty() && !scene.row().empty();
  handle.y = there ? scene.row().prediction() : range.lo + 0.05 * (range.hi - range.lo);
  handle.x_param = "query";
  handle.also = {{"explain", "prediction"}};
  handle.color = Role::query;
  plot.marks.emplace_back(std::move(handle));
}

void add_key(const Scene& scene, Plot& plot, double height) {
  const auto key = scene.key();
  if (!key) return;
  Points point;
  point.x = {scene.data().x(*key)};
  point.y = {height};
  point.color = Role::accent;
  point.radius = 4;
  plot.marks.emplace_back(std::move(point));
}

void add_curves(const Scene& scene, Plot& plot) {
  const Fit& fit = *scene.model.fit;
  const auto& w = scene.w;
  if (scene.data().known) {
    Line line;
    for (const double x : fit.x) {
      line.x.push_back(x);
      line.y.push_back(truth(x));
    }
    line.color = Role::dim;
    line.dashed = true;
    line.label = w("truth");
    plot.marks.emplace_back(std::move(line));
  }
  if (scene.model.empty()) return;
  Line line;
  line.x.assign(fit.x.begin(), fit.x.end());
  line.y.assign(fit.y.begin(), fit.y.end());
  line.color = Role::accent;
  line.width = 2.5f;
  line.label = w("f");
  plot.marks.emplace_back(std::move(line));
}

std::string method_name(const Scene& scene) {
  const auto& [p, model, w] = scene;
  switch (p.method) {
    case Method::average:
      return w("average");
    case Method::kernel:
      return w.format("{}, h = {}", kernel_word(p.kernel, w), short_number(p.bandwidth));
    case Method::parametric:
      break;
  }
  const double width = model.weighing.bandwidth;
  const double size = std::isinf(width) ? 0 : 1 / width;
  if (!model.training) return w.format("|w| = {}", short_number(size));
  return w.format("|w| = {} at step {}", short_number(size), model.step);
}

}  // namespace

std::string kernel_word(core::PoolingKernel kernel, const words::Words& w) {
  switch (kernel) {
    case core::PoolingKernel::gaussian:
      return w("Gaussian");
    case core::PoolingKernel::boxcar:
      return w("boxcar");
    case core::PoolingKernel::epanechnikov:
      return w("Epanechnikov");
    case core::PoolingKernel::triangular:
      break;
  }
  return w("triangular");
}

figure::Axis x_axis(const Scene& scene) {
  const Data& data = scene.data();
  figure::Axis axis;
  axis.label = scene.x_name();
  const double room = 0.01 * (data.hi - data.lo);
  axis.lo = data.lo - room;
  axis.hi = data.hi + room;
  axis.link = "x";
  const VectorD& queries = scene.model.pooled->queries;
  axis.origin = queries(0);
  axis.unit = queries(1) - queries(0);
  return axis;
}

Figure data_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("data", w("Points and prediction"), {.span = 7, .height = 380});
  figure.note = method_name(scene);
  figure.caption = w.format(
      "{} points (x, y) and f, the mean of y weighted by attention ({}). Larger points have more "
      "weight for the query at {} = {}; the bump below is its kernel.",
      scene.data().size(), method_name(scene), scene.x_name(), number(scene.query()));
  Plot plot{.id = "data"};
  const Range range = y_range(scene);
  plot.x = x_axis(scene);
  plot.y = {scene.y_name(), range.lo, range.hi};
  plot.x_param = "query";
  plot.click = {{"explain", "prediction"}};
  if (p.clicked()) {
    plot.points_param = "points";
    plot.note = w("click adds a point, drag moves it, right click takes it away");
    plot.y.lo = std::min(plot.y.lo, -1.0);
    plot.y.hi = std::max(plot.y.hi, 5.0);
  }
  const Range shown{plot.y.lo, plot.y.hi};
  if (!model.empty()) plot.marks.emplace_back(bump(scene, shown));
  if (!model.empty() && !p.clicked()) add_points(scene, plot);
  add_curves(scene, plot);
  if (p.clicked()) add_handles(scene, plot);
  if (const auto key = scene.key()) add_key(scene, plot, scene.data().y(*key));
  add_query(scene, shown, plot);
  return with(std::move(figure), std::move(plot));
}

Figure weights_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Data& data = scene.data();
  Figure figure = new_figure("weights", w("The weights of the query"), {.span = 5, .height = 380});
  figure.note = w.format("q = {}", number(scene.query()));
  figure.caption = w.format("The weight of each key for the query at {} = {}; together they are 1.",
                            scene.x_name(), number(scene.query()));
  Plot plot{.id = "weights"};
  plot.x = x_axis(scene);
  plot.x_param = "query";
  plot.y.label = w("weight α");
  const double largest = model.empty() ? 0 : scene.row().largest();
  plot.y.hi = largest > 0 ? 1.1 * largest : 1;
  Line stems;
  Points tops;
  const bool many = data.size() > kMostStems;
  for (Index j = 0; j < data.size(); ++j) {
    const double weight = scene.weight(j);
    if (!many) {
      stems.x.insert(stems.x.end(), {data.x(j), data.x(j), data.x(j)});
      stems.y.insert(stems.y.end(), {0, weight, kNan});
    }
    tops.x.push_back(data.x(j));
    tops.y.push_back(weight);
    if (data.size() <= kMostPicked) tops.picks.push_back(picks(j));
  }
  stems.color = Color(Role::key, 0.6f);
  tops.color = Role::key;
  tops.radius = many ? 1.2f : 3;
  plot.marks.emplace_back(figure::Rule{true, scene.query(), Color(Role::query, 0.8f), true, "q"});
  if (!stems.x.empty()) plot.marks.emplace_back(std::move(stems));
  plot.marks.emplace_back(std::move(tops));
  if (const auto key = scene.key()) add_key(scene, plot, scene.weight(*key));
  if (!model.empty() && scene.row().empty()) {
    plot.note = w("no key is within the bandwidth: all weights are 0");
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::pooling
