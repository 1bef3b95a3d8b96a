#include "app/paper/touch/touch_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "core/tile.h"

namespace paper {
namespace {

// m and e of m 10^(e - 2), rounded once.
struct Rounded {
  int m, e;
};
Rounded rounded(float value) {
  const std::string text = fmt::format("{:.2e}", std::abs(static_cast<double>(value)));  // 1.23e-04
  int e = 0;
  const char* exponent = text.data() + 5;
  std::from_chars(exponent + (*exponent == '+' ? 1 : 0), text.data() + text.size(), e);
  return {(text[0] - '0') * 100 + (text[2] - '0') * 10 + (text[3] - '0'), e};
}

bool counts(float value) { return std::isfinite(value) && value != 0 && !core::is_masked(value); }

std::uint64_t hash_of(const TouchCells& cells) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const std::uint16_t code : cells.codes) hash = (hash ^ code) * 1099511628211u;
  return hash;
}

}  // namespace

int Decimals::least(const std::vector<float>& values) {
  std::optional<float> most;
  for (const float value : values) {
    if (counts(value)) most = std::max(most.value_or(0), std::abs(value));
  }
  return most ? rounded(*most).e - kDecades + 1 : 0;
}

std::uint16_t Decimals::code(float value, int least) {
  if (core::is_masked(value)) return kMasked;
  if (std::isnan(value)) return kNan;
  if (std::isinf(value)) return value > 0 ? kPlus : kMinus;
  if (value == 0) return kZero;
  const Rounded r = rounded(value);
  if (r.e < least) return kZero;
  return static_cast<std::uint16_t>(1 + (value < 0 ? 1 : 0) + 2 * (r.m - 100) +
                                    1800 * (r.e - least));
}

double Decimals::value(std::uint16_t code, int least) {
  switch (code) {
    case kZero: return 0;
    case kMasked: return static_cast<double>(core::kMasked);
    case kNan: return std::numeric_limits<double>::quiet_NaN();
    case kPlus: return std::numeric_limits<double>::infinity();
    case kMinus: return -std::numeric_limits<double>::infinity();
    default: break;
  }
  const int rest = code - 1, m = 100 + rest / 2 % 900, e = least + rest / 1800;
  double value = 0;
  const std::string text = fmt::format("{}{}e{}", rest % 2 ? "-" : "", m, e - 2);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

int TouchNumbers::add(TouchCells cells, int before) {
  const std::uint64_t hash = hash_of(cells);
  const auto [from, to] = found_.equal_range(hash);
  for (auto at = from; at != to; ++at) {
    if (entries_[static_cast<std::size_t>(at->second)].cells == cells) return at->second;
  }
  const int index = static_cast<int>(entries_.size());
  found_.emplace(hash, index);
  if (before >= 0) {
    const TouchCells& other = entries_[static_cast<std::size_t>(before)].cells;
    if (other.codes.size() != cells.codes.size()) before = -1;
  }
  entries_.push_back({std::move(cells), before});
  return index;
}

std::string TouchNumbers::bytes() const {
  std::string out;
  for (const Entry& entry : entries_) {
    const std::vector<std::uint16_t>& codes = entry.cells.codes;
    std::string low, high;
    for (std::size_t k = 0; k < codes.size(); ++k) {
      const int base =
          entry.before < 0 ? 0 : entries_[static_cast<std::size_t>(entry.before)].cells.codes[k];
      const auto change = static_cast<std::uint16_t>(codes[k] - base);
      low += static_cast<char>(change & 255);
      high += static_cast<char>(change >> 8);
    }
    out += low + high;
  }
  return out;
}

}  // namespace paper
