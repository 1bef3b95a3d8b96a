// How much of what a decoder continues is right by length, inside of training and beyond.
#pragma once

#include <optional>
#include <vector>

#include "core/task/sequence/sequence_model.h"

namespace core::task {

// Lengths inside of training and beyond, in what the task counts (draw_sequences_of_length): empty
// for tasks without a length. Without repeats none is longer than there are symbols.
std::vector<Index> scored_lengths(const SequenceTask& task);

// So many sequences of each length: fewer where every token counts and not the whole answer.
Index sequences_of_a_length(Story story);

struct LengthScore {
  std::vector<Index> lengths;
  std::vector<double> right;  // SequenceScore::accuracy() of each length
  bool ends = false;          // beyond the last one the model has no positions

  // The share that is right at one of `lengths`; nothing at others.
  std::optional<double> at(Index length) const;
  // The mean over the lengths beyond `longest`, and over those up to it; 0 where there is none.
  double beyond(Index longest) const;
  double within(Index longest) const;
};

// The same sequences for every model of a task. values: its parameters.
LengthScore score_by_length(const SequenceModel& model, const float* values, int threads,
                            const Cancel& cancel = {});

}  // namespace core::task
