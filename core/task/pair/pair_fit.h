// Training on pairs, step by step.
#pragma once

#include <vector>

#include "core/task/fit.h"
#include "core/task/pair/translator.h"

namespace core::task {

struct FitOfPairs {
  using Model = PairModel;
  using Example = Encoded;
  using Batch = PairBatch;
  using Held = Score;
  static std::vector<Encoded> draw(const PairModel& model, std::uint64_t seed, Index count,
                                   bool held);
  static const model::Layout& layout(const PairModel& model) { return model.translator.layout(); }
  static Guesses guesses(const PairModel& model, model::Tape<float>& tape, const PairBatch& batch) {
    return {model.translator.logits(tape, batch), batch.next_ids()};
  }
  static Score look(const PairModel& model, const float* values, const std::vector<Encoded>& held,
                    int threads) {
    return score(model, values, held, threads);
  }
  static double right(const Score& score) { return score.token_accuracy(); }
};

class PairFit : public Fit<FitOfPairs> {
 public:
  // InputError for a task without pairs.
  PairFit(const PairTask& task, const TranslatorForm& form, const FitOptions& options);

  const PairTask& task() const { return model()->task; }
  const TranslatorForm& form() const { return form_; }
  // What step number `step` + 1 learns from.
  std::vector<Pair> pairs_of(Index step) const;
  // By what was asked for, not by what follows from it.
  bool operator==(const PairFit& other) const {
    return task() == other.task() && form_ == other.form_ && options() == other.options();
  }

 private:
  TranslatorForm form_;
};

}  // namespace core::task
