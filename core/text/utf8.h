// UTF-8 to code points and back (RFC 3629: no surrogates, no overlong forms, up to U+10FFFF).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace core {

// Where the first byte stands that is no part of valid UTF-8; empty when all is well.
std::optional<std::size_t> invalid_utf8(std::string_view text);

// How many bytes at the beginning of a text that begins with no valid character belong together: a
// character that is cut short, else one byte (Unicode Standard, section 3.9, maximal subparts).
std::size_t invalid_length(std::string_view text);

// The code point at `at`, which moves on to the next one. `text` must be valid from there on.
char32_t next_code_point(std::string_view text, std::size_t& at);

void append_utf8(std::string& text, char32_t code_point);

// Throws core::InputError naming the byte and its offset.
void require_utf8(std::string_view text);

}  // namespace core
