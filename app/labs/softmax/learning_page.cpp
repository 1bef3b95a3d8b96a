// What each logit does to each weight, and cross-entropy: its gradient beside differences, its
// slope, and which step is best.
#include "app/labs/softmax/page.h"

namespace lab::softmax {
namespace {

// --- of both

Readout jacobian_size(const Scene& scene) {
  const double size = scene.model.row.jacobian_norm;
  return {
      "jacobian_norm", scene.w("Size of the Jacobian"), size, significant(size, 4),
      scene.w("Root of the sum of squares of all entries; 0 means that no logit moves any weight")};
}

// A weight with so many digits that its distance to 0 and to 1 can be read off.
std::string long_weight(double weight) {
  if (weight <= 0.5 || weight >= 1) return significant(weight);
  return fixed(weight, std::min(15, 6 - to_int(std::floor(std::log10(1 - weight)))));
}

// " / 2", or nothing at T = 1.
std::string over(double temperature) {
  return temperature == 1 ? "" : " / " + significant(temperature, 8);
}

// p_i as a quotient of exponentials.
void write_quotient(const Scene& scene, Index i, Derivation& d) {
  const Row& row = scene.model.row;
  const std::string own = significant(row.exps(i)), sum = significant(row.sum);
  d.is(fmt::format("p{}", i + 1), fmt::format("≈ {} / {} ≈ {}", own, sum, long_weight(row.p(i))));
}

// --- the Jacobian, its picked column, and how it vanishes

Figure jacobian_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("jacobian", w("The Jacobian: how each logit changes each weight"),
                             {.span = 6, .height = 400});
  figure.caption = w.format(
      "d p_i / d x_j at temperature {:.4g}; row: weight i, column: logit j. The diagonal is "
      "positive, all else negative; every row and every column sums to 0.",
      p.temperature);
  Plot plot{.id = "jacobian",
            .x = counted_axis(w("logit j"), scene.n()),
            .y = counted_axis(w("weight i"), scene.n()),
            .square = true,
            .x_param = "logit",
            .y_param = "weight"};
  plot.x.color = Color::of_head(kLogitColor);
  plot.y.color = Color::of_head(kWeightColor);
  Heatmap map = lab::heatmap(m.jacobian);
  map.pinned = {scene.weight(), scene.logit()};
  plot.add(std::move(map));
  const double row_sum = m.jacobian.row(scene.weight()).sum();
  figure.footer = {{w.format("picked: {}", weight_text(m.jacobian(scene.weight(), scene.logit()))),
                    Role::accent, TextStyle::label},
                   {w.format("sum of its row: {:.1g}", row_sum), Role::dim}};
  return with(std::move(figure), std::move(plot));
}

Figure column_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("column", w.format("When logit {} rises", p.logit),
                             {.span = 6, .height = 400, .columns = 1});
  figure.note = w("one rises, the others fall");
  figure.caption = w.format(
      "Above: how fast each weight changes with logit {}. Below: the size of the whole Jacobian "
      "(Frobenius norm) against the temperature; at both ends nothing can be learned.",
      p.logit);
  const std::vector<double>& norms = m.sweep->jacobian_norm;
  Plot norm = temperature_plot(scene, "norm", w("size of the Jacobian"));
  norm.y.hi = 1.15 * *std::max_element(norms.begin(), norms.end());
  if (!(norm.y.hi > 0)) norm.y.hi = 1;
  norm.add(Line{m.sweep->temperatures, norms, Color::of_head(kWeightColor), 2});
  mark_temperature(scene, m.row.jacobian_norm, norm);
  const VectorD column = m.jacobian.col(scene.logit());
  return with(
      std::move(figure),
      bar_plot({"column", w.format("d p / d x{}", p.logit), column, Color::of_head(kWeightColor),
                picks_of(1, scene.n(), "weight"), scene.weight()}),
      std::move(norm));
}

std::vector<Readout> entry_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const double entry = m.jacobian(scene.weight(), scene.logit());
  std::vector<Readout> all = row_readouts(scene);
  all.push_back(jacobian_size(scene));
  all.push_back({"entry", w("Picked entry"), entry, weight_text(entry),
                 w("How much the picked weight changes for a small change of the picked logit")});
  return finite(std::move(all));
}

