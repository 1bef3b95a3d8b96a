// A decoder alone with a task of sequences: batches, how well it does, what it looks at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/decoder.h"
#include "core/model/learning/parts.h"
#include "core/task/sequence/sequences.h"

namespace core::task {

// Sequences of different lengths side by side, filled up behind their ends with the start.
class SequenceBatch {
 public:
  // Fills in sequences [first, first + count).
  void fill(const std::vector<Sequence>& all, Index first, Index count);

  // (batch, longest): what is read, and what comes next, -1 where no loss counts it.
  const std::int32_t* ids() const { return ids_.data(); }
  const std::int32_t* next_ids() const { return next_.data(); }
  // It points into this batch.
  model::Sequences sequences() const;
  Index counted() const { return counted_; }  // tokens that a loss counts

 private:
  std::vector<std::int32_t> ids_, next_;
  std::vector<Index> lengths_;
  Index counted_ = 0;
};

// A task with a model for it, and room to compute in: everything but the numbers that are learned.
struct SequenceModel {
  SequenceTask task;
  std::vector<std::string> tokens;
  model::DecoderForm form;  // its vocabulary is the task's
  model::Layout layout = {};
  model::Decoder decoder = {};
  mutable model::ObjectPool<model::Tape<float>> tapes = {};

  // Whether the token at place i may look at the one at place j.
  bool sees(Index i, Index j) const { return j <= i && (!form.sees || form.sees->allowed()(i, j)); }

  // The form's own vocabulary does not matter. InputError for a task that cannot be drawn, for
  // positions that its longest sequence goes beyond, and for widths that heads cannot share.
  SequenceModel(const SequenceTask& of, const model::DecoderForm& as);
};

// What each token of a sequence was told of the next one: 0 where nothing is to be guessed.
struct TokenGuesses {
  std::vector<double> loss;         // -log of the probability of what came, in nats
  std::vector<std::uint8_t> right;  // 1: what came was the likeliest
};
// values: the parameters of the model's layout, here and below. One entry a sequence. `edit`, here
// and below: what is changed on the way, from any thread; null: nothing.
std::vector<TokenGuesses> guess_tokens(const SequenceModel& model, const float* values,
                                       const std::vector<Sequence>& sequences, int threads,
                                       const model::Edit<float>* edit = nullptr);

// -log of the probability that logits give a token, in nats.
double surprise(const Eigen::Ref<const Eigen::RowVectorXf>& logits, std::int32_t id);

struct SequenceScore {
  bool whole = false;              // accuracy() is of whole sequences
  Index sequences = 0, right = 0;  // of those with judged tokens; right in all of them
  Index evaluated = 0, evaluated_right = 0;
  Index counted = 0;          // tokens that the loss counts
  double loss = 0;            // mean over them
  double evaluated_loss = 0;  // mean over the judged: of induction the repeats

  double sequence_accuracy() const { return share(right, sequences); }
  double token_accuracy() const { return share(evaluated_right, evaluated); }
  // What the task is judged by: whole answers where it asks for one (copy, reverse, sort,
  // addition), tokens elsewhere.
  double accuracy() const { return whole ? sequence_accuracy() : token_accuracy(); }

 private:
  static double share(Index part, Index all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
  }
};
SequenceScore score(const SequenceModel& model, const float* values,
                    const std::vector<Sequence>& sequences, int threads,
                    const model::Edit<float>* edit = nullptr);

// By the place of the token that is read, as many as the longest sequence has.
struct PositionScore {
  std::vector<Index> counted;
  std::vector<double> loss, right;  // means over the counted; 0 where none is
};
PositionScore score_by_position(const SequenceModel& model, const float* values,
                                const std::vector<Sequence>& sequences, int threads);

// One pass over a sequence, with names.
struct LookedSequence {
  model::Trace<float> trace;
  Matrix probabilities;  // (tokens, vocabulary): of the token after each
};
// `mask`, (tokens, tokens) or null: who may look at what, of what the form lets it see and instead
// of all that stands before. `kept`: how the names end of what is kept.
LookedSequence look(const SequenceModel& model, const float* values,
                    const std::vector<std::int32_t>& ids, const model::Edit<float>* edit = nullptr,
                    const Mask* mask = nullptr, const std::string& kept = "");

// The logits of the token after the last, (vocabulary). InputError without tokens, for others than
// the model has, and for more than its positions.
VectorD next_logits(const SequenceModel& model, const float* values,
                    const std::vector<std::int32_t>& ids);

}  // namespace core::task
