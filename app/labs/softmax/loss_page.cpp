// Cross-entropy: its gradient beside differences, its slope, and which step is best.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

constexpr double kLeastError = 1e-17;  // shown on the logarithmic axis

// Zero has no place on a logarithmic axis; a difference that hits the slope exactly is drawn at its
// foot.
std::vector<double> on_log_axis(std::vector<double> errors) {
  for (double& error : errors) {
    if (error < kLeastError) error = kLeastError;  // NaN stays, and breaks the line
  }
  return errors;
}

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
  const auto bars = [&scene](const char* id, std::string title, const VectorD& values, Color color,
                             std::string explained) {
    return bar_plot({id, std::move(title), values, color,
                     picks_of(1, scene.n(), "logit", sets("explain_loss", explained)),
                     scene.logit()});
  };
  Plot exact = bars("exact", p.temperature == 1 ? w("p - onehot") : w("(p - onehot) / T"),
                    loss.gradient, Color::of_head(kWeightColor), "gradient");
  Plot central = bars("central", w("central differences"), loss.central,
                      Color::of_head(kOtherColor), "difference");
  Plot error = bars("error", w("differences - exact"), loss.central - loss.gradient, Role::bad,
                    "difference");
  // One scale for the two that should agree.
  exact.y.lo = central.y.lo = std::min(exact.y.lo, central.y.lo);
  exact.y.hi = central.y.hi = std::max(exact.y.hi, central.y.hi);
  error.note = w.format("largest: {:.2g}", loss.central_error);
  return with(std::move(figure), std::move(exact), std::move(central), std::move(error));
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
  Plot plot{.id = "slope", .click = sets("explain_loss", "loss")};
  plot.x = {w.format("logit {}", p.logit), loss.along.front(), loss.along.back()};
  plot.y.label = w("loss (nats)");
  plot.y.hi = 1.1 * *std::max_element(loss.along_loss.begin(), loss.along_loss.end());
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  const double reach = 0.35 * (plot.x.hi - plot.x.lo);
  plot.marks = {
      Line{loss.along, loss.along_loss, Color::of_head(kWeightColor), 2},
      Line{{x - reach, x + reach},
           {loss.value - slope * reach, loss.value + slope * reach},
           Role::accent,
           1.5f,
           true},
      figure::Handle{.x = x, .y = loss.value, .x_param = fmt::format("logit_{}", p.logit)}};
  return with(std::move(figure), std::move(plot));
}

Figure step_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  Figure figure = new_figure("step", w("Which step is best?"), {.span = 6, .height = 300});
  figure.caption = w(
      "The largest error of estimated derivatives against the step: too large a step feels the "
      "curve (order h, or h² when central), too small a one the rounding of float64 (order 1/h).");
  Plot plot{.id = "step", .click = sets("explain_loss", "difference"), .x_param = "step"};
  plot.x = {w("step h"), loss.steps.front(), loss.steps.back(), figure::AxisScale::log};
  plot.y = {w("largest error"), kLeastError, 10, figure::AxisScale::log};
  plot.marks = {
      Line{loss.steps, on_log_axis(loss.forward_errors), Role::dim, 1.5f, false, w("forward")},
      Line{loss.steps, on_log_axis(loss.central_errors), Color::of_head(kOtherColor), 2, false,
           w("central")},
      Rule{true, p.step, Role::accent}};
  if (loss.central_error >= kLeastError) {
    plot.marks.emplace_back(
        figure::Handle{.x = p.step, .y = loss.central_error, .x_param = "step", .radius = 5});
  }
  return with(std::move(figure), std::move(plot));
}

std::vector<Readout> loss_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  const double slope = loss.gradient(scene.logit());
  std::vector<Readout> all = row_readouts(scene);
  for (Readout& more : std::vector<Readout>{
           jacobian_size(scene),
           {"loss", w("Loss"), loss.value, w.format("{:.4f} nats", loss.value),
            w("-log of the true class's probability")},
           {"gradient", w("Picked gradient"), slope, weight_text(slope),
            w("Of the loss by the picked logit")},
           {"central_error", w("Error of central differences"), loss.central_error,
            fmt::format("{:.2e}", loss.central_error), w("The largest of an entry")},
           {"forward_error", w("Error of forward differences"), loss.forward_error,
            fmt::format("{:.2e}", loss.forward_error), w("The largest of an entry")}}) {
    all.push_back(std::move(more));
  }
  return finite(std::move(all));
}

