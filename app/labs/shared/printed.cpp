#include "app/labs/shared/printed.h"

#include <cmath>
#include <cstdlib>

#include "app/labs/shared/number_text.h"

namespace lab {

std::string equals(double value, const std::string& text) {
  std::string digits = text;
  std::erase(digits, ',');
  const bool all = !std::isfinite(value) || std::strtod(digits.c_str(), nullptr) == value;
  return (all ? "= " : "≈ ") + text;
}

std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + " %"; }

}  // namespace lab
