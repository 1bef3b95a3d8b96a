// The four kernels, and what each bandwidth would be worth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figure/layout.h"
#include "app/labs/pooling/page.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr double kReach = 3;  // in bandwidths
constexpr int kSteps = 300;   // of the curve on each side
constexpr Index kMostKeys = 2000;

struct Listed {
  PoolingKernel kernel;
  const char *id, *formula;
};
constexpr Listed kKernels[] = {
    {PoolingKernel::gaussian, "gaussian", "K(u) = e^(-u²/2) / √2π"},
    {PoolingKernel::boxcar, "boxcar", "K(u) = 1/2, |u| ≤ 1"},
    {PoolingKernel::epanechnikov, "epanechnikov", "K(u) = 3/4 (1 - u²), |u| ≤ 1"},
    {PoolingKernel::triangular, "triangular", "K(u) = 1 - |u|, |u| ≤ 1"}};

// The curve, and on it the keys of the picked query.
Plot kernel_plot(const Scene& scene, const Listed& listed) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = fmt::format("kernel_{}", listed.id), .title = kernel_word(listed.kernel, w)};
  plot.note = listed.formula;
  plot.selected = listed.kernel == p.kernel;
  plot.click = {{"kernel", listed.id}};
  plot.x = {"u = (q - x) / h", -kReach, kReach};
  plot.x.link = "u";
  plot.y.hi = 1.1;
  Line line;
  line.color = plot.selected ? Role::accent : Role::dim;
  line.width = 2;
  for (int k = -kSteps; k <= kSteps; ++k) {
    const double u = kReach * k / kSteps;
    line.x.push_back(u);
    line.y.push_back(core::pooling_kernel(listed.kernel, u));
  }
  plot.marks.emplace_back(std::move(line));
  if (!plot.selected || scene.data().size() > kMostKeys) return plot;
  Points keys;
  keys.color = Role::key;
  for (const double x : scene.data().x) {
    const double u = (scene.query() - x) / p.bandwidth;
    if (std::abs(u) > kReach) continue;
    keys.x.push_back(u);
    keys.y.push_back(core::pooling_kernel(listed.kernel, u));
  }
  plot.marks.emplace_back(std::move(keys));
  return plot;
}

}  // namespace

Figure kernels_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("kernels", w("How weight falls with distance"), {.height = 240, .columns = 4});
  figure.note = w("click a kernel");
  figure.caption = w.format(
      "Four kernels K(u) over the distance u from query to key in bandwidths; on the {} one stand "
      "the keys of the query at {}.",
      kernel_word(scene.p.kernel, w), number(scene.query()));
  for (const Listed& listed : kKernels) figure.plots.push_back(kernel_plot(scene, listed));
  return figure;
}

Figure sweep_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Sweep& sweep = *model.sweep;
  Figure figure = new_figure("sweep", w("Which bandwidth is best"), {.span = 5, .height = 340});
  figure.caption = w.format(
      "Mean squared error of points predicted from all the others ({} kernel) against the "
      "bandwidth h; a point that no other is in reach of is predicted as 0.",
      kernel_word(p.kernel, w));
  Plot plot{.id = "sweep"};
  plot.x.label = w("bandwidth h");
  plot.x.scale = figure::AxisScale::log;
  plot.x_param = "bandwidth";
  plot.y.label = w("left-out error");
  Line line;
  line.x = sweep.bandwidths;
  line.y = sweep.errors;
  line.color = Role::text;
  line.width = 2;
  if (!line.x.empty()) {
    const auto best = std::min_element(line.y.begin(), line.y.end());
    const double h = line.x[static_cast<std::size_t>(best - line.y.begin())];
    figure.note = w.format("h ≈ {}", figure::number_text(h, 2));
    plot.x.lo = std::min(line.x.front(), p.bandwidth);
    plot.x.hi = std::max(line.x.back(), p.bandwidth);
    plot.y.hi =
        1.08 * std::max(*std::max_element(line.y.begin(), line.y.end()), model.fit->left_out_error);
  } else {
    plot.x.lo = 0.01;
    plot.x.hi = 10;
    plot.note = w("at least two points are needed");
  }
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  plot.marks.emplace_back(std::move(line));
  plot.marks.emplace_back(figure::Rule{true, p.bandwidth, Role::accent, true, "h"});
  if (model.can_leave_out()) {
    Points now;
    now.x = {p.bandwidth};
    now.y = {model.fit->left_out_error};
    now.color = Role::accent;
    now.radius = 5;
    plot.marks.emplace_back(std::move(now));
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::pooling
