// Pairs of a task as a model takes them: padded ids of what is read, what was written so far, and
// what comes next.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/learning/tape.h"
#include "core/task/vocabulary.h"

namespace core::task {

// A pair's ids: the source with an end, and the target without.
struct Encoded {
  std::vector<std::int32_t> source, target;
};
Encoded encode(const PairTask& task, const Vocabulary& vocabulary, const Pair& pair);

class PairBatch {
 public:
  // Fills in pairs [first, first + count).
  void fill(const std::vector<Encoded>& pairs, Index first, Index count);
  void fill(const std::vector<Encoded>& pairs) { fill(pairs, 0, static_cast<Index>(pairs.size())); }

  // (batch, longest source); what was written, with a start before it, (batch, longest target + 1),
  // and what comes next, with an end, -1 behind it: what no loss counts.
  const std::int32_t* source_ids() const { return source_.data(); }
  const std::int32_t* written_ids() const { return written_.data(); }
  const std::int32_t* next_ids() const { return next_.data(); }
  // They point into this batch.
  model::Sequences source() const { return sequences(source_lengths_); }
  model::Sequences target() const { return sequences(target_lengths_); }
  Index counted() const { return counted_; }  // tokens that a loss counts

 private:
  static model::Sequences sequences(const std::vector<Index>& lengths);

  std::vector<std::int32_t> source_, written_, next_;
  std::vector<Index> source_lengths_, target_lengths_;
  Index counted_ = 0;
};

}  // namespace core::task
