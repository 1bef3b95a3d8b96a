#include "app/param/reading.h"

#include <algorithm>

#include "core/text/printable.h"

namespace param {

Mismatch::Mismatch(words::Sentence wanted, words::Sentence came)
    : core::InputError(words::Sentence(N_("expected {}, got {}"), wanted, came)),
      expected(std::move(wanted)),
      got(std::move(came)) {}

words::Sentence shown(std::string_view text) {
  constexpr std::size_t kShownBytes = 40;
  if (text.empty()) return words::Sentence(N_("nothing"));
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
  };
  if (text.size() <= kShownBytes && std::all_of(text.begin(), text.end(), plain)) {
    return words::Sentence::plain(std::string(text));
  }
  return words::Sentence::plain('"' + core::printable(text, kShownBytes) + '"');
}

std::string halfwidth(std::string_view text) {
  // U+FF01 to U+FF5E stand for "!" to "~": three bytes each.
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const bool wide = k + 2 < text.size() && byte(k) == 0xef &&
                      (byte(k + 1) == 0xbc || byte(k + 1) == 0xbd) && byte(k + 2) >= 0x80;
    if (!wide) {
      plain += text[k];
      continue;
    }
    const unsigned code = 0xf000U + ((byte(k + 1) & 0x3fU) << 6) + (byte(k + 2) & 0x3fU);
    if (code >= 0xff01 && code <= 0xff5e) {
      plain += static_cast<char>(code - 0xff01 + '!');
    } else {
      plain += text.substr(k, 3);
    }
    k += 2;
  }
  return plain;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view taken_to(char mark, std::string_view& text) {
  const std::size_t end = text.find(mark);
  const std::string_view piece = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return piece;
}

}  // namespace param
