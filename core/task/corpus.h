// A person's own text as numbers of tokens, for a decoder to learn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core::task {

inline constexpr std::size_t kMostCorpusBytes = std::size_t{64} << 20;
inline constexpr std::size_t kLeastCorpusTokens = 16, kMostCorpusKinds = 4096;

struct Corpus {
  std::vector<std::string> tokens;  // each once; the numbers are places in here
  std::vector<std::uint16_t> ids;   // the text
  // What is held out begins here: the last tenth, or of a text too short for that nothing, and then
  // this is its end.
  std::size_t held = 0;

  bool operator==(const Corpus&) const = default;
  bool holds_out() const { return held < ids.size(); }
  // The most tokens of a sequence whose next tokens are all known.
  Index longest() const;
};

// A token is a code point; the tokens stand in the order of code points, and carriage returns count
// for nothing. InputError, one sentence that calls the text `name`, for text that is no UTF-8,
// longer than kMostCorpusBytes, shorter than kLeastCorpusTokens, or of more than kMostCorpusKinds
// different characters.
Corpus corpus_of_characters(std::string_view text, const std::string& name,
                            const Cancel& cancel = {});

// The same of a file, without a mark of its byte order at the beginning; nothing of one that is too
// large is read.
Corpus read_corpus(const std::filesystem::path& path, const Cancel& cancel = {});

// What a typed text is made of for such a corpus: its code points, those that it does not have,
// too.
std::vector<std::string> corpus_pieces(std::string_view text);

}  // namespace core::task
