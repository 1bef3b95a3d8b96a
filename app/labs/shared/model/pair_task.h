// Knobs of tasks that turn one text into another, and the pair that is looked at; the same in every
// lab that learns from pairs.
#pragma once

#include "app/labs/lab.h"
#include "core/task/pair/pairs.h"

namespace lab {

inline constexpr std::size_t kMostSourceBytes = 200;
inline constexpr std::size_t kMostTypedPairs = 65'536;  // bytes of all of them

struct PairKnobs {
  core::task::Kind task = core::task::Kind::dates;
  core::task::Language language = core::task::Language::english;
  int letters = 26, shortest = 1, longest = 10;
  std::string pairs =
      "le chat = the cat; le chien = the dog; le grand chat = the big cat; le grand chien = the "
      "big dog; un chat = a cat; un chien = a dog";
  std::string pairs_file = {};
  core::Unit unit = core::Unit::words;

  bool writes_letters() const {
    return task == core::task::Kind::reversal || task == core::task::Kind::copy;
  }
  bool speaks() const {
    return task == core::task::Kind::dates || task == core::task::Kind::numbers;
  }
  bool own() const { return task == core::task::Kind::own; }
  bool operator==(const PairKnobs&) const = default;
};

// `fixed`: letters and lengths are those that a model was trained with.
void describe_task(PairKnobs& knobs, bool fixed, param::List& list);

// The stage "task". Throws core::InputError, which can be told in every language, for pairs that
// are none.
std::shared_ptr<const core::task::PairTask> pair_task(const PairKnobs& knobs,
                                                      const Context& context);

// --- the pair that is looked at

struct SourceKnobs {
  int example = 0;
  std::string source;  // empty: the example

  bool operator==(const SourceKnobs&) const = default;
};
inline constexpr int kExamples = 100;

void describe_source(SourceKnobs& knobs, param::List& list);

// A pair; an empty target is not known.
core::task::Pair asked_pair(const core::task::PairTask& task, const SourceKnobs& knobs);

}  // namespace lab
