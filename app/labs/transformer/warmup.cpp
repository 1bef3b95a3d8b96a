// A small decoder that learns to write letters, with and without warm-up.
#include "app/labs/transformer/page.h"
#include "core/task/depth/letter_model.h"

namespace lab::transformer {
namespace {

Line loss_line(const Trained<WarmUp>& run, Color color, std::string label) {
  return {.x = places(std::ssize(run.scalars)),
          .y = each(run.scalars, [](const auto& of_step) { return of_step.front(); }),
          .color = color,
          .width = 2,
          .label = std::move(label)};
}

}  // namespace

Figure warmup_figure(const Scene& scene) {
  const auto& w = scene.w;
  const WarmUps& runs = *scene.warmups;
  Figure figure = new_figure("warmup", w("Learning with and without warm-up"), {.height = 300});
  figure.note = w.format("{} layers, rate {}", core::task::kWarmUpLayers, scene.p.rate);
  figure.caption = w.format(
      "The loss of a decoder of {} layers that learns to write letters, step by step: at the full "
      "rate at once, or rising to it during warm-up (steps: {}). Dashed: the loss of knowing "
      "letter frequencies alone; attention has learned nothing while the loss stays there.",
      core::task::kWarmUpLayers, scene.p.warmup);
  figure.plays = "steps";
  return lab::with(std::move(figure),
                   Plot{.id = "warmup",
                        .x = value_axis(w("step"), 0, std::max(1, scene.p.steps)),
                        .y = {w("loss (nats)"), 0, 4.5},
                        .marks = {Rule{.vertical = false,
                                       .at = core::task::letter_entropy(runs.text),
                                       .label = w("letters by how often they come")},
                                  loss_line(runs.without, Role::bad, w("without warm-up")),
                                  loss_line(runs.with, Role::good, w("with warm-up"))}});
}

}  // namespace lab::transformer
