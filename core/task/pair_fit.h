// Training on pairs, step by step. The same description and the same steps give the same bits,
// whatever the number of threads: batches follow from the seed and the number of the step.
#pragma once

#include <memory>
#include <vector>

#include "core/task/fit.h"
#include "core/task/translator.h"

namespace core::task {

// Of the step a state stands at.
struct FitProgress {
  double loss = 0;           // of the step's own batch, before the step
  double gradient_norm = 0;  // before clipping
  double rate = 0;
  double tokens_right = 0;  // share, of the step's own batch
  Score held;               // of the last look
};

class PairFit {
 public:
  // InputError for a task without pairs.
  PairFit(const PairTask& task, const TranslatorForm& form, const FitOptions& options);

  struct State {
    std::vector<float> values;
    model::Optimiser<float> optimiser;
    FitProgress progress;
  };
  // Step 0: its progress has the first batch's loss.
  State begin(int threads) const;
  void step(State& state, int threads) const;
  static Milestone milestone(const State& state);
  static std::size_t bytes(const State& state) {
    return state.values.size() * sizeof(float) + state.optimiser.bytes();
  }

  const PairTask& task() const { return made_->model.task; }
  const TranslatorForm& form() const { return form_; }
  const FitOptions& options() const { return options_; }
  // What step number `step` + 1 learns from.
  std::vector<Pair> pairs_of(Index step) const;
  // Lives on without this.
  std::shared_ptr<const PairModel> model() const { return {made_, &made_->model}; }
  // By what was asked for, not by what follows from it.
  bool operator==(const PairFit& other) const {
    return task() == other.task() && form_ == other.form_ && options_ == other.options_;
  }

 private:
  // What follows from the description, and room to work in; copies of a fit share it.
  struct Made {
    PairModel model;
    std::vector<Encoded> held;
    model::Lent<model::Parts> parts;
    Made(const PairTask& task, const TranslatorForm& form, const FitOptions& options);
  };

  std::vector<Encoded> batch_of(Index step) const;
  void look(State& state, int threads) const;

  TranslatorForm form_;
  FitOptions options_;
  std::shared_ptr<Made> made_;
};

}  // namespace core::task
