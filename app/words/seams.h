// Chinese has a blank between its characters and Latin words or numbers, and none between Chinese
// ones. What a translation is filled with may be either, so the blanks where values meet the
// translation are set after it was filled in: "对 {} 时" becomes "对 d 时" and "对位置时".
#pragma once

#include <string>
#include <string_view>

namespace words {

// A format for fmt with a seam, one control character, wherever a value stands beside a Chinese
// character, with a blank between them or without.
std::string with_seams(std::string_view format);

// Each seam as a blank or as nothing, by the characters on both of its sides.
std::string without_seams(std::string_view text);

}  // namespace words
