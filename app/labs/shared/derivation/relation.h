// "=" or "≈" before what is printed of several numbers.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>

#include "app/labs/shared/derivation/number_text.h"

namespace lab {

struct Printed {
  double value;
  std::string text;
};

// "= " where every text is its number, "≈ " where one was rounded.
inline std::string equals(std::initializer_list<Printed> numbers) {
  const bool exact = std::all_of(numbers.begin(), numbers.end(), [](const Printed& number) {
    return equals(number.value, number.text) == "= ";
  });
  return exact ? "= " : "≈ ";
}

}  // namespace lab
