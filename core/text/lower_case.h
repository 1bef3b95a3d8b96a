// Lower case of names that are ASCII: endings of files, names of classes, keywords.
#pragma once

#include <string>
#include <string_view>

namespace core {

// A to Z alone, in any locale; all other bytes stay.
inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace core
