// Numbers printed to a few digits whose printed values still add up.
#pragma once

#include <string>
#include <vector>

namespace lab {

// Each value rounded to `digits` decimals, so that the rounded ones sum to their rounded sum: each
// is rounded down, then those that lost most are raised by one unit (largest remainders). No value
// moves by a whole unit. The results are in units of 10^-digits. Values must be finite and small
// enough for a long long.
std::vector<long long> rounded_parts(const std::vector<double>& values, int digits);

// Such a number as text: 1234 with 3 digits is "1.234".
std::string units_text(long long units, int digits);

}  // namespace lab
