#include "app/labs/shared/derivation/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>

namespace lab {

std::string fixed(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  std::string text = fmt::format("{:.{}f}", value, digits);
  const bool zero = text.find_first_not_of("-0.") == text.npos;
  return zero && text.front() == '-' ? text.substr(1) : text;
}

std::string significant(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

std::string equals(double value, const std::string& text) {
  if (!std::isfinite(value)) return "= ";
  // What is left of sums and products that are short in decimals only.
  constexpr double kRounding = 1e-14;
  std::string digits = text;
  std::erase(digits, ',');
  const double read = std::strtod(digits.c_str(), nullptr);
  return std::abs(read - value) <= kRounding * std::abs(value) ? "= " : "≈ ";
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-3 || size >= 1e6)) return fmt::format("{:.2e}", value);
  if (size >= 1e4) return fmt::format("{:.0f}", value);
  return fmt::format("{:.4g}", value);
}

std::string entry_name(std::string_view name, core::Index row, core::Index col) {
  return fmt::format("{}[{},{}]", name, row, col);
}

std::string bracketed(const std::string& text) {
  return text.starts_with('-') ? "(" + text + ")" : text;
}

std::string weight_text(double weight) {
  if (std::isnan(weight)) return "NaN";
  const bool small = std::abs(weight) < 0.01 && weight != 0;
  return small ? fmt::format("{:.3g}", weight) : fmt::format("{:.4f}", weight);
}

std::string score_text(double score) {
  return std::abs(score) >= 1000 && std::isfinite(score) ? fmt::format("{:.12g}", score)
                                                         : fixed(score);
}

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
  // From here on two digits would be rounded to 1e+02.
  return 100 * share < 99.5 ? fmt::format("{:.2g}", 100 * share)
                            : grouped(std::llround(100 * share));
}

std::string percent(double share, int decimals) { return fixed(100 * share, decimals) + " %"; }
std::string percent(double share) { return percent_text(share) + " %"; }

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 6> kUnits{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) bytes /= 1000, ++unit;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

std::string time_text(double seconds) {
  if (seconds < 1e-3) return significant(seconds * 1e6, 3) + " µs";
  return seconds < 1 ? significant(seconds * 1e3, 3) + " ms" : significant(seconds, 3) + " s";
}

}  // namespace lab
