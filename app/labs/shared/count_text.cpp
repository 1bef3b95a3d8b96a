#include "app/labs/shared/count_text.h"

#include <fmt/format.h>

#include <cmath>

namespace lab {

std::string grouped(core::Index value) {
  const std::string digits = fmt::format("{}", value < 0 ? -value : value);
  std::string text = value < 0 ? "-" : "";
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) text.push_back(',');
    text.push_back(digits[k]);
  }
  return text;
}

std::string short_count(double value) {
  constexpr const char* kUnits[] = {"", " k", " M", " G", " T", " P"};
  int unit = 0;
  while (std::abs(value) >= 999.5 && unit < 5) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}g}{}", value, 3, kUnits[unit]);
}

std::string percent_text(double share) {
  return 100 * share < 100 ? fmt::format("{:.2g}", 100 * share)
                           : grouped(std::llround(100 * share));
}

}  // namespace lab
