// Characters that Unicode has assigned since the tables of Oniguruma were made: its classes do not
// know them, and the classes of the library that published tokenizers run on do.
#pragma once

#include <string>

namespace core::subword {

// The same pattern, of which each class by a general category (\p{L}, \P{Nd}, \p{^M}, \p{Letter}
// and their like, \p{Alphabetic}, \w and \d) also has what core/text/unicode.h assigns to it and
// the engine calls unassigned. Of Alphabetic these are letters and numbers that are letters.
std::string with_newer_characters(const std::string& pattern);

}  // namespace core::subword
