// Training on pairs, step by step. The same description and the same steps give the same bits,
// whatever the number of threads: batches follow from the seed and the number of the step.
#pragma once

#include <memory>
#include <vector>

#include "core/model/optimiser.h"
#include "core/task/translator.h"

namespace core::task {

struct FitOptions {
  model::OptimiserOptions optimiser = {.beta2 = 0.98, .decay = 0.01, .clip = 1};
  model::Schedule schedule = {.rate = 0.005, .warmup = 50};
  double smoothing = 0;  // of labels
  Index batch = 64;
  std::uint64_t seed = 0;
  Index looks_every = 10;  // steps between two looks at pairs that are held out
  Index looked_at = 128;   // how many of them

  bool operator==(const FitOptions&) const = default;
};

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
  PairFit(PairTask task, const TranslatorForm& form, const FitOptions& options);

  struct State {
    std::vector<float> values;
    model::Optimiser<float> optimiser;
    FitProgress progress;
  };
  // Step 0: its progress has the first batch's loss.
  State begin(int threads) const;
  void step(State& state, int threads) const;
  static std::size_t bytes(const State& state) {
    return state.values.size() * sizeof(float) + state.optimiser.bytes();
  }

  const PairTask& task() const { return task_; }
  const TranslatorForm& form() const { return form_; }
  const FitOptions& options() const { return options_; }
  const Vocabulary& vocabulary() const { return made_->vocabulary; }
  const Translator& translator() const { return made_->translator; }
  Tapes& tapes() const { return made_->tapes; }
  // By what was asked for, not by what follows from it.
  bool operator==(const PairFit& other) const {
    return task_ == other.task_ && form_ == other.form_ && options_ == other.options_;
  }

 private:
  // What follows from the description, and room to work in; copies of a fit share it.
  struct Made {
    Vocabulary vocabulary;
    Translator translator;
    std::vector<Encoded> held;
    Tapes tapes;
    model::Lent<model::Parts> parts;
    Made(const PairTask& task, const TranslatorForm& form, const FitOptions& options);
  };

  std::vector<Encoded> batch_of(Index step) const;
  void look(State& state, int threads) const;

  PairTask task_;
  TranslatorForm form_;
  FitOptions options_;
  std::shared_ptr<Made> made_;
};

}  // namespace core::task
