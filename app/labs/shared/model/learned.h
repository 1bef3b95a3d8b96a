// Models that learn, as labs offer them: where their numbers come from, the knobs of a training,
// and what it has come to.
#pragma once

#include "app/labs/shared/model/opened_model.h"
#include "core/task/fit.h"

namespace lab {

// Where the numbers of the model come from.
enum class Weights {
  shipped,  // trained before, and part of the program
  here,     // trained here, from nothing
  file      // of a file that was written here: chosen by naming one
};

struct TrainingKnobs {
  Weights weights = Weights::shipped;
  std::string file = {};
  double rate = 0.005;
  int warmup = 50;
  bool cosine = true;
  int batch = 64;
  double smoothing = 0;
  int seed = 0;
  int steps = 800, step = 800;

  bool operator==(const TrainingKnobs&) const = default;
};

core::task::FitOptions fit_options(const TrainingKnobs& knobs);

// `shipped`: the program has such a model.
Weights weights_of(const TrainingKnobs& knobs, bool shipped);
// The choice, and the file, whose id is `file`; the model's own knobs follow where it trains here.
void describe_weights(TrainingKnobs& knobs, std::string_view file, bool shipped, param::List& list);

// What labs say of their trainings, and how far the knobs go.
struct TrainingSays {
  std::string_view batch = N_("Pairs per training step");
  std::string_view seed = N_("Chooses the initial parameters and the pairs");
  bool schedule = true, smoothing = true;  // have knobs
  int most_batch = 256, most_steps = 3000;
  bool given = false;  // how a step is made is no matter of knobs
  double plays = 60;   // steps a second
};
void describe_training(TrainingKnobs& knobs, bool trains_here, const TrainingSays& says,
                       param::List& list);

// What there is of a training, whatever was trained.
struct Course {
  std::string name;  // of its run and its stages
  std::shared_ptr<const std::vector<float>> values = nullptr;
  std::vector<core::task::Milestone> history = {};
  Index step = 0, steps = 0;  // the one that is shown; of all
  bool going = false;         // there will be more of it
  core::Message fault = {};   // why training stopped
  Weights weights = Weights::here;

  const float* numbers() const { return values->data(); }
  // The last of the history that is not after the shown step; null: none.
  const core::task::Milestone* milestone() const;
  // The history that a file keeps: up to the shown step; in long trainings, the steps at which
  // held-out samples were evaluated.
  std::vector<core::task::Milestone> kept() const;
};
// A note where the training stopped.
void add_stopped_note(const Course& course, const Words& w, std::vector<std::string>& notes);

// A model with numbers that were learned, trained by a Fit (core/task/fit.h).
template <class Fit>
struct LearnedBy : Course {
  std::shared_ptr<const typename Fit::Model> model = nullptr;
  // For a training here: how it is trained, and all that a step changes.
  std::shared_ptr<const Fit> fit = nullptr;
  std::shared_ptr<const typename Fit::State> state = nullptr;
};

// A training as the house's runs know it.
template <class Fit>
struct FitRun {
  Fit fit;
  using State = typename Fit::State;

  bool operator==(const FitRun& other) const { return fit == other.fit; }
  State begin(const Run& run) const { return fit.begin(run.threads); }
  void step(State& state, const Run& run) const { fit.step(state, run.threads); }
  std::vector<double> scalars(const State& state) const {
    const core::task::Milestone m = Fit::milestone(state);
    std::vector<double> all{m.loss, m.gradient_norm, m.rate, m.held_loss, m.held_accuracy};
    all.insert(all.end(), m.more.begin(), m.more.end());
    return all;
  }
  std::size_t bytes(const State& state) const { return Fit::bytes(state); }
  core::Message fault(const State& state) const {
    const bool finite = std::isfinite(state.loss) && std::isfinite(state.gradient_norm);
    return finite ? core::Message()
                  : core::Message(N_("the loss is not finite; a smaller learning rate helps"));
  }
};

// Trained here by the run called `name`. A fit is made of `of` and the knobs once, for it draws
// what is held out.
template <class Fit, class... Of>
LearnedBy<Fit> trained_here(const std::string& name, const TrainingKnobs& knobs,
                            const Context& context, const Of&... of) {
  const auto fit = context.stage(
      name + " fit",
      [](const Of&... each, const core::task::FitOptions& options, const Run&) {
        return Fit(each..., options);
      },
      of..., fit_options(knobs));
  const auto run = context.trained(name, FitRun<Fit>{*fit}, knobs.steps, knobs.step);
  LearnedBy<Fit> out;
  out.name = name;
  out.model = fit->model();
  out.step = run.step;
  out.steps = knobs.steps;
  out.going = run.going;
  out.fault = run.fault;
  out.fit = fit;
  // Before the run has its beginning: that is quickly made.
  out.state = run.state ? run.state
                        : std::make_shared<const typename Fit::State>(fit->begin(context.threads));
  out.values = {out.state, &out.state->values};
  for (const std::vector<double>& s : run.scalars) {
    const auto step = to_index(out.history.size());
    out.history.push_back({step, s[0], s[1], s[2], s[3], s[4], {s.begin() + 5, s.end()}});
  }
  return out;
}

// Read by Read(Safetensors, name, cancel), whose result has the model, its history and its values.
// `opened` is that.
template <class Fit, class Read>
auto trained_before(const std::string& name, const OpenedModel& from, const Context& context,
                    Read) {
  const auto opened = context.stage(
      name + " opened",
      [](const OpenedModel& file, const Run& run) {
        return Read()(file.tensors(run.cancel), file.name(), run.cancel);
      },
      from);
  LearnedBy<Fit> out;
  out.name = name;
  out.model = opened->model;
  out.values = {opened, &opened->values};
  out.history = opened->history;
  out.weights = from.asset.empty() ? Weights::file : Weights::shipped;
  if (!out.history.empty()) out.step = out.steps = out.history.back().step;
  return std::pair(std::move(out), opened);
}

}  // namespace lab
