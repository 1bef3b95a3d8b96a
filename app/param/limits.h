// Limits of values, shared by reading a value and by saying what is expected of one.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/param/param.h"

namespace param {

inline constexpr std::size_t kMostNameBytes = 4096;

// Integers go in whole steps.
inline double integer_step(const Info& info) { return std::max(1.0, std::round(info.step)); }

// False for NaN.
inline bool inside(const Info& info, double value) {
  return value >= info.min && value <= info.max;
}

// The words of a text that are not among those found, or those that are.
std::string words_found(const Text& kind, std::string_view text, bool there);

}  // namespace param
