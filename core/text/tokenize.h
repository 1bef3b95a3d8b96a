// Text to tokens, without a trained vocabulary: words, characters or bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/types.h"

namespace core {

enum class Unit { words, characters, bytes };

struct Token {
  std::u32string identity;  // what decides whether two tokens are the same; folded to lower case
  std::string label;        // what is shown, in its own case
};

// At most `limit` tokens of a text; throws InputError when it is not UTF-8.
//
// words:      a run of letters and digits of any script, with the apostrophes and combining marks
//             inside of it, is one token; each Chinese or Japanese character (ideograph, kana) is
//             one; each punctuation mark or symbol is one. White space separates. Korean words,
//             which are written with spaces, are runs.
// characters: one code point together with the combining marks, variation selectors and joined
//             emoji after it; CR LF is one. White space is shown by symbols: "␣", "⇥", "⏎".
// bytes:      the bytes of the UTF-8 form, shown as two hexadecimal digits.
//
// Identities are folded to lower case for ASCII, Latin-1, Greek and Cyrillic; bytes are not.
std::vector<Token> tokenize(std::string_view text, Unit unit, Index limit);

// How many tokens `tokenize` would give.
Index count_tokens(std::string_view text, Unit unit, Index limit);

}  // namespace core
