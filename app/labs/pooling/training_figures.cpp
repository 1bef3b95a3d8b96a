// Loss and w over the steps of training.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/pooling/page.h"

namespace lab::pooling {
namespace {

using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Points;
using figure::Role;

constexpr std::size_t kMostDots = 60;

// One value a step; a click goes to the step.
Plot curve(const Scene& scene, std::string id, std::string label, double Training::State::*value,
           figure::Color color) {
  const auto& [p, model, w] = scene;
  Plot plot{.id = std::move(id)};
  plot.x = {w("step"), 0, to_double(p.epochs)};
  plot.x.link = "step";
  plot.x_param = "step";
  plot.click = {{"explain", "training"}};
  plot.y.label = std::move(label);
  Line line;
  Points dots;
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (std::size_t k = 0; k < model.training->states.size(); ++k) {
    const double y = model.training->states[k].*value;
    lo = std::min(lo, y);
    hi = std::max(hi, y);
    line.x.push_back(static_cast<double>(k));
    line.y.push_back(y);
  }
  const double room = hi > lo ? 0.08 * (hi - lo) : std::max(1e-6, 0.1 * std::abs(hi));
  plot.y.lo = lo - room;
  plot.y.hi = hi + room;
  line.color = dots.color = color;
  line.width = 2;
  if (line.x.size() <= kMostDots) {
    dots.x = line.x;
    dots.y = line.y;
  }
  plot.marks.emplace_back(std::move(line));
  if (!dots.x.empty()) plot.marks.emplace_back(std::move(dots));
  plot.marks.emplace_back(
      figure::Rule{true, static_cast<double>(model.step), Role::accent, true, {}});
  Points now;
  now.x = {static_cast<double>(model.step)};
  now.y = {model.state().*value};
  now.color = Role::accent;
  now.radius = 5;
  plot.marks.emplace_back(std::move(now));
  return plot;
}

}  // namespace

Figure loss_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("loss", w("The loss falls"));
  const bool mean = p.loss == Loss::mean;
  figure.note = w.format("{} at step {}", number(model.state().loss), model.step);
  figure.caption = w.format(
      "Loss over {} steps of gradient descent with learning rate {}: squared errors of {} points, "
      "each predicted from all the others, {}.",
      p.epochs, number(p.rate), scene.data().size(), mean ? w("their mean") : w("summed"));
  figure.span = 6;
  figure.height = 260;
  figure.plots.push_back(curve(scene, "loss", mean ? w("mean squared error") : w("squared errors"),
                               &Training::State::loss, Role::bad));
  return figure;
}

Figure width_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("w", w("w grows until the kernel is narrow enough"));
  const double size = std::abs(model.state().w);
  figure.note =
      size > 0 ? w.format("a bandwidth of {}", number(1 / size)) : w("a bandwidth without end");
  figure.caption = w.format("w over {} steps of gradient descent from {} with learning rate {}.",
                            p.epochs, number(p.w0), number(p.rate));
  figure.span = 6;
  figure.height = 260;
  figure.plots.push_back(curve(scene, "w", "w", &Training::State::w, Role::query));
  return figure;
}

}  // namespace lab::pooling
