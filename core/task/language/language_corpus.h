// Texts that language models learn from, out of files of dictionaries, books and poems as Debian's
// packages have them, and what of them no training sees.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core::task {

// A line each, without its end.
using Lines = std::vector<std::string>;

// WordNet's data files (wndb(5WN)): for each synset its first word, a colon and the gloss, which is
// a definition and often examples; underlines in words are spaces, and where an adjective may stand
// ("(a)") is left out. Lines that are no synset are passed over.
Lines wordnet_lines(std::string_view data);

// Verses "Ge1:1 In the beginning ...", a line each: a line for each chapter, without the numbers.
Lines chapter_lines(std::string_view verses);

// Paragraphs between empty lines, each as one line with single spaces and without the braces of
// references; those of fewer than `fewest` bytes are passed over.
Lines paragraph_lines(std::string_view text, std::size_t fewest);

// Poems and sayings between lines "%", as fortunes have them, each with a title, "《title》" or
// "题目:《title》" at its beginning or "--《title》" at its end, or with none, and perhaps a poet,
// "作者：poet": title and poet in one line and the verses in the next ones, without colors.
Lines poem_lines(std::string_view text);

struct SplitLines {
  Lines train, held;
};
// In another order, the same on every machine; every tenth line is held out. A line that stands
// twice counts once: what is held out is never learned.
SplitLines split(Lines lines, std::uint64_t seed);

}  // namespace core::task
