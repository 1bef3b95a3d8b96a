// The words and sentences that documents are made of: lists, in the order in which they are drawn.
#pragma once

#include <string_view>
#include <vector>

#include "core/task/pair/pairs.h"

namespace core::task {

using WordList = std::vector<std::string_view>;

// Sentences are words with spaces between them, in both languages. "$thing" stands for what a
// sentence is about, "$word" for what it says of it, "$number" and "$person" for what they say.

// Things of one kind, and what is said of them: for and against, and what is neither.
struct Things {
  WordList things, good, bad, neutral;
};
struct OpinionWords {
  std::vector<Things> kinds;
  WordList good, bad;              // of things of any kind
  WordList said, denied, neutral;  // sentences with an opinion, with one denied, with none
  std::string_view denial;
};
const OpinionWords& opinion_words(Language language);

struct TopicWords {
  std::vector<WordList> topics;  // the words that tell each
  WordList things;               // those that tell none
  WordList said, neutral;        // sentences about a $word, and others
};
const TopicWords& topic_words(Language language);

// What fills the slots of neutral sentences.
const WordList& numbers_of(Language language);
const WordList& persons_of(Language language);

}  // namespace core::task
