// Numbers as text, the same in every lab.
#pragma once

#include <string>
#include <string_view>

#include "core/types.h"

namespace lab {

// "-0.125": so many decimals; "NaN", "∞", "-∞".
std::string fixed(double value, int digits = 3);
// So many significant digits, trailing zeros left out: "0.125", "1e+06".
std::string significant(double value, int digits = 6);
// "= " where the text is the number, "≈ " where it was rounded; and the same with the text:
// "= 0.5", "≈ 0.707107".
std::string equals(double value, const std::string& text);
inline std::string equated(double value, const std::string& text) {
  return equals(value, text) + text;
}
// Four significant digits, with a power of ten where it is very small or large: "0.0123",
// "1.20e-07", "12345".
std::string short_number(double value);
// "s[3,5]"
std::string entry_name(std::string_view name, core::Index row, core::Index col);
// In parentheses when it is negative, as a factor stands in a product.
std::string bracketed(const std::string& text);

// A weight with four decimals, or three digits where it is small; "NaN".
std::string weight_text(double weight);
// A score or a fill: "0.250", "-∞", and large ones with every digit, so that -4294967295 and
// -4294967296 differ.
std::string score_text(double score);

// 12,582,912
std::string grouped(core::Index value);
// 12.6 M
std::string short_count(double value);
// A share in percent: "0.15 %", "25 %", "3,170 %".
std::string percent(double share);
// The same with so many decimals: "10.94 %".
std::string percent(double share, int decimals);
// The same without the sign, for sentences that have it.
std::string percent_text(double share);
// 1.5 kB, 268 MB: powers of 1000.
std::string bytes_text(double bytes);
// "3.21 ms": of µs, ms and s.
std::string time_text(double seconds);

}  // namespace lab
