// A person's own text as numbers of tokens, for a decoder to learn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizer/models/pair_model.h"
#include "core/tokenizer/tokenizer.h"
#include "core/types.h"

namespace core::task {

inline constexpr std::size_t kMostCorpusBytes = std::size_t{64} << 20;
inline constexpr std::size_t kLeastCorpusTokens = 16, kMostCorpusKinds = 4096;

inline constexpr Index kLeastPairs = 256;  // tokens: the bytes alone

struct Corpus {
  std::vector<std::string> tokens;  // their bytes; the numbers are places in here
  std::vector<std::uint16_t> ids;   // the text
  // What is held out begins here: the last tenth, or of a text too short for that nothing, and then
  // this is its end.
  std::size_t held = 0;
  // For a model's file, which keeps some of the text and trains nothing: all of it was held out.
  bool kept_apart = false;

  // For byte pairs: the merges that made them, and what applies them.
  std::vector<subword::Merge> merges = {};
  std::shared_ptr<const subword::Tokenizer> pairs = nullptr;

  bool operator==(const Corpus& other) const {
    return tokens == other.tokens && ids == other.ids && held == other.held &&
           kept_apart == other.kept_apart && merges == other.merges;
  }
  bool holds_out() const { return held < ids.size(); }
  // The most tokens of a sequence whose next tokens are all known.
  Index longest() const;
  // What a typed text is made of, the code points that it has no token for, too.
  std::vector<std::string> pieces(const std::string& text) const;
  // A token as figures name it: spaces and line ends are visible, bytes that are no whole character
  // are written "\xe4".
  std::string shown(std::size_t token) const;
};

// A token is a code point; the tokens stand in the order of code points, and carriage returns count
// for nothing. InputError, one sentence that calls the text `name`, for text that is no UTF-8,
// longer than kMostCorpusBytes, shorter than kLeastCorpusTokens, or of more than kMostCorpusKinds
// different characters.
Corpus corpus_of_characters(std::string_view text, const std::string& name,
                            const Cancel& cancel = {});

// Tokens are byte pairs that are trained on the text itself
// (core/tokenizer/models/pair_training.h), at most `vocabulary` of them, kLeastPairs to
// kMostCorpusKinds; a text without repeats gives fewer. InputError also for another vocabulary.
Corpus corpus_of_pairs(std::string_view text, Index vocabulary, const std::string& name,
                       const Cancel& cancel = {});
// The tokens and what cuts a text into them, without a text. InputError for merges of what is not
// there before them.
Corpus corpus_of_merges(std::vector<subword::Merge> merges);

// A file's text, without a mark of its byte order at the beginning; nothing of one that is too
// large is read. InputError as above, which calls it by its name.
std::string read_text(const std::filesystem::path& path);

}  // namespace core::task
