#include "core/tokenizer/steps/aligned_text.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace core::subword {

AlignedText::AlignedText(std::string_view unchanged, std::size_t begin) : text(unchanged) {
  origins.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    next_code_point(text, at);
    const ByteRange origin{static_cast<std::uint32_t>(begin + from),
                           static_cast<std::uint32_t>(begin + at)};
    origins.insert(origins.end(), at - from, origin);
  }
}

void AlignedText::append(char32_t character, ByteRange origin) {
  append_utf8(text, character);
  origins.resize(text.size(), origin);
}

void AlignedText::append(const AlignedText& other, std::size_t begin, std::size_t end) {
  text.append(other.text, begin, end - begin);
  origins.insert(origins.end(), other.origins.begin() + static_cast<std::ptrdiff_t>(begin),
                 other.origins.begin() + static_cast<std::ptrdiff_t>(end));
}

AlignedText transformed(const AlignedText& before, const std::vector<CharacterChange>& changes,
                        std::size_t skipped) {
  AlignedText after;
  after.text.reserve(before.text.size());
  after.origins.reserve(before.text.size());
  std::size_t at = 0;
  const auto skip = [&](std::size_t characters) {
    for (; characters > 0 && at < before.text.size(); --characters) {
      next_code_point(before.text, at);
    }
  };
  skip(skipped);
  for (const CharacterChange& one : changes) {
    ByteRange origin;
    if (one.change > 0) {
      if (at > 0) origin = before.origins[at - 1];
    } else if (!before.origins.empty()) {
      origin = before.origins[std::min(at, before.origins.size() - 1)];
      skip(1 + static_cast<std::size_t>(-one.change));
    }
    after.append(one.character, origin);
  }
  return after;
}

void append_prefixed(AlignedText& to, std::string_view prefix, const AlignedText& from,
                     std::size_t begin, std::size_t end) {
  if (begin == end) return;
  to.text += prefix;
  to.origins.resize(to.text.size(), from.origins[begin]);
  to.append(from, begin, end);
}

}  // namespace core::subword
