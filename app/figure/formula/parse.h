// The tree of a formula.
#pragma once

#include <string>
#include <vector>

#include "app/figure/theme.h"

namespace figure::tex {

enum class Kind {
  letter,    // one letter, italic
  upright,   // digits, words, operators, symbols
  binary,    // a sign between two things, with room around it
  space,     // `width` em
  row,       // parts: one after the other
  scripts,   // parts: base, superscript, subscript (the last two may be empty rows)
  fraction,  // parts: numerator, denominator
  root,      // parts: what is under it
  overline,  // parts: what is under it
  accent,    // parts: what is under it; text is "hat" or "tilde"
  fenced,    // parts: what is inside; text is the left fence, right the other
  colored    // parts: what is coloured
};

struct Node {
  Kind kind = Kind::row;
  std::string text, right;
  float width = 0;
  Role role = Role::text;
  std::vector<Node> parts;
};

// Throws core::InputError.
Node parse(const std::string& source);

}  // namespace figure::tex
