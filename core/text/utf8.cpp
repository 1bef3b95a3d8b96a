#include "core/text/utf8.h"

#include <cstdint>
#include <cstdio>

#include "core/types.h"

namespace core {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// How many bytes the sequence that begins with `lead` has; 0 when none begins so.
std::size_t sequence_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

// The second byte is narrower after some leads: no overlong forms, no surrogates, no more than
// U+10FFFF (RFC 3629, section 4).
bool second_fits(unsigned lead, unsigned second) {
  switch (lead) {
    case 0xe0: return second >= 0xa0 && second <= 0xbf;
    case 0xed: return second >= 0x80 && second <= 0x9f;
    case 0xf0: return second >= 0x90 && second <= 0xbf;
    case 0xf4: return second >= 0x80 && second <= 0x8f;
    default: return second >= 0x80 && second <= 0xbf;
  }
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const unsigned lead = byte_at(text, at);
    const std::size_t length = sequence_length(lead);
    if (length == 0 || at + length > text.size()) return at;
    if (length > 1 && !second_fits(lead, byte_at(text, at + 1))) return at;
    for (std::size_t k = 2; k < length; ++k) {
      if ((byte_at(text, at + k) & 0xc0) != 0x80) return at;
    }
    at += length;
  }
  return std::nullopt;
}

std::size_t invalid_length(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  const std::size_t length = sequence_length(lead);
  if (length < 2 || text.size() < 2 || !second_fits(lead, byte_at(text, 1))) return 1;
  std::size_t count = 2;
  while (count < length && count < text.size() && (byte_at(text, count) & 0xc0) == 0x80) ++count;
  return count;
}

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const unsigned lead = byte_at(text, at);
  const std::size_t length = sequence_length(lead);
  constexpr unsigned kLeadBits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t code_point = lead & kLeadBits[length];
  for (std::size_t k = 1; k < length; ++k) {
    code_point = (code_point << 6) | (byte_at(text, at + k) & 0x3f);
  }
  at += length;
  return code_point;
}

void append_utf8(std::string& text, char32_t c) {
  const auto push = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xc0 | (c >> 6));
    push(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    push(0xe0 | (c >> 12));
    push(0x80 | ((c >> 6) & 0x3f));
    push(0x80 | (c & 0x3f));
  } else {
    push(0xf0 | (c >> 18));
    push(0x80 | ((c >> 12) & 0x3f));
    push(0x80 | ((c >> 6) & 0x3f));
    push(0x80 | (c & 0x3f));
  }
}

void require_utf8(std::string_view text) {
  const auto at = invalid_utf8(text);
  if (!at) return;
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", byte_at(text, *at));
  throw InputError("expected UTF-8 text, got the byte " + std::string(byte) + " at offset " +
                   std::to_string(*at));
}

}  // namespace core
