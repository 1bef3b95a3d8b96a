#include "core/text/base64.h"

#include <cstdint>

namespace core {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes, std::string_view digits) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) out += digits[bits >> (held - 6) & 63];
  }
  if (held > 0) out += digits[bits << (6 - held) & 63];
  return out;
}

std::optional<std::string> decode(std::string_view text, std::string_view digits) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const std::size_t six = digits.find(c);
    if (six == digits.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(six);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  if ((bits & ((1u << held) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out = encode(bytes, kDigits);
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

std::string to_base64url(std::string_view bytes) { return encode(bytes, kUrlDigits); }

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int k = 0; k < 2 && text.ends_with('='); ++k) text.remove_suffix(1);
  return decode(text, kDigits);
}

std::optional<std::string> from_base64url(std::string_view text) {
  return decode(text, kUrlDigits);
}

}  // namespace core