Explanation explain_entry(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Index i = scene.weight(), j = scene.logit();
  Derivation d(w);
  write_quotient(scene, i, d);
  if (i != j) write_quotient(scene, j, d);
  d.begin(fmt::format("dp{}/dx{}", p.weight, p.logit),
          p.temperature == 1 ? "p_i ([i = j] - p_j)" : "p_i ([i = j] - p_j) / T");
  d.about(fmt::format("{} ({} - {}){}", long_weight(m.row.p(i)), i == j ? 1 : 0,
                      long_weight(m.row.p(j)), over(p.temperature)));
  d.about_result(weight_text(m.jacobian(i, j)));
  d.say(i == j ? w("A weight rises with its own logit, fastest when it is one half.")
               : w("A weight falls when another logit rises, in proportion to both weights."));
  std::vector<Derivation::Term> terms;
  for (Index k = 0; k < scene.n(); ++k) {
    terms.push_back({fixed(m.jacobian(k, j), 4), fmt::format("dp{}/dx{}", k + 1, p.logit)});
  }
  d.is(w.format("column {}", p.logit), "Σ_i ≈ 0").terms(terms, to_size(i));
  d.say(w("The weights always add up to 1, so their changes add up to 0."));
  return {w.format("How logit {} changes weight {}", p.logit, p.weight), d.take()};
}

// --- the loss

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
  const auto bars = [&scene](const char* id, std::string title, const VectorD& values,
                             const Color& color, const std::string& explained) {
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

Figure tangent_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  const double x = p.x(scene.logit()), gradient = loss.gradient(scene.logit());
  Figure figure = new_figure("slope", w.format("The loss while logit {} moves", p.logit),
                             {.span = 6, .height = 300});
  figure.note = w.format("slope {:+.4f}", gradient);
  figure.caption = w.format(
      "Cross-entropy against logit {}, the others fixed; the straight line has the slope of the "
      "gradient's entry, {:+.4f}.",
      p.logit, gradient);
  figure.pointer_caption = w("Drag the point.");
  Plot plot{.id = "slope", .click = sets("explain_loss", "loss")};
  plot.x = {w.format("logit {}", p.logit), loss.along.front(), loss.along.back()};
  plot.y.label = w("loss (nats)");
  plot.y.hi = 1.1 * *std::max_element(loss.along_loss.begin(), loss.along_loss.end());
  if (!(plot.y.hi > 0)) plot.y.hi = 1;
  const double reach = 0.35 * (plot.x.hi - plot.x.lo);
  plot.marks = {Line{loss.along, loss.along_loss, Color::of_head(kWeightColor), 2},
                Line{{x - reach, x + reach},
                     {loss.value - gradient * reach, loss.value + gradient * reach},
                     Role::accent,
                     1.5f,
                     true},
                Handle{.x = x, .y = loss.value, .x_param = fmt::format("logit_{}", p.logit)}};
  return with(std::move(figure), std::move(plot));
}

Figure step_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  Figure figure = new_figure("step", w("Which step is best?"), {.span = 6, .height = 300});
  figure.caption =
      w("The largest error of estimated derivatives against the step: a step that is too large "
        "adds an error of curvature (order h, or h² when central), one that is too small an error "
        "of float64 rounding (order 1/h).");
  Plot plot{.id = "step", .click = sets("explain_loss", "difference"), .x_param = "step"};
  plot.x = log_axis(w("step h"), loss.steps.front(), loss.steps.back());
  plot.y = log_axis(w("largest error"), kLeastError, 10);
  plot.marks = {
      Line{loss.steps, on_log_axis(loss.forward_errors), Role::dim, 1.5f, false, w("forward")},
      Line{loss.steps, on_log_axis(loss.central_errors), Color::of_head(kOtherColor), 2, false,
           w("central")},
      Rule{true, p.step, Role::accent}};
  if (loss.central_error >= kLeastError) {
    plot.add(Handle{.x = p.step, .y = loss.central_error, .x_param = "step", .radius = 5});
  }
  return with(std::move(figure), std::move(plot));
}

std::vector<Readout> loss_readouts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const Loss& loss = *m.loss;
  const double gradient = loss.gradient(scene.logit());
  std::vector<Readout> all = row_readouts(scene);
  all.insert(all.end(),
             {jacobian_size(scene),
              {"loss", w("Loss"), loss.value, w.format("{:.4f} nats", loss.value),
               w("-log of the true class's probability")},
              {"gradient", w("Picked gradient"), gradient, weight_text(gradient),
               w("Of the loss with respect to the picked logit")},
              {"central_error", w("Error of central differences"), loss.central_error,
               fmt::format("{:.2e}", loss.central_error), w("The largest over all entries")},
              {"forward_error", w("Error of forward differences"), loss.forward_error,
               fmt::format("{:.2e}", loss.forward_error), w("The largest over all entries")}});
  return finite(std::move(all));
}

