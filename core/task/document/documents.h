// Documents of several sentences, written from word lists, and what each is to be told apart by:
// reviews with an opinion, or reports on a topic. One or two sentences of each carry it, in one
// word; which ones is known, so that what a model looks at can be scored.
#pragma once

#include <string>
#include <vector>

#include "core/task/pair/pairs.h"
#include "core/task/vocabulary.h"

namespace core::task {

enum class DocumentKind {
  opinions,  // for or against; a fifth of the opinions is denied: "not good" is against
  topics     // one of four
};

struct DocumentTask {
  DocumentKind kind = DocumentKind::opinions;
  Language language = Language::english;
  bool operator==(const DocumentTask&) const = default;
};

// 0 is for, 1 against; topics in the order sport, cooking, music, weather.
Index classes_of(const DocumentTask& task);

struct Document {
  std::vector<std::vector<std::string>> sentences;  // their words, without marks
  Index label = 0;
  struct WordPosition {
    Index sentence = 0, word = 0;
    bool operator==(const WordPosition&) const = default;
  };
  std::vector<WordPosition> evidence;  // where what decides the label stands, a word a sentence
  bool denied = false;                 // an opinion in it is
  bool operator==(const Document&) const = default;
};

// Every word of the task in a fixed order.
std::vector<std::string> words_of(const DocumentTask& task);

// As a person would write it: "The soup was good. We paid and walked home." or 汤很好吃。
std::string text_of(const Document& document, Language language);

// The sentences of a text, which end at . ! ? 。！？ or a line's end, as words. English: small
// letters, without marks. Chinese: the longest words of the vocabulary from the left, for the
// question is which word decides, and of characters 好 would stand for 好吃, 好看 and 好 alike;
// characters that begin none are words of their own. Text that is not UTF-8 is InputError.
std::vector<std::vector<std::string>> sentences_of(const std::string& text, Language language,
                                                   const Vocabulary& vocabulary);

// `count` documents, those that are held out (a tenth of all, by a hash of their text) or those
// that are not. The same seed gives the same documents.
std::vector<Document> draw_documents(const DocumentTask& task, std::uint64_t seed, Index count,
                                     bool held);

}  // namespace core::task
