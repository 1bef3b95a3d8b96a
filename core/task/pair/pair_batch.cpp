#include "core/task/pair/pair_batch.h"

#include <algorithm>

namespace core::task {

Encoded encode(const PairTask& task, const Vocabulary& vocabulary, const Pair& pair) {
  const std::string source = task.kind == Kind::own ? pair.source : normalized(pair.source);
  Encoded encoded{vocabulary.encode(source, source_unit(task)),
                  vocabulary.encode(pair.target, target_unit(task))};
  encoded.source.push_back(Vocabulary::kEnd);
  return encoded;
}

void PairBatch::fill(const std::vector<Encoded>& pairs, Index first, Index count) {
  source_lengths_.clear();
  target_lengths_.clear();
  counted_ = 0;
  for (Index b = first; b < first + count; ++b) {
    const Encoded& pair = pairs[static_cast<std::size_t>(b)];
    source_lengths_.push_back(static_cast<Index>(pair.source.size()));
    target_lengths_.push_back(static_cast<Index>(pair.target.size()) + 1);
    counted_ += target_lengths_.back();
  }
  const auto room = [&](const std::vector<Index>& lengths) {
    return static_cast<std::size_t>(count * *std::max_element(lengths.begin(), lengths.end()));
  };
  source_.assign(room(source_lengths_), Vocabulary::kStart);
  written_.assign(room(target_lengths_), Vocabulary::kStart);
  next_.assign(room(target_lengths_), -1);
  const Index read = source().length, wrote = target().length;
  for (Index b = 0; b < count; ++b) {
    const Encoded& pair = pairs[static_cast<std::size_t>(first + b)];
    std::copy(pair.source.begin(), pair.source.end(), source_.begin() + b * read);
    std::copy(pair.target.begin(), pair.target.end(), written_.begin() + b * wrote + 1);
    std::copy(pair.target.begin(), pair.target.end(), next_.begin() + b * wrote);
    next_[static_cast<std::size_t>(b * wrote) + pair.target.size()] = Vocabulary::kEnd;
  }
}

model::Sequences PairBatch::sequences(const std::vector<Index>& lengths) {
  if (lengths.empty()) return {.batch = 0};
  return {.batch = static_cast<Index>(lengths.size()),
          .length = *std::max_element(lengths.begin(), lengths.end()),
          .lengths = lengths.data()};
}

}  // namespace core::task
