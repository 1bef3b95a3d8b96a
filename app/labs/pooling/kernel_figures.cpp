// The four kernels, what each bandwidth would be worth, and the steps of training.
#include "app/figure/layout.h"
#include "app/labs/pooling/page.h"

namespace lab::pooling {
namespace {

using core::PoolingKernel;

constexpr double kReach = 3;  // in bandwidths
constexpr int kSteps = 300;   // of the curve on each side
constexpr Index kMostKeys = 2000;
constexpr std::size_t kMostDots = 60;

// In the order of PoolingKernel.
constexpr struct {
  const char *id, *word, *formula;
} kKernels[] = {{"gaussian", N_("Gaussian"), "K(u) = e^(-u²/2) / √2π"},
                {"boxcar", N_("boxcar"), "K(u) = 1/2, |u| ≤ 1"},
                {"epanechnikov", N_("Epanechnikov"), "K(u) = 3/4 (1 - u²), |u| ≤ 1"},
                {"triangular", N_("triangular"), "K(u) = 1 - |u|, |u| ≤ 1"}};
static_assert(int(PoolingKernel::gaussian) == 0 && int(PoolingKernel::boxcar) == 1 &&
              int(PoolingKernel::epanechnikov) == 2 && int(PoolingKernel::triangular) == 3);

// The curve, and on it the keys of the picked query.
Plot kernel_plot(const Scene& scene, PoolingKernel kernel) {
  const auto& [id, word, formula] = kKernels[static_cast<std::size_t>(kernel)];
  const bool chosen = kernel == scene.p.kernel;
  Plot plot{.id = fmt::format("kernel_{}", id),
            .title = scene.w(word),
            .note = formula,
            .x = {.label = "u = (q - x) / h", .lo = -kReach, .hi = kReach, .link = "u"},
            .y = {.hi = 1.1},
            .selected = chosen,
            .click = sets("kernel", id)};
  Line line{.color = chosen ? Role::accent : Role::dim, .width = 2};
  for (int k = -kSteps; k <= kSteps; ++k) {
    line.x.push_back(kReach * k / kSteps);
    line.y.push_back(core::pooling_kernel(kernel, line.x.back()));
  }
  plot.marks.emplace_back(std::move(line));
  if (!chosen || scene.data().size() > kMostKeys) return plot;
  Points keys{.color = Role::key};
  for (const double x : scene.data().x) {
    const double u = (scene.query() - x) / scene.p.bandwidth;
    if (std::abs(u) > kReach) continue;
    keys.x.push_back(u);
    keys.y.push_back(core::pooling_kernel(kernel, u));
  }
  plot.marks.emplace_back(std::move(keys));
  return plot;
}

// One value a step; a click goes to the step.
Plot step_curve(const Scene& scene, std::string id, std::string label,
                double Training::State::*value, Role color) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = std::move(id),
            .x = {.label = w("step"), .hi = to_double(p.epochs), .link = "step"},
            .y = {.label = std::move(label)},
            .click = explains("training"),
            .x_param = "step"};
  Line line{.color = color, .width = 2};
  for (const Training::State& state : model.training->states) {
    line.x.push_back(to_double(line.x.size()));
    line.y.push_back(state.*value);
  }
  Extent extent;
  extent.add(line.y);
  const double height = extent.hi - extent.lo;
  const double room = height > 0 ? 0.08 * height : std::max(1e-6, 0.1 * std::abs(extent.hi));
  plot.y.lo = extent.lo - room;
  plot.y.hi = extent.hi + room;
  plot.marks = {line};
  if (line.x.size() <= kMostDots) plot.marks.emplace_back(Points{line.x, line.y, color});
  const double step = to_double(model.step);
  plot.marks.emplace_back(Rule{true, step, Role::accent});
  plot.marks.emplace_back(Points{{step}, {model.state().*value}, Role::accent, 5});
  return plot;
}

}  // namespace

std::string kernel_word(PoolingKernel kernel, const words::Words& w) {
  return w(kKernels[static_cast<std::size_t>(kernel)].word);
}

Figure kernels_figure(const Scene& scene) {
  const auto& w = scene.w;
  Figure figure =
      new_figure("kernels", w("How weight falls with distance"), {.height = 240, .columns = 4});
  figure.note = w("click a kernel");
  figure.caption = w.format(
      "Four kernels K(u) over the distance u from query to key in bandwidths; on the {} one stand "
      "the keys of the query at {}.",
      kernel_word(scene.p.kernel, w), number(scene.query()));
  return with(std::move(figure), kernel_plot(scene, PoolingKernel::gaussian),
              kernel_plot(scene, PoolingKernel::boxcar),
              kernel_plot(scene, PoolingKernel::epanechnikov),
              kernel_plot(scene, PoolingKernel::triangular));
}

Figure sweep_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& [bandwidths, errors] = *model.sweep;
  Figure figure = new_figure("sweep", w("Which bandwidth is best"), {.span = 5, .height = 340});
  figure.caption = w.format(
      "Mean squared error of points predicted from all the others ({} kernel) against the "
      "bandwidth h; a point that no other is in reach of is predicted as 0.",
      kernel_word(p.kernel, w));
  Plot plot{.id = "sweep",
            .x = {w("bandwidth h"), 0.01, 10, figure::AxisScale::log},
            .y = {w("left-out error")},
            .x_param = "bandwidth"};
  if (bandwidths.empty()) {
    plot.note = w("at least two points are needed");
  } else {
    const auto best = std::min_element(errors.begin(), errors.end()) - errors.begin();
    figure.note = w.format("h ≈ {}", figure::number_text(bandwidths[to_size(best)], 2));
    plot.x.lo = std::min(bandwidths.front(), p.bandwidth);
    plot.x.hi = std::max(bandwidths.back(), p.bandwidth);
    plot.y.hi = 1.08 * std::max(largest_size(errors), model.fit->left_out_error);
  }
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  plot.marks = {Line{bandwidths, errors, Role::text, 2},
                Rule{true, p.bandwidth, Role::accent, true, "h"}};
  if (model.can_leave_out()) {
    plot.marks.emplace_back(Points{{p.bandwidth}, {model.fit->left_out_error}, Role::accent, 5});
  }
  return with(std::move(figure), std::move(plot));
}

Figure loss_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("loss", w("The loss, step by step"), {.span = 6, .height = 260});
  figure.note = w.format("{} at step {}", number(model.state().loss), model.step);
  figure.caption = w.format(
      "Loss over {} steps of gradient descent with learning rate {}: squared errors of {} points, "
      "each predicted from all the others, {}.",
      p.epochs, number(p.rate), model.data->size(),
      scene.mean_loss() ? w("their mean") : w("summed"));
  return with(
      std::move(figure),
      step_curve(scene, "loss", scene.mean_loss() ? w("mean squared error") : w("squared errors"),
                 &Training::State::loss, Role::bad));
}

Figure width_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("w", w("w, step by step"), {.span = 6, .height = 260});
  const double size = std::abs(model.state().w);
  figure.note =
      size > 0 ? w.format("a bandwidth of {}", number(1 / size)) : w("a bandwidth without end");
  figure.caption = w.format("w over {} steps of gradient descent from {} with learning rate {}.",
                            p.epochs, number(p.w0), number(p.rate));
  return with(std::move(figure), step_curve(scene, "w", "w", &Training::State::w, Role::query));
}

}  // namespace lab::pooling
