// Foreign text made fit for a one-line message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace core {

inline constexpr std::size_t kShownBytes = 60;

// At most `max_bytes` of the text, cut between characters and then ended by "…". What would move a
// terminal's cursor, end the line or turn the direction of writing is written as \x1b or \u202e,
// and so are bytes that are no UTF-8.
std::string printable(std::string_view text, std::size_t max_bytes = kShownBytes);

}  // namespace core
