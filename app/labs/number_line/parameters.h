// What the number line lab can be set to.
#pragma once

#include "app/labs/shared/number_format.h"

namespace lab::number_line {

// What is rounded: the number x, or one of those that are no finite numbers.
enum class Special { number, infinity, minus_infinity, nan, minus_nan };
enum class Explained { bits, rounding, spacing, facts };

// Beyond the largest number of float32, so that every format can overflow.
inline constexpr double kLargestX = 1e39;

struct Parameters {
  NumberFormat format;
  double x = 0.1;
  Special special = Special::number;
  int payload = 64;
  NumberRounding rounding;
  core::Overflow overflow = core::Overflow::ieee;
  int shown = 24;
  double middle = 0.1;
  Explained explained = Explained::rounding;
};

void describe(Parameters& p, param::List& list);

// The largest mantissa field that a NaN of the format can have; 1 where there is no choice.
int most_payload(const core::Format& format);

}  // namespace lab::number_line
