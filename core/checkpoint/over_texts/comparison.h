// How well a language model guesses texts that nobody learned from, beside others that had the same
// texts to learn from: the file comparison.json beside a model that this program trained.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/message.h"
#include "core/types.h"

namespace core::checkpoint {

struct Comparison {
  struct Guesser {
    std::string id;     // "model", "ppmd"
    Index setting = 0;  // of ppmd the order, of zstd the level, of grams the bytes; of a model 0
    Message name() const;
  };
  struct Source {
    std::string id;  // "bible"; empty: all of them
    Index bytes = 0;
    std::vector<double> bits = {};  // a byte, by guesser
    Message name() const;
  };
  std::string measured_by;        // the programs
  std::vector<Guesser> guessers;  // the model is the first
  std::vector<Source> sources;    // what was held out of each
  Source all;                     // means over the bytes, of numbers that were not rounded

  // `all` as the sources have it.
  Source mean() const;
  // The one of the others that needs the fewest bits for all; 0: there is none.
  std::size_t best_other() const;
};

// Bits are rounded to four decimals.
std::string comparison_json(const Comparison& comparison);
// InputError in one sentence for what is none; `name` is what it calls the file.
Comparison read_comparison(std::string_view json, const std::string& name);

}  // namespace core::checkpoint
