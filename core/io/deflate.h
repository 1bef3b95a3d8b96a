// Bytes that fit in memory, deflated as RFC 1950 has it: with a checksum.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace core {

enum class Effort { least, most };
std::string deflated(std::string_view text, Effort effort = Effort::most);

enum class Inflated { whole, damaged, too_long };
// Inflates all of `bytes` into `text`. Damaged: something is missing, changed or left over; too
// long: more than `most` bytes come out. `text` is the text only when it is whole.
Inflated inflate(std::string_view bytes, std::size_t most, std::string& text);

}  // namespace core
