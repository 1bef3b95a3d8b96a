#include "app/labs/shared/model/learned.h"

#include "app/labs/shared/parts.h"

namespace lab {

using core::task::Milestone;

core::task::FitOptions fit_options(const TrainingKnobs& knobs) {
  core::task::FitOptions options;
  options.schedule.rate = knobs.rate;
  options.schedule.warmup = knobs.warmup;
  if (knobs.cosine) {
    options.schedule.kind = core::model::Schedule::Kind::cosine;
    options.schedule.steps = knobs.steps;
    options.schedule.last = 0.05;
  }
  options.batch = knobs.batch;
  options.smoothing = knobs.smoothing;
  options.seed = static_cast<std::uint64_t>(knobs.seed);
  return options;
}

Weights weights_of(const TrainingKnobs& knobs, bool shipped) {
  if (!knobs.file.empty()) return Weights::file;
  return knobs.weights == Weights::shipped && shipped ? Weights::shipped : Weights::here;
}

void describe_weights(TrainingKnobs& knobs, std::string_view file, bool shipped,
                      param::List& list) {
  list.choice_of(knobs.weights, {Weights::shipped, Weights::here}, "weights", N_("Weights"),
                 N_("Already trained, or trained here from scratch while you watch"),
                 {{"shipped", N_("already trained")}, {"here", N_("train here")}},
                 {.active = shipped && knobs.file.empty()});
  list.file(knobs.file, file, N_("Model from a file"),
            N_("A model saved here, with its task and vocabulary; empty: none. Drop the file on "
               "the window"),
            ".safetensors");
}

void describe_training(TrainingKnobs& knobs, bool trains_here, const TrainingSays& says,
                       param::List& list) {
  const bool asks = trains_here && !says.given;
  list.group(N_("Training"));
  list.real(knobs.rate, "rate", N_("Learning rate"),
            N_("The largest step; AdamW adapts it to each parameter"),
            {.min = 1e-5, .max = 1, .scale = param::Scale::log, .slides_to = 0.1, .active = asks});
  if (says.schedule) {
    list.integer(knobs.warmup, "warmup", N_("Warm-up steps"),
                 N_("Over this many steps the learning rate rises from 0"),
                 {.min = 0, .max = 1000, .active = asks});
    list.flag(knobs.cosine, "cosine", N_("Rate falls"),
              N_("After the warm-up the learning rate falls along half a cosine, to a twentieth at "
                 "the last step; otherwise it stays constant"),
              {.active = asks});
  }
  list.integer(
      knobs.batch, "batch", N_("Batch"), says.batch,
      {.min = 1, .max = to_double(says.most_batch), .scale = param::Scale::log, .active = asks});
  if (says.smoothing) {
    list.real(knobs.smoothing, "smoothing", N_("Label smoothing"),
              N_("The share of the target that is spread evenly over the vocabulary"),
              {.min = 0, .max = 0.5, .step = 0.01, .active = asks});
  }
  list.integer(knobs.seed, "seed", N_("Seed"), says.seed,
               {.min = 0, .max = 9999, .active = trains_here});
  list.integer(knobs.steps, "steps", N_("Steps"),
               N_("How long it trains; the learning rate falls over these steps"),
               {.min = 1,
                .max = to_double(says.most_steps),
                .scale = param::Scale::log,
                .active = trains_here});
  list.integer(
      knobs.step, "step", N_("Step"), N_("Which step of the training is shown"),
      {.min = 0, .max = to_double(knobs.steps), .active = trains_here, .plays = says.plays});
}

const Milestone* Course::milestone() const {
  const Milestone* last = nullptr;
  for (const Milestone& m : history) {
    if (m.step <= step) last = &m;
  }
  return last;
}

std::vector<Milestone> Course::kept() const {
  std::vector<Milestone> all;
  const Index every = core::task::FitOptions().looks_every;
  for (const Milestone& m : history) {
    const bool last = m.step == step;
    if (m.step <= step && (m.step % every == 0 || last)) all.push_back(m);
  }
  return all;
}

void add_stopped_note(const Course& course, const Words& w, std::vector<std::string>& notes) {
  if (course.fault.empty()) return;
  notes.push_back(w.format("Training stopped after step {}: {}.", course.step, course.fault.in(w)));
}

}  // namespace lab
