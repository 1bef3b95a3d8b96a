// Tasks that turn one short text into another: what alignment and translation are learned from.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/shared_value.h"
#include "core/text/tokenize.h"
#include "core/types.h"

namespace core::task {

enum class Kind {
  dates,     // a date in one of many spellings to ISO 8601: "5 march 2019" to "2019-03-05"
  numbers,   // number words to digits: "four thousand and five" to "4005"
  reversal,  // letters written backwards
  copy,      // letters written again
  own        // a person's list
};
enum class Language { english, chinese };

struct Pair {
  std::string source, target;
  bool operator==(const Pair&) const = default;
};
using PairList = SharedValue<std::vector<Pair>>;

struct PairTask {
  Kind kind = Kind::dates;
  Language language = Language::english;           // of dates and numbers
  Index letters = 26, shortest = 1, longest = 10;  // of reversal and copy
  PairList own = {};                               // of own; not empty there
  Unit own_unit = Unit::characters;

  bool operator==(const PairTask&) const = default;
};

// Tasks other than own lists know small letters only: a typed text's capitals become small.
std::string normalized(std::string text);

// What a token of each side is.
Unit source_unit(const PairTask& task);
Unit target_unit(const PairTask& task);

// InputError for what no text can be drawn from: letters out of [1, 26], shortest out of [1,
// longest], an empty own list.
void check(const PairTask& task);

// Any pair of the task, held out or not.
Pair draw(const PairTask& task, Random& random);

// A share of what there is to be written, about a tenth, is never trained on, whatever text asks
// for it: a date is held out in all of its spellings. Of numbers below 100 none is; of own lists
// none where they have fewer than 20 pairs (can_hold_out).
bool held_out(const PairTask& task, const Pair& pair);
bool can_hold_out(const PairTask& task);

// `count` pairs that are held out or, for training, are not; where nothing can be held out both are
// all. The same seed gives the same pairs.
std::vector<Pair> draw_pairs(const PairTask& task, std::uint64_t seed, Index count, bool held);
// The same, all with sources of this many letters: of reversal and copy, beyond `longest` too.
std::vector<Pair> draw_pairs_of_length(const PairTask& task, std::uint64_t seed, Index count,
                                       Index length);

// What is right for a typed source, where the task knows: of own lists what the list has, of dates
// and numbers what was meant. Empty: it does not.
std::string solution(const PairTask& task, const std::string& source);

// Every token that the task can meet, in a fixed order, source's and target's together.
std::vector<std::string> symbols(const PairTask& task);

// The tokens of a text as their own text: labels of core/text/tokenize.h, but a space is " ".
std::vector<std::string> split(const std::string& text, Unit unit);
// What they were: words with spaces between them.
std::string join(const std::vector<std::string>& tokens, Unit unit);

}  // namespace core::task
