// Training a decoder on sequences, step by step, and how each task is learned.
#pragma once

#include <algorithm>
#include <vector>

#include "core/task/fit.h"
#include "core/task/sequence/sequence_model.h"

namespace core::task {

// What a look at held-out sequences finds: how well they are guessed, and what heads do.
struct SequenceLook : SequenceScore {
  // The largest means of head_scores.h over all heads: previous token, induction, right position.
  std::vector<double> more = {};
};
enum LookedHeads : std::size_t { kPreviousToken, kInduction, kRightPosition, kLookedHeads };

struct FitOfSequences {
  using Model = SequenceModel;
  using Example = Sequence;
  using Batch = SequenceBatch;
  using Held = SequenceLook;
  static std::vector<Sequence> draw(const SequenceModel& model, std::uint64_t seed, Index count,
                                    bool held) {
    return draw_sequences(model.task, seed, count, held);
  }
  static const model::Layout& layout(const SequenceModel& model) { return model.layout; }
  static Guesses guesses(const SequenceModel& model, model::Tape<float>& tape,
                         const SequenceBatch& batch) {
    return {model.decoder(tape, batch.ids(), batch.sequences()), batch.next_ids()};
  }
  // Twice a batch, or 32 of a small one, is enough to see how a training goes, and of long
  // sequences so many tokens, lest its looks take their time from its steps.
  static Index looked_at(const SequenceModel& model, const FitOptions& options) {
    constexpr Index kFewest = 32, kTokens = 2048;
    const Index enough = std::max<Index>(1, kTokens / longest_sequence(model.task));
    return std::min({options.looked_at, std::max(kFewest, 2 * options.batch), enough});
  }
  static SequenceLook look(const SequenceModel& model, const float* values,
                           const std::vector<Sequence>& held, int threads);
  // Accuracy over all that the loss counts in a step; in the first batch over the evaluated tokens
  // alone.
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
