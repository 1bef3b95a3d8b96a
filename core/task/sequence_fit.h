// Training a decoder on sequences, step by step, and how each task is learned.
#pragma once

#include <vector>

#include "core/task/fit.h"
#include "core/task/sequence_model.h"

namespace core::task {

struct FitOfSequences {
  using Model = SequenceModel;
  using Example = Sequence;
  using Batch = SequenceBatch;
  using Held = SequenceScore;
  static std::vector<Sequence> draw(const SequenceModel& model, std::uint64_t seed, Index count,
                                    bool held) {
    return draw_sequences(model.task, seed, count, held);
  }
  static const model::Layout& layout(const SequenceModel& model) { return model.layout; }
  static Guesses guesses(const SequenceModel& model, model::Tape<float>& tape,
                         const SequenceBatch& batch) {
    return {model.decoder(tape, batch.ids(), batch.sequences()), batch.next_ids()};
  }
  // Of all that the loss counts in a step, but of the judged alone in the first batch.
  static double right(const SequenceScore& score) { return score.token_accuracy(); }
};

class SequenceFit : public Fit<FitOfSequences> {
 public:
  // InputError as SequenceModel says.
  SequenceFit(const SequenceTask& task, const model::DecoderForm& form, const FitOptions& options)
      : Fit(options, task, form) {}

  const SequenceTask& task() const { return model()->task; }
  const model::DecoderForm& form() const { return model()->form; }
  // What step number `step` + 1 learns from.
  std::vector<Sequence> sequences_of(Index step) const { return batch_of(step); }
  bool operator==(const SequenceFit& other) const {
    return task() == other.task() && form() == other.form() && options() == other.options();
  }
};

}  // namespace core::task