void write_gradient(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index j = scene.logit();
  const bool own = j == scene.label();
  const std::string letters = fmt::format("p{0} - [{0} = y]", p.logit);
  d.begin(fmt::format("dL/dx{}", p.logit), p.temperature == 1 ? letters : "(" + letters + ") / T");
  write_quotient(scene, j, d);
  d.begin("y", fmt::format("{}", p.label));
  const std::string difference = fmt::format("{} - {}", long_weight(m.row.p(j)), own ? 1 : 0);
  d.about(p.temperature == 1 ? difference : "(" + difference + ")" + over(p.temperature));
  d.about_result(weight_text(m.loss->gradient(j)));
  d.say(own ? w("The true class: negative, so a step against the gradient raises its logit, the "
                "more the less likely it was.")
            : w("Another class: positive, so a step against the gradient lowers its logit, by as "
                "much as it was believed."));
  d.is("Σ dL/dx", fmt::format("≈ {:.1g}", m.loss->gradient.sum()));
  d.say(w("All entries together are 0: what one class gains the others lose."));
}

void write_loss(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const double T = p.temperature, total = m.row.max / T + std::log(m.row.sum);
  d.begin("L", fmt::format("-log p{}", p.label));
  write_quotient(scene, scene.label(), d);
  d.begin("L", T == 1 ? "log Σ exp(x) - x" : "log Σ exp(x/T) - x/T");
  d.about(fmt::format("{:.4f} - {}", total, bracketed(fixed(m.row.x(scene.label()) / T, 4))));
  d.line("", {accented("≈ " + w.format("{:.4f} nats", m.loss->value))});
  d.say(w("0 when the true class has all weight; ln of their number when all weigh the same."));
}

// In full: the error is what the last digits differ by.
void write_difference(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index j = scene.logit();
  const Loss& loss = *m.loss;
  const auto error = [&](double estimate) {
    d.is(scene.w("error"), fmt::format("≈ {:.2g}", estimate - loss.gradient(j)));
  };
  d.begin(w("central"), "(L(x+h) - L(x-h)) / 2h").is("h", fmt::format("≈ {:.6g}", p.step));
  d.about_result(significant(loss.central(j), 17));
  d.is(w("exact"), "≈ " + significant(loss.gradient(j), 17));
  error(loss.central(j));
  d.begin(w("forward"), "(L(x+h) - L(x)) / h").about(significant(loss.forward(j), 17));
  error(loss.forward(j));
  d.say(
      w("The curve bends the estimate by about h² times the third derivative, rounding by about "
        "1e-16 divided by h. The best central step lies near the cube root of 1e-16, about 5e-6; "
        "a forward one near 1e-8."));
}

Explanation explain_loss(const Scene& scene) {
  const auto& [p, m, w] = scene;
  constexpr std::array kWriters{write_gradient, write_loss, write_difference};
  const std::array titles{w.format("The loss by logit {}", p.logit), w("The loss"),
                          w.format("The loss by logit {}, estimated", p.logit)};
  const auto which = static_cast<std::size_t>(p.explained_loss);
  Derivation d(w);
  kWriters[which](scene, d);
  return {titles[which], d.take()};
}

}  // namespace

Page loss_page(const Scene& scene) {
  Page page;
  page.figures = {row_figure(scene), gradient_figure(scene), slope_figure(scene),
                  step_figure(scene)};
  page.readouts = loss_readouts(scene);
  page.formula = "\\frac{\\partial L}{\\partial x_{j}} = \\frac{p_{j} - \\delta_{jy}}{T}";
  page.explanation = explain_loss(scene);
  page.status = row_status(scene);
  return page;
}

}  // namespace lab::softmax
