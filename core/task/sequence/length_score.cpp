#include "core/task/sequence/length_score.h"

#include <algorithm>

namespace core::task {
namespace {

constexpr std::uint64_t kSeed = 80;

template <class Of>
double mean_where(const LengthScore& score, Of&& counts) {
  double sum = 0;
  Index counted = 0;
  for (std::size_t k = 0; k < score.lengths.size(); ++k) {
    if (!counts(score.lengths[k])) continue;
    sum += score.right[k];
    ++counted;
  }
  return counted == 0 ? 0 : sum / static_cast<double>(counted);
}

}  // namespace

std::vector<Index> scored_lengths(const SequenceTask& task) {
  std::vector<Index> all;
  switch (task.story) {
    case Story::induction:
      for (const Index n : {2, 3, 4, 6, 8, 12, 16}) all.push_back(task.length * n / 4);
      break;
    case Story::copy:
    case Story::reverse:
    case Story::sort:
      for (Index n = task.shortest; n <= task.longest + 2; ++n) all.push_back(n);
      for (const Index n : {3, 4, 5, 6}) all.push_back(task.longest * n / 2);
      std::erase_if(all, [&](Index n) { return !task.repeats && n > task.symbols; });
      break;
    case Story::brackets:
      for (Index n = 2; n <= 2 * task.longest; n += 2) all.push_back(n);
      break;
    case Story::addition:
    case Story::text:
    case Story::own: break;
  }
  return all;
}

Index sequences_of_a_length(Story story) {
  return story == Story::induction || story == Story::brackets ? 16 : 40;
}

std::optional<double> LengthScore::at(Index length) const {
  const auto found = std::find(lengths.begin(), lengths.end(), length);
  if (found == lengths.end()) return std::nullopt;
  return right[static_cast<std::size_t>(found - lengths.begin())];
}

double LengthScore::beyond(Index longest) const {
  return mean_where(*this, [&](Index length) { return length > longest; });
}

double LengthScore::within(Index longest) const {
  return mean_where(*this, [&](Index length) { return length <= longest; });
}

LengthScore score_by_length(const SequenceModel& model, const float* values, int threads,
                            const Cancel& cancel) {
  LengthScore out;
  const Index each = sequences_of_a_length(model.task.story);
  for (const Index length : scored_lengths(model.task)) {
    cancel.poll();
    const auto held = draw_sequences_of_length(model.task, kSeed, each, length);
    std::size_t longest = 0;
    for (const Sequence& one : held) longest = std::max(longest, one.ids.size());
    if (static_cast<Index>(longest) > model.form.positions.longest) {
      out.ends = true;
      break;
    }
    out.lengths.push_back(length);
    out.right.push_back(score(model, values, held, threads).accuracy());
  }
  return out;
}

}  // namespace core::task
