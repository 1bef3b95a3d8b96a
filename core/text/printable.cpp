#include "core/text/printable.h"

#include <algorithm>
#include <cstdio>

#include "core/text/utf8.h"

namespace core {
namespace {

std::string escaped(const char* format, unsigned value) {
  char text[16];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Control characters (C0, C1), line and paragraph separators, marks of direction (Unicode Standard
// Annex 9, table 4) and the byte order mark.
bool controls(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200e && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string result;
  // Where valid UTF-8 ends next, looked for no further than what is shown.
  const std::string_view head = text.substr(0, std::min(text.size(), max_bytes + 4));
  for (std::size_t at = 0; at < head.size();) {
    if (at >= max_bytes) return result + "…";
    const std::size_t valid = invalid_utf8(head.substr(at)).value_or(head.size() - at);
    if (valid == 0) {
      result += escaped("\\x%02x", static_cast<unsigned char>(head[at++]));
      continue;
    }
    const std::size_t begin = at;
    const char32_t c = next_code_point(head, at);
    if (at > max_bytes) return result + "…";
    if (controls(c)) {
      result += escaped(c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
    } else {
      result += head.substr(begin, at - begin);
    }
  }
  return result;
}

}  // namespace core
