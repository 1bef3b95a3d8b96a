// How it was learned: curves over steps, by place and by length.
#include "app/labs/gpt_training/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/model/training_curves.h"

namespace lab::gpt_training {
namespace {

using core::task::Milestone;

// A measure of heads over the steps at which it was looked for.
Line measure(const LearnedStory& story, core::task::LookedHeads which, Color color,
             std::string label) {
  Line line{.color = color, .width = 2, .label = std::move(label)};
  const Index every = core::task::FitOptions().looks_every;
  for (const Milestone& m : story.history) {
    if (m.more.size() <= which || (m.step % every != 0 && m.step != story.steps)) continue;
    line.add(m.step, m.more[which]);
  }
  return line;
}

// Whether the curves are of equals.
std::string compared_caption(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto& beside = core::task::recipe(core::task::kComparedRecipes[0]);
  std::string text = w.format(
      "All shipped models have {} layers of {} heads, d_model {}, {} steps, and the same learning "
      "rate, batch and task; of {} trainings of each scheme the middle one is shown.",
      beside.form.layers, beside.form.layer.heads, beside.form.layer.d_model, beside.steps,
      std::size(core::task::kComparedSeeds));
  if (model.unlike.empty()) return text;
  std::string list;
  for (const Unlike& one : model.unlike) {
    list += (list.empty() ? "" : ", ") +
            w.format("{} {:g}, shipped {:g}", w(one.what), one.own, one.theirs);
  }
  return w.format("{} This page's model is not comparable: {}.", text, list);
}

}  // namespace

Figure curves_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const LearnedStory& learned = model.learned;
  const LearnedStory* beside = model.one_layer ? &*model.one_layer : nullptr;
  const core::task::FitOptions options;
  const bool held = core::task::holds_out(scene.task());
  return training_curves(
      {.course = learned,
       .loss = w("loss (nats per token)"),
       .accuracy = held ? w("accuracy (held out)") : w("tokens right"),
       .caption =
           held ? w.format("Training (steps: {}): the loss on the sequences of each step and on "
                           "held-out ones; the share of right answers on the held-out ones, every "
                           "{} steps; and the norm of the gradient before it is clipped to {:g}.",
                           learned.steps, options.looks_every, options.optimizer.clip)
                : w.format("Training (steps: {}): the loss on the sequences of each step and on "
                           "others of the same text, none of which is held out; the share of their "
                           "tokens that are right, every {} steps; and the norm of the gradient "
                           "before it is clipped to {:g}.",
                           learned.steps, options.looks_every, options.optimizer.clip),
       .name = beside ? w.format("{} layers", learned.layers()) : "",
       .beside = beside,
       .beside_name = w("one layer"),
       .held_out = held},
      w);
}

Figure heads_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const LearnedStory& learned = model.learned;
  Plot plot{.id = "heads",
            .x = {.label = w("steps of training"),
                  .hi = std::max(1.0, to_double(learned.steps)),
                  .link = "step"},
            .y = {.label = w("mean weight, best head"), .hi = 1.04}};
  if (learned.weights == Weights::here) plot.x_param = "step";
  using namespace core::task;  // NOLINT: the measures
  if (model.one_layer) {
    plot.add(measure(*model.one_layer, kInduction, Role::dim, w("induction, one layer")));
  }
  plot.add(measure(learned, kPreviousToken, Role::query, w("previous token")));
  plot.add(measure(learned, kInduction, Role::key, w("induction")));
  Line right = measure(learned, kRightPosition, Role::value, w("right place"));
  right.dashed = true;
  plot.add(std::move(right));
  plot.add(Rule{true, learned.step, Role::accent});
  Figure figure = new_figure("heads", w("What the heads learn to do"), {.span = 7, .height = 320});
  figure.caption = w.format(
      "The largest mean weight of any head over some sequences: on the previous token, on tokens "
      "that followed earlier occurrences (induction), and on the token that determines the next "
      "one.");
  return with(std::move(figure), std::move(plot));
}

Figure places_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const core::task::PositionScore& places = *model.places;
  Plot plot{.id = "places",
            .x = {.label = w("position in the sequence (tokens)")},
            .y = {.label = w("loss (nats)")}};
  Line line{.color = Role::value, .width = 2};
  Extent at, loss;
  loss.add(0);
  for (std::size_t t = 0; t < places.counted.size(); ++t) {
    if (places.counted[t] == 0) continue;
    line.add(t, places.loss[t]);
    at.add(line.x.back());
    loss.add(line.y.back());
  }
  fit(plot.x, at, 0.02);
  fit(plot.y, loss, 0.06);
  plot.y.lo = 0;
  plot.add(std::move(line));
  plot.add(Rule{true, model.place, Role::accent});
  Figure figure = new_figure("places", w("Loss by position"), {.span = 5, .height = 320});
  figure.caption =
      w.format(core::task::holds_out(scene.task())
                   ? N_("The mean loss of the token after each position, over {} held-out "
                        "sequences. Where it falls, the context begins to predict the next token.")
                   : N_("The mean loss of the token after each position, over {} sequences of the "
                        "text, none of which is held out. Where it falls, the context begins to "
                        "predict the next token."),
               kScoredByPosition);
  return with(std::move(figure), std::move(plot));
}

Figure lengths_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  using core::task::Story;
  const Story story = scene.task().story;
  Plot plot{
      .id = "lengths",
      .x = {.label = story == Story::induction  ? w("length (tokens)")
                     : story == Story::brackets ? w("pairs of brackets")
                                                : w("symbols read")},
      .y = {.label = story == Story::induction || story == Story::brackets ? w("tokens right")
                                                                           : w("right answers"),
            .lo = -0.02,
            .hi = 1.16}};
  const Color colors[] = {Role::value, Role::query, Role::key,  Role::dim,
                          Role::text,  Role::query, Role::value};
  Extent lengths;
  bool ends = false;
  for (std::size_t k = model.lengths.size(); k-- > 0;) {
    const LengthCurve& curve = model.lengths[k];
    const Color color = curve.own ? Color(Role::accent) : colors[k % std::size(colors)];
    Line line{.color = color,
              .width = curve.own ? 3.0F : 1.5F,
              .dashed = k > 3,
              .label = scheme_name(curve.scheme, w)};
    for (std::size_t i = 0; i < curve.lengths.size(); ++i) {
      line.add(curve.lengths[i], curve.right[i]);
      lengths.add(line.x.back());
    }
    ends |= curve.ends;
    plot.add(Points{line.x, line.y, color, curve.own ? 4.0F : 2.5F});
    plot.add(std::move(line));
  }
  fit(plot.x, lengths, 0.03);
  const Index longest = story == Story::induction ? scene.task().length : scene.task().longest;
  plot.add(Rule{true, to_double(longest) + 0.5, Role::dim, true, w("longest trained")});
  Figure figure = new_figure("lengths", w("Accuracy by length, within training and beyond"),
                             {.span = 7, .height = 320});
  figure.caption = w.format(
      "The share of {} sequences of each length answered right; lengths beyond the dashed line "
      "were not trained on.",
      core::task::sequences_of_a_length(story));
  if (ends) {
    figure.caption =
        w.format("{} {}", figure.caption,
                 w("Learned positions end where training ended: they have no rows beyond."));
  }
  if (model.lengths.size() > 1) {
    figure.span = 12;
    figure.caption = w.format("{} {}", figure.caption, compared_caption(scene));
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::gpt_training
