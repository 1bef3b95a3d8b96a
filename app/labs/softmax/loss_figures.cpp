// Cross-entropy: its gradient beside differences, its slope, and which step is best.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/layout.h"
#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

constexpr double kLeastError = 1e-17;  // shown on the logarithmic axis

// Zero has no place on a logarithmic axis; a difference that hits the slope exactly is drawn at its
// foot.
std::vector<double> on_log_axis(std::vector<double> errors) {
  for (double& error : errors) {
    if (error < kLeastError) error = kLeastError;  // NaN stays, and breaks the line
  }
  return errors;
}

Plot slope_bars(const Scene& scene, std::string id, std::string title, const VectorD& values,
                Color color, std::string_view explained) {
  Plot plot = bar_plot(std::move(id), std::move(title), values, color,
                       picks_of(scene.n(), "logit", {{"explain_loss", std::string(explained)}}));
  std::get<figure::Bars>(plot.marks.front()).marked = static_cast<int>(scene.logit());
  return plot;
}

}  // namespace

Figure gradient_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  Figure figure = new_figure("gradient", w("The gradient of the loss: p minus one-hot"),
                             {.height = 240, .columns = 3});
  figure.note = w.format("loss {:.4f} nats", loss.value);
  figure.caption = w.format(
      "Derivative of the cross-entropy with true class {} by each logit: exact, by central "
      "differences with step {:.3g}, and their difference.",
      p.label, p.step);
  Plot exact =
      slope_bars(scene, "exact", p.temperature == 1 ? w("p - onehot") : w("(p - onehot) / T"),
                 loss.gradient, Color::of_head(kWeightColor), "gradient");
  Plot central = slope_bars(scene, "central", w("central differences"), loss.central,
                            Color::of_head(kOtherColor), "difference");
  Plot error = slope_bars(scene, "error", w("differences - exact"), loss.central - loss.gradient,
                          Role::bad, "difference");
  // One scale for the two that should agree.
  for (Plot* plot : {&exact, &central}) {
    plot->y.lo = std::min(exact.y.lo, central.y.lo);
    plot->y.hi = std::max(exact.y.hi, central.y.hi);
  }
  error.note = w.format("largest: {:.2g}", loss.central_error);
  figure.plots = {std::move(exact), std::move(central), std::move(error)};
  return figure;
}

Figure slope_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  const double x = p.x(scene.logit()), slope = loss.gradient(scene.logit());
  Figure figure = new_figure("slope", w.format("The loss while logit {} moves", p.logit),
                             {.span = 6, .height = 300});
  figure.note = w.format("slope {:+.4f}", slope);
  figure.caption = w.format(
      "Cross-entropy against logit {}, the others held; the straight line has the slope of the "
      "gradient's entry, {:+.4f}. Drag the point.",
      p.logit, slope);
  Plot plot{.id = "slope"};
  plot.x.label = w.format("logit {}", p.logit);
  plot.y.label = w("loss (nats)");
  plot.x.lo = loss.along.front();
  plot.x.hi = loss.along.back();
  plot.y.hi = 1.1 * *std::max_element(loss.along_loss.begin(), loss.along_loss.end());
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  plot.click = {{"explain_loss", "loss"}};
  const double reach = 0.35 * (plot.x.hi - plot.x.lo);
  plot.marks.emplace_back(Line{loss.along, loss.along_loss, Color::of_head(kWeightColor), 2});
  plot.marks.emplace_back(Line{{x - reach, x + reach},
                               {loss.value - slope * reach, loss.value + slope * reach},
                               Role::accent,
                               1.5f,
                               true});
  figure::Handle handle;
  handle.x = x;
  handle.y = loss.value;
  handle.x_param = fmt::format("logit_{}", p.logit);
  plot.marks.emplace_back(std::move(handle));
  return with(std::move(figure), std::move(plot));
}

Figure step_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  Figure figure = new_figure("step", w("Which step is best?"), {.span = 6, .height = 300});
  figure.caption = w(
      "The largest error of estimated derivatives against the step: too large a step feels the "
      "curve (order h, or h² when central), too small a one the rounding of float64 (order 1/h).");
  Plot plot{.id = "step"};
  plot.x.label = w("step h");
  plot.y.label = w("largest error");
  plot.x.scale = plot.y.scale = figure::AxisScale::log;
  plot.x.lo = loss.steps.front();
  plot.x.hi = loss.steps.back();
  plot.y.lo = kLeastError;
  plot.y.hi = 10;
  plot.x_param = "step";
  plot.click = {{"explain_loss", "difference"}};
  plot.marks.emplace_back(
      Line{loss.steps, on_log_axis(loss.forward_errors), Role::dim, 1.5f, false, w("forward")});
  plot.marks.emplace_back(Line{loss.steps, on_log_axis(loss.central_errors),
                               Color::of_head(kOtherColor), 2, false, w("central")});
  plot.marks.emplace_back(figure::Rule{true, p.step, Role::accent, true, {}});
  if (loss.central_error >= kLeastError) {
    figure::Handle handle;
    handle.x = p.step;
    handle.y = loss.central_error;
    handle.x_param = "step";
    handle.radius = 5;
    plot.marks.emplace_back(std::move(handle));
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::softmax
