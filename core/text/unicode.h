// What Unicode says of code points: classes, normal forms, lower case, grapheme clusters. The
// tables are utf8proc's (Unicode 15).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace core::unicode {

// The general category in two letters, "Lo"; "Cn": unassigned.
std::string_view general_category(char32_t c);

bool is_white_space(char32_t c);      // the property White_Space
bool is_number(char32_t c);           // Nd, Nl, No
bool is_punctuation(char32_t c);      // Pc, Pd, Ps, Pe, Pi, Pf, Po
bool is_mark(char32_t c);             // Mn, Mc, Me
bool is_nonspacing_mark(char32_t c);  // Mn
bool is_control(char32_t c);          // Cc, Cf, Co; not what is unassigned

int combining_class(char32_t c);

// The full lower case of one character by itself: U+0130 has two, and a final sigma is none.
void append_lower(std::u32string& to, char32_t c);

// The full decomposition, canonical (NFD) or of compatibility (NFKD), of one character.
void append_decomposed(std::u32string& to, char32_t c, bool compatible);

// The primary composite of two characters; 0 when there is none.
char32_t composed(char32_t first, char32_t second);

// Walks through a text: whether a grapheme cluster ends between two characters that follow each
// other (Unicode Standard Annex 29, extended clusters).
class ClusterBreaks {
 public:
  bool between(char32_t before, char32_t after);

 private:
  std::int32_t state_ = 0;
};

}  // namespace core::unicode
