// Tasks for a decoder alone: one sequence of tokens, of which each next one is to be guessed. What
// its heads have to look at is known, so that it can be measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "core/shared_value.h"
#include "core/task/pair/pairs.h"
#include "core/task/sequence/corpus.h"
#include "core/types.h"

namespace core::task {

enum class Story {
  induction,  // a random sequence again and again: what followed the last time follows now (Olsson
              // et al. 2022, "In-context learning and induction heads")
  copy,       // "abc>abc."
  reverse,    // "abc>cba."
  sort,       // "cab>abc."
  addition,   // "123+877=1000."
  brackets,   // "([])()."
  text,       // lines that core/task/sequence/stories.h makes, character by character
  own         // a person's own text
};

struct SequenceTask {
  Story story = Story::induction;
  Index symbols = 32;                // different ones (1 to 62): induction, copy, reverse, sort
  Index shortest = 8, longest = 24;  // induction: tokens until it begins again; copy, reverse and
                                     // sort: what is read; brackets: pairs
  Index length = 48;                 // induction, text, own: of the whole sequence
  bool repeats = false;              // copy, reverse, sort: a symbol may come twice
  Index digits = 3;                  // addition: of each number, zeros in front
  bool lowest_first = true;          // addition: the digits of all numbers backwards
  Index depth = 4;                   // brackets: at most so many open at once
  Language language = Language::english;  // text
  SharedValue<Corpus> corpus = {};        // own

  bool operator==(const SequenceTask&) const = default;
};

// One sequence. Each vector has an entry for every token that is read.
struct Sequence {
  std::vector<std::int32_t> ids;
  std::vector<std::int32_t> next;       // what comes next; -1: nothing that could be known
  std::vector<std::uint8_t> evaluated;  // 1: to be right here is what was to be learned
  std::vector<std::int32_t> source;  // the token that says what comes next; -1: no one token does
};

// Whether one text goes on and on, without answers that end.
constexpr bool flows(Story story) { return story == Story::text || story == Story::own; }

// InputError for what nothing can be drawn from; without repeats `longest` symbols are needed.
void check(const SequenceTask& task);

// The tokens by their ids: ids are places in here. The first is the start, which also fills up.
std::vector<std::string> tokens(const SequenceTask& task);

// The first token that sequences have: texts go on without a start, an end and a question.
std::int32_t first_used(const SequenceTask& task);

// The longest sequence that can be drawn, in tokens.
Index longest_sequence(const SequenceTask& task);

// About a tenth of what can be drawn is never trained on: whole sums, texts, periods. Texts of one
// or two tokens are too few to hold any out. Lines of `text` are made afresh each time, and what is
// held out begins at a line's start, where training begins anywhere. Of a text of one's own the
// last tenth is held out, when that is enough to be measured by.
bool held_out(const SequenceTask& task, const Sequence& sequence);
// Whether the task has anything that was never trained on: all have but a text of one's own that is
// too short for it. Without, what is drawn as held out is what was trained on.
bool holds_out(const SequenceTask& task);

// `count` sequences that are held out or, for training, are not. The same seed gives the same.
std::vector<Sequence> draw_sequences(const SequenceTask& task, std::uint64_t seed, Index count,
                                     bool held);
// The same, held out, all with `length` tokens to be read (copy, reverse, sort), pairs (brackets),
// digits (addition), or a whole length (induction); beyond what is trained too.
std::vector<Sequence> draw_sequences_of_length(const SequenceTask& task, std::uint64_t seed,
                                               Index count, Index length);

// What a typed text is cut into to be read: tokens, or what the task has no token for.
std::vector<std::string> pieces_of(const SequenceTask& task, const std::string& text);
// The sequence of typed tokens, before which comes the start where sequences have one. Nothing is
// judged.
Sequence sequence_of(const SequenceTask& task, const std::vector<std::int32_t>& typed);
// The same of a text, its tokens without the start: "cab>abc."; of `text`, which has none, as it
// is. InputError for tokens that the task has not.
Sequence sequence_of(const SequenceTask& task, const std::string& text);

}  // namespace core::task
