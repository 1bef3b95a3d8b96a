#include "core/text/unicode.h"

#include <utf8proc.h>

#include <array>

namespace core::unicode {
namespace {

utf8proc_category_t category(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

// The longest decomposition of a character is that of U+FDFA, of 18.
constexpr std::size_t kMostDecomposed = 32;

}  // namespace

std::string_view general_category(char32_t c) {
  return utf8proc_category_string(static_cast<utf8proc_int32_t>(c));
}

bool is_white_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0d);
  if (c == 0x85) return true;
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL ||
         kind == UTF8PROC_CATEGORY_ZP;
}

bool is_number(char32_t c) {
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t c) {
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool is_mark(char32_t c) {
  const auto kind = category(c);
  return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

bool is_nonspacing_mark(char32_t c) { return category(c) == UTF8PROC_CATEGORY_MN; }

bool is_control(char32_t c) {
  const auto kind = category(c);
  return kind == UTF8PROC_CATEGORY_CC || kind == UTF8PROC_CATEGORY_CF ||
         kind == UTF8PROC_CATEGORY_CO;
}

int combining_class(char32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class;
}

void append_lower(std::u32string& to, char32_t c) {
  if (c < 0x80) {
    to.push_back(c >= 'A' && c <= 'Z' ? c + 32 : c);
  } else if (c == 0x130) {  // the only one of several without a condition (SpecialCasing.txt)
    to += U"i\u0307";
  } else {
    to.push_back(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
  }
}

void append_decomposed(std::u32string& to, char32_t c, bool compatible) {
  if (c < 0x80) {
    to.push_back(c);
    return;
  }
  std::array<utf8proc_int32_t, kMostDecomposed> parts;
  int last_class = UTF8PROC_BOUNDCLASS_START;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_STABLE |
                                                      (compatible ? UTF8PROC_COMPAT : 0));
  const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                                             kMostDecomposed, options, &last_class);
  if (count <= 0) {
    to.push_back(c);
    return;
  }
  for (utf8proc_ssize_t k = 0; k < count; ++k) {
    to.push_back(static_cast<char32_t>(parts[static_cast<std::size_t>(k)]));
  }
}

char32_t composed(char32_t first, char32_t second) {
  utf8proc_int32_t pair[2] = {static_cast<utf8proc_int32_t>(first),
                              static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  return utf8proc_normalize_utf32(pair, 2, options) == 1 ? static_cast<char32_t>(pair[0]) : 0;
}

bool ClusterBreaks::between(char32_t before, char32_t after) {
  return utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                          static_cast<utf8proc_int32_t>(after), &state_);
}

}  // namespace core::unicode
