// What the tokens of a text are, for the scores of heads that read texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/types.h"

namespace core::task {

struct TextMarks {
  std::vector<std::uint8_t> punctuation;  // by token: 1: nothing but punctuation, and spaces
  std::vector<std::uint8_t> headword;     // by token: 1: before the first ": " or line end
  // By token: which token opened the innermost bracket or quotation mark that is open after it; -1:
  // none is. The plain mark " opens where none such is open, and closes where one is.
  std::vector<Index> opened;
};

// tokens: their bytes, which together are the text; a special token has none. A character whose
// bytes lie in several tokens belongs to the one that it ends in. Without a ": " or a line end
// there is no headword.
TextMarks text_marks(std::span<const std::string> tokens);

}  // namespace core::task
