// Foreign text made fit for a one-line message.
#pragma once

#include <string>
#include <string_view>

namespace param {

// At most `max_bytes` of the text, cut between characters and then ended by "…"; control characters
// and bytes that are no UTF-8 are written as \x1b.
std::string printable(std::string_view text, std::size_t max_bytes);

}  // namespace param
