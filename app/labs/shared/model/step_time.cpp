#include "app/labs/shared/model/step_time.h"

#include "core/timing/measure_seconds.h"

namespace lab {
namespace {

using core::task::Milestone, core::task::PairFit;

// What is timed: this training, from these numbers on.
struct Timing {
  core::task::PairTask task;
  core::task::TranslatorForm form;
  core::task::FitOptions options;
  int measurement = 0;
  bool operator==(const Timing&) const = default;
};

StepTime time_steps(const Timing& of, const Run& run) {
  constexpr int kMost = 15;
  constexpr double kPatience = 2;  // seconds, of which three steps may take longer
  const PairFit fit(of.task, of.form, of.options);
  PairFit::State state = fit.begin(run.threads);
  std::vector<double> all;
  double spent = 0;
  // The first one makes room for the others.
  for (int k = 0; k <= kMost && (all.size() < 3 || spent < kPatience); ++k) {
    run.cancel.poll();
    const double seconds = core::measure_seconds([&] { fit.step(state, run.threads); });
    spent += seconds;
    if (k > 0 && state.optimizer.steps() % of.options.looks_every != 0) all.push_back(seconds);
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return {*middle, to_index(all.size())};
}

Plot against_time(std::string id, std::string label, double last, const Words& w) {
  return {.id = std::move(id),
          .x = {.label = w("seconds of training on this machine"), .hi = last, .link = "seconds"},
          .y = {.label = std::move(label)}};
}

Line curve(const Timed& course, double Milestone::*value, Color color) {
  static const Index every = core::task::FitOptions().looks_every;
  Line line{.color = color, .width = 2, .label = course.name};
  for (const Milestone& m : course.learned->history) {
    if (m.step % every != 0 && m.step != course.learned->steps) continue;
    line.add(course.seconds_at(m.step), m.*value);
  }
  return line;
}

}  // namespace

StepTime step_time(const Learned& learned, const TrainingKnobs& knobs, int measurement,
                   const Context& context) {
  return *context.stage(learned.name + " step time", time_steps,
                        Timing{learned.task(), learned.form, fit_options(knobs), measurement});
}

std::optional<double> Timed::learned_after() const {
  constexpr double kLearned = 0.9;
  for (const Milestone& m : learned->history) {
    if (m.held_accuracy >= kLearned) return seconds_at(m.step);
  }
  return {};
}

std::string seconds_text(double seconds) {
  return seconds < 1 ? significant(seconds * 1e3, 3) + " ms" : significant(seconds, 3) + " s";
}

Figure time_figure(const std::vector<Timed>& courses, const Words& w) {
  double last = 0;
  for (const Timed& course : courses)
    last = std::max(last, course.seconds_at(course.learned->steps));
  Plot loss = against_time("loss_time", w("held-out loss (nats per token)"), last, w);
  Plot right = against_time("accuracy_time", w("accuracy of texts (held out)"), last, w);
  right.y.hi = 1.04;
  Extent extent;
  extent.add(0);
  std::string steps;  // "12.3 ms; Recurrent: 4 ms"
  for (const Timed& course : courses) {
    Line losses = curve(course, &Milestone::held_loss, course.loss);
    extent.add(losses.y);
    loss.add(std::move(losses));
    right.add(curve(course, &Milestone::held_accuracy, course.accuracy));
    const std::string time = seconds_text(course.time.seconds);
    const std::string step = course.name.empty() ? time : w.format("{}: {}", course.name, time);
    steps = steps.empty() ? step : w.format("{}; {}", steps, step);
  }
  fit(loss.y, extent, 0.04);
  loss.y.lo = 0;
  Figure figure = new_figure("time", w("Against time"), {.height = 260, .columns = 2});
  figure.caption = w.format(
      "The same curves over seconds: the step number times the time per step here, the median of "
      "{} timed just now ({}). Drawing batches is included, evaluating held-out texts is not.",
      courses.front().time.steps, steps);
  return with(std::move(figure), std::move(loss), std::move(right));
}

}  // namespace lab
