// What kind of character a code point is: a small table that serves tokenising, not all of Unicode.
#pragma once

#include <string_view>

namespace core {

enum class CharacterKind {
  space,   // separates
  letter,  // letters and digits of scripts that are written with spaces
  single,  // ideographs and kana: a token by themselves
  mark,    // attaches to the character before it
  joiner,  // U+200D: attaches, and binds the next character too
  symbol,  // punctuation, signs, emoji
};

CharacterKind character_kind(char32_t c);

// Whether a text has more ideographs and kana than letters and digits of other scripts. It is valid
// UTF-8, else InputError.
bool mostly_ideographs(std::string_view text);

// Simple lower case of ASCII, Latin-1, Latin Extended-A, Greek and Cyrillic; others stay.
char32_t fold_case(char32_t c);

}  // namespace core
