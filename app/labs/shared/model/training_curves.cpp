#include "app/labs/shared/model/training_curves.h"

namespace lab {
namespace {

using core::task::Milestone;

Plot step_plot(const Course& course, std::string id, std::string label, const Words& w) {
  Plot plot{.id = std::move(id),
            .x = {.label = w("steps of training"),
                  .hi = std::max(1.0, to_double(course.steps)),
                  .link = "step"},
            .y = {.label = std::move(label)}};
  if (course.weights == Weights::here) plot.x_param = "step";
  return plot;
}

// Curves over every step, over those at which held-out samples were evaluated, or over those taken.
enum class Of { every, looks, taken };
Line curve(const Course& course, double Milestone::*value, Of which, Color color,
           std::string label) {
  static const Index every = core::task::FitOptions().looks_every;
  Line line{.color = color, .width = 1.5F, .label = std::move(label)};
  for (const Milestone& m : course.history) {
    if (which == Of::looks && m.step % every != 0 && m.step != course.steps) continue;
    if (which == Of::taken && m.step == 0) continue;
    line.add(m.step, m.*value);
  }
  return line;
}

void mark_step(const Course& course, Plot& plot) {
  plot.add(Rule{true, course.step, Role::accent});
}

}  // namespace

Figure training_curves(const TrainingCurves& curves, const Words& w) {
  const Course& course = curves.course;
  const auto own = [&](double Milestone::*value, Of which, Color color, std::string label) {
    return curve(course, value, which, color, std::move(label));
  };
  const auto others = [&](double Milestone::*value, Color color) {
    return curve(*curves.beside, value, Of::looks, color, curves.beside_name);
  };
  Plot loss = step_plot(course, "loss", curves.loss, w);
  Extent extent;
  // One colour for each model, in all plots.
  const Line on_batches = own(&Milestone::loss, Of::every, Color(Role::value, 0.4F), w("training"));
  const Line on_held = own(&Milestone::held_loss, Of::looks, Role::value,
                           curves.held_out ? w("held out") : w("evaluated"));
  extent.add(on_batches.y);
  extent.add(on_held.y);
  extent.add(0);
  fit(loss.y, extent, 0.04);
  loss.y.lo = 0;
  if (curves.beside) loss.add(others(&Milestone::held_loss, Role::dim));
  loss.add(on_batches);
  loss.add(on_held);
  mark_step(course, loss);

  Plot accuracy = step_plot(course, "accuracy", curves.accuracy, w);
  accuracy.y.hi = 1.04;
  Line share = own(&Milestone::held_accuracy, Of::looks, Role::value, curves.name);
  share.width = 2;
  if (curves.beside) accuracy.add(others(&Milestone::held_accuracy, Role::dim));
  accuracy.add(share);
  mark_step(course, accuracy);

  Plot norm = step_plot(course, "norm", w("norm of the gradient"), w);
  const Line norms = own(&Milestone::gradient_norm, Of::taken, Role::value, "");
  Extent largest;
  largest.add(norms.y);
  largest.add(0);
  fit(norm.y, largest, 0.04);
  norm.y.lo = 0;
  norm.add(norms);
  mark_step(course, norm);

  Figure figure = new_figure("training", w("How it learned"), {.height = 260, .columns = 3});
  figure.caption = curves.caption;
  if (course.weights == Weights::here) figure.plays = "step";
  return with(std::move(figure), std::move(loss), std::move(accuracy), std::move(norm));
}

}  // namespace lab