void write_gradient(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index j = scene.logit();
  const bool own = j == scene.label();
  const std::string letters = fmt::format("p{0} - [{0} = y]", p.logit);
  write_quotient(scene, j, d);
  d.begin("y", fmt::format("{}", p.label));
  d.begin(fmt::format("dL/dx{}", p.logit), p.temperature == 1 ? letters : "(" + letters + ") / T");
  const std::string difference = fmt::format("{} - {}", long_weight(m.row.p(j)), own ? 1 : 0);
  d.about(p.temperature == 1 ? difference : "(" + difference + ")" + over(p.temperature));
  d.about_result(weight_text(m.loss->gradient(j)));
  d.say(own ? w("The true class: negative, so a step against the gradient raises its logit, more "
                "if it was less likely.")
            : w("Another class: positive, so a step against the gradient lowers its logit, in "
                "proportion to its probability."));
  d.is("Σ dL/dx", fmt::format("≈ {:.1g}", m.loss->gradient.sum()));
  d.say(w("All entries add up to 0: what one class gains, the others lose."));
}

void write_loss(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const double T = p.temperature, total = m.row.max / T + std::log(m.row.sum);
  d.begin("L", fmt::format("-log p{}", p.label));
  write_quotient(scene, scene.label(), d);
  d.begin("L", T == 1 ? "log Σ exp(x) - x" : "log Σ exp(x/T) - x/T");
  d.about(fmt::format("{:.4f} - {}", total, bracketed(fixed(m.row.x(scene.label()) / T, 4))));
  d.line("", {accented("≈ " + w.format("{:.4f} nats", m.loss->value))});
  d.say(w(
      "0 when the true class has all the weight; ln of the number of classes when all are equal."));
}

// In full: the error is what the last digits differ by.
void write_difference(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const Index j = scene.logit();
  const Loss& loss = *m.loss;
  const auto error = [&](double estimate) {
    d.is(scene.w("error"), fmt::format("≈ {:.2g}", estimate - loss.gradient(j)));
  };
  d.is("h", fmt::format("≈ {:.6g}", p.step)).begin(w("central"), "(L(x+h) - L(x-h)) / 2h");
  d.about_result(significant(loss.central(j), 17));
  d.is(w("exact"), "≈ " + significant(loss.gradient(j), 17));
  error(loss.central(j));
  d.begin(w("forward"), "(L(x+h) - L(x)) / h").about(significant(loss.forward(j), 17));
  error(loss.forward(j));
  d.say(
      w("Curvature shifts the estimate by about h² times the third derivative, rounding by about "
        "1e-16 divided by h. The best step is near the cube root of 1e-16, about 5e-6, for central "
        "differences, and near 1e-8 for forward ones."));
}

Explanation explain_loss(const Scene& scene) {
  const auto& [p, m, w] = scene;
  constexpr std::array kWriters{write_gradient, write_loss, write_difference};
  const std::array titles{w.format("Derivative of the loss by logit {}", p.logit), w("The loss"),
                          w.format("Derivative by logit {}, estimated", p.logit)};
  const auto which = to_size(p.explained_loss);
  Derivation d(w);
  kWriters[which](scene, d);
  return {titles[which], d.take()};
}

}  // namespace

Page jacobian_page(const Scene& scene) {
  Page page;
  page.figures = {row_figure(scene), jacobian_figure(scene), column_figure(scene)};
  page.readouts = entry_readouts(scene);
  page.formula =
      "\\frac{\\partial p_{i}}{\\partial x_{j}} = \\frac{p_{i}\\left(\\delta_{ij} - "
      "p_{j}\\right)}{T}";
  page.explanation = explain_entry(scene);
  page.status = row_status(scene);
  return page;
}

Page loss_page(const Scene& scene) {
  Page page;
  page.figures = {row_figure(scene), gradient_figure(scene), tangent_figure(scene),
                  step_figure(scene)};
  page.readouts = loss_readouts(scene);
  page.formula = "\\frac{\\partial L}{\\partial x_{j}} = \\frac{p_{j} - \\delta_{jy}}{T}";
  page.explanation = explain_loss(scene);
  page.status = row_status(scene);
  return page;
}

}  // namespace lab::softmax
