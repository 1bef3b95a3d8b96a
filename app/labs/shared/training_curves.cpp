#include "app/labs/shared/training_curves.h"

namespace lab {
namespace {

using core::task::Milestone;

Plot step_plot(const TrainingCourse& course, std::string id, std::string label, const Words& w) {
  Plot plot{.id = std::move(id),
            .x = {.label = w("step"), .hi = std::max(1.0, to_double(course.steps)), .link = "step"},
            .y = {.label = std::move(label)}};
  if (course.here) plot.x_param = "step";
  return plot;
}

Line curve(const TrainingCourse& course, double Milestone::*value, Color color, std::string label) {
  Line line{.color = color, .width = 1.5F, .label = std::move(label)};
  for (const Milestone& m : course.history) {
    line.x.push_back(to_double(m.step));
    line.y.push_back(m.*value);
  }
  return line;
}

void mark_step(const TrainingCourse& course, Plot& plot) {
  plot.add(Rule{true, to_double(course.step), Role::accent});
}

}  // namespace

Figure training_curves(const TrainingCourse& course, const Words& w) {
  Plot loss = step_plot(course, "loss", course.loss, w);
  Extent extent;
  const Line on_batches = curve(course, &Milestone::loss, Role::dim, w("training"));
  const Line on_held = curve(course, &Milestone::held_loss, Role::query, w("held out"));
  extent.add(on_batches.y);
  extent.add(on_held.y);
  extent.add(0);
  fit(loss.y, extent, 0.04);
  loss.y.lo = 0;
  loss.add(on_batches);
  loss.add(on_held);
  mark_step(course, loss);

  Plot accuracy = step_plot(course, "accuracy", course.accuracy, w);
  accuracy.y.hi = 1.04;
  Line share = curve(course, &Milestone::held_accuracy, Role::value, "");
  share.width = 2;
  accuracy.add(share);
  mark_step(course, accuracy);

  Plot norm = step_plot(course, "norm", w("norm of the gradient"), w);
  const Line norms = curve(course, &Milestone::gradient_norm, Role::key, "");
  Extent largest;
  largest.add(norms.y);
  largest.add(0);
  fit(norm.y, largest, 0.04);
  norm.y.lo = 0;
  norm.add(norms);
  mark_step(course, norm);

  Figure figure = new_figure("training", w("How it was learned"), {.height = 260, .columns = 3});
  figure.caption = course.caption;
  if (course.here) figure.plays = "step";
  return with(std::move(figure), std::move(loss), std::move(accuracy), std::move(norm));
}

}  // namespace lab
