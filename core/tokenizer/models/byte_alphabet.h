// The visible characters that stand for bytes in byte-level vocabularies (Radford et al. 2019,
// GPT-2's encoder): 33 to 126, 161 to 172 and 174 to 255 stand for themselves, the other 68 in
// rising order are U+0100 on, so that a space is U+0120.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace core::subword {

// The character of each byte.
const std::array<char32_t, 256>& byte_characters();

// The byte that a character stands for.
std::optional<unsigned char> byte_of(char32_t character);

// The bytes that a text of such characters stands for; nothing when one of it is none.
std::optional<std::string> bytes_of(std::string_view visible);

std::string visible_bytes(std::string_view bytes);

// "<0x0A>": the token of a byte where vocabularies fall back to bytes.
std::string byte_token(unsigned char byte);
std::optional<unsigned char> byte_of_token(std::string_view token);

}  // namespace core::subword
