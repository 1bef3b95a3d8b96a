// The hyphen before a number, set as a minus.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace figure::parts {

// Whether the hyphen at `at` is the sign of a number: a digit is behind it, and no word before it.
bool is_minus(std::string_view text, std::size_t at);

// The text with a minus (U+2212) for each of these.
std::string with_minus(const std::string& text);

}  // namespace figure::parts
