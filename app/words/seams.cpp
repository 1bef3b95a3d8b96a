#include "app/words/seams.h"

#include <cstddef>

#include "core/text/characters.h"

namespace words {
namespace {

constexpr char kBlank = '\x1d', kNone = '\x1c';  // what the translation had there

bool is_seam(char c) { return c == kBlank || c == kNone; }
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The first character of a text in UTF-8; 0 when there is none.
char32_t first_of(std::string_view text) {
  if (text.empty()) return 0;
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead;
  char32_t c = lead & (lead >= 0xf0 ? 0x07u : lead >= 0xe0 ? 0x0fu : 0x1fu);
  for (std::size_t k = 1; k < text.size() && continues(text[k]); ++k) {
    c = (c << 6) | (static_cast<unsigned char>(text[k]) & 0x3fu);
  }
  return c;
}

char32_t last_of(std::string_view text) {
  std::size_t k = text.size();
  while (k > 0 && continues(text[k - 1])) --k;
  return k == 0 ? 0 : first_of(text.substr(k - 1));
}

bool is_chinese(char32_t c) {
  return core::character_kind(c) == core::CharacterKind::single && c >= 0x2e80;
}
// A character that sets itself apart: 。，（“ and the like.
bool has_room(char32_t c) {
  return (c >= 0x3000 && c <= 0x303f) || (c >= 0xff00 && c <= 0xffef) ||
         (c >= 0x2018 && c <= 0x201d);
}
bool is_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         (c >= 0x370 && c <= 0x3ff);
}

bool wants_blank(char seam, char32_t before, char32_t after) {
  if (before == 0 || after == 0) return false;
  const char32_t value = is_chinese(before) ? after : before;
  if (seam == kNone) return is_word(value);
  return !is_chinese(value) && !has_room(value);
}

}  // namespace

std::string with_seams(std::string_view format) {
  std::string text;
  text.reserve(format.size() + 8);
  for (std::size_t k = 0; k < format.size(); ++k) {
    const std::string_view rest = format.substr(k);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      text += rest.substr(0, 2);
      ++k;
    } else if (rest[0] == '{') {
      const bool blank = text.ends_with(' ');
      if (blank && is_chinese(last_of(std::string_view(text).substr(0, text.size() - 1)))) {
        text.back() = kBlank;
      } else if (is_chinese(last_of(text))) {
        text += kNone;
      }
      text += rest[0];
    } else if (rest[0] == '}') {
      text += rest[0];
      if (rest.size() > 1 && rest[1] == ' ' && is_chinese(first_of(rest.substr(2)))) {
        text += kBlank;
        ++k;
      } else if (is_chinese(first_of(rest.substr(1)))) {
        text += kNone;
      }
    } else {
      text += rest[0];
    }
  }
  return text;
}

std::string without_seams(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (!is_seam(text[k])) {
      joined += text[k];
      continue;
    }
    std::size_t next = k + 1;
    while (next < text.size() && is_seam(text[next])) ++next;
    if (wants_blank(text[k], last_of(joined), first_of(text.substr(next)))) joined += ' ';
    k = next - 1;
  }
  return joined;
}

}  // namespace words
