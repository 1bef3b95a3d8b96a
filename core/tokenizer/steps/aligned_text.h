// A text that was changed, and of each of its bytes where it comes from: the alignment that the
// published library of tokenizers keeps, rule by rule, so that offsets are the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core::subword {

// Texts are at most so long: an offset has 32 bits.
inline constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;

// Bytes [begin, end) of a text.
struct ByteRange {
  std::uint32_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

// One character of the text that comes out. change 0: it stands for the next character of what
// was; 1: it was put in, and is aligned with what stands before; -k: it stands for the next one,
// and the k after that are gone.
struct CharacterChange {
  char32_t character;
  std::int32_t change;
};

struct AlignedText {
  std::string text;                // UTF-8
  std::vector<ByteRange> origins;  // of each byte; the bytes of one character share theirs

  AlignedText() = default;
  // Unchanged, out of a longer one in which it begins at `begin`.
  AlignedText(std::string_view text, std::size_t begin);

  // Where bytes [begin, end), begin < end, come from.
  ByteRange origin(std::size_t begin, std::size_t end) const {
    return {origins[begin].begin, origins[end - 1].end};
  }
  void append(char32_t character, ByteRange origin);
  void append(const AlignedText& other, std::size_t begin, std::size_t end);
};

// What comes out of these changes, which cover the whole text after its first `skipped` characters.
AlignedText transformed(const AlignedText& before, const std::vector<CharacterChange>& changes,
                        std::size_t skipped = 0);

// `prefix` before bytes [begin, end) of a text, aligned with their first character; appended to
// `to`. Nothing comes before nothing.
void append_prefixed(AlignedText& to, std::string_view prefix, const AlignedText& from,
                     std::size_t begin, std::size_t end);

}  // namespace core::subword
