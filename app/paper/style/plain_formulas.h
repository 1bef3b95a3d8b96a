// Mathematics in captions, which screens write as plain text: "h_(i+1)", "W_Q", "a^K", "2^8".
#pragma once

#include <string>

namespace paper {

// The text with each such piece as a formula between figure::kFormulaSign: a letter or a number
// with what stands below or above it, a word, a number or what is in parentheses. What is quoted,
// and names such as "d_model" in longer words, stay as they are; so does a text that has formulas.
std::string with_formulas(const std::string& text);

}  // namespace paper
