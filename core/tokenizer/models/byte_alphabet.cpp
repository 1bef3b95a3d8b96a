#include "core/tokenizer/models/byte_alphabet.h"

#include <charconv>

#include "core/text/utf8.h"

namespace core::subword {
namespace {

constexpr char32_t kFirstOther = 0x100;

constexpr bool stands_for_itself(unsigned byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

struct Alphabet {
  std::array<char32_t, 256> character{};
  std::array<unsigned char, 256> other{};  // the bytes of U+0100 on
  std::size_t others = 0;

  constexpr Alphabet() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (stands_for_itself(byte)) {
        character[byte] = byte;
      } else {
        character[byte] = kFirstOther + static_cast<char32_t>(others);
        other[others++] = static_cast<unsigned char>(byte);
      }
    }
  }
};
constexpr Alphabet kAlphabet;

}  // namespace

const std::array<char32_t, 256>& byte_characters() { return kAlphabet.character; }

std::optional<unsigned char> byte_of(char32_t c) {
  if (c < kFirstOther) {
    if (stands_for_itself(c)) return static_cast<unsigned char>(c);
    return std::nullopt;
  }
  if (c - kFirstOther < kAlphabet.others) return kAlphabet.other[c - kFirstOther];
  return std::nullopt;
}

std::optional<std::string> bytes_of(std::string_view visible) {
  std::string bytes;
  for (std::size_t at = 0; at < visible.size();) {
    const auto byte = byte_of(next_code_point(visible, at));
    if (!byte) return std::nullopt;
    bytes.push_back(static_cast<char>(*byte));
  }
  return bytes;
}

std::string visible_bytes(std::string_view bytes) {
  std::string visible;
  for (const char byte : bytes) {
    append_utf8(visible, kAlphabet.character[static_cast<unsigned char>(byte)]);
  }
  return visible;
}

std::string byte_token(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

std::optional<unsigned char> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
  unsigned char byte = 0;
  const char* begin = token.data() + 3;
  const auto [end, error] = std::from_chars(begin, begin + 2, byte, 16);
  if (error != std::errc() || end != begin + 2) return std::nullopt;
  return byte;
}

}  // namespace core::subword
