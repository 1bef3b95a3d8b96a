// Numbers for people: ticks of axes and the text of a value.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"

namespace figure {
namespace {

void strip_zeros(std::string& text) {
  if (text.find('.') == std::string::npos) return;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
}

// 10 to the power of a whole number from 0 to 308; the first 23 are exact.
double power_of_ten(int exponent) {
  static constexpr double kExact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const auto place = static_cast<std::size_t>(exponent);
  return place < std::size(kExact) ? kExact[place] : std::pow(10.0, exponent);
}

// "-1.25e-03" taken apart: the digits -125 stand for -1.25, the exponent is the one after rounding.
struct Scientific {
  bool negative;
  std::string digits;
  int exponent;
};

Scientific scientific(double value, int digits) {
  fmt::memory_buffer written;
  fmt::format_to(fmt::appender(written), "{:.{}e}", std::abs(value), digits - 1);
  const std::string_view text(written.data(), written.size());
  const std::size_t e = text.find('e');
  Scientific parts = {value < 0, std::string(text.substr(0, 1)), 0};
  if (e > 2) parts.digits += text.substr(2, e - 2);
  for (const char c : text.substr(e + 2)) parts.exponent = 10 * parts.exponent + (c - '0');
  if (text[e + 1] == '-') parts.exponent = -parts.exponent;
  return parts;
}

// digits[0].digits[1]... times 10^exponent, written out.
std::string written_out(const std::string& digits, int exponent) {
  if (exponent < 0)
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  return whole < digits.size() ? digits.substr(0, whole) + "." + digits.substr(whole) : digits;
}

// m * 10^e, whose multiples are rounded once: 3 * 1e-1 is 0.3 and not 0.30000000000000004.
class Step {
 public:
  Step(int m, int e) : m_(m), up_(e >= 0), power_(power_of_ten(std::abs(e))) {}
  double times(double k) const { return up_ ? k * m_ * power_ : k * m_ / power_; }

 private:
  int m_;
  bool up_;
  double power_;
};

// The multiples of a step in [lo, hi], if there are no more than `most`; a tick may miss an end by
// a billionth of the range, since an end is often a rounded number itself.
std::vector<double> multiples(double lo, double hi, const Step& of, int most) {
  const double step = of.times(1);
  if (!std::isfinite(step)) return {};
  const double first = std::ceil(lo / step - 1e-9), last = std::floor(hi / step + 1e-9);
  std::vector<double> ticks;
  // The first and the last may yet turn out to lie outside.
  if (!std::isfinite(first) || !std::isfinite(last) || last - first > most + 1.0) return ticks;
  // Counted in an int: where k + 1 is k in double, counting in k would never end.
  const int count = static_cast<int>(last - first) + 1;
  for (int i = 0; i < count; ++i) {
    const double tick = of.times(first + i) + 0.0;  // + 0.0 turns -0 into 0
    const double slack = 1e-9 * (hi / 2 - lo / 2);
    if (tick < lo - slack || tick > hi + slack) continue;
    if (!ticks.empty() && tick <= ticks.back()) return {};  // finer than doubles are here
    ticks.push_back(tick);
  }
  return ticks;
}

}  // namespace

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (value == 0) return "0";
  digits = std::clamp(digits, 1, 17);
  if (value == std::floor(value) && std::abs(value) < power_of_ten(std::min(digits, 6))) {
    return fmt::to_string(static_cast<int>(value));
  }
  const Scientific parts = scientific(value, digits);
  const std::string sign = parts.negative ? "-" : "";
  if (parts.exponent >= -4 && parts.exponent < 6) {
    // Whole digits are never rounded away: 12345.6 to four digits is 12346.
    if (parts.exponent >= digits) return fmt::format("{:.0f}", value);
    std::string text = written_out(parts.digits, parts.exponent);
    strip_zeros(text);
    return sign + text;
  }
  std::string mantissa = written_out(parts.digits, 0);
  strip_zeros(mantissa);
  return fmt::format("{}{}e{}", sign, mantissa, parts.exponent);
}

std::vector<double> nice_ticks(double lo, double hi, int most) {
  if (!std::isfinite(lo) || !std::isfinite(hi) || most < 1) return {};
  if (lo > hi) std::swap(lo, hi);
  if (lo == hi) return {lo};
  // Half of the range cannot overflow where the range can.
  const double half = hi / 2 - lo / 2;
  if (half == 0) return {lo};
  int e = static_cast<int>(std::floor(std::log10(half) - std::log10(most))) - 1;
  for (e = std::max(e, -307); e <= 308; ++e) {
    for (const int m : {1, 2, 5}) {
      std::vector<double> ticks = multiples(lo, hi, Step(m, e), most);
      if (!ticks.empty() && ticks.size() <= static_cast<std::size_t>(most)) return ticks;
    }
  }
  return {};
}

std::vector<double> log_ticks(double lo, double hi, int most) {
  if (lo > hi) std::swap(lo, hi);
  if (!(lo > 0) || !std::isfinite(hi) || most < 1) return {};
  if (lo == hi) return {lo};
  const int first = std::max(-307, static_cast<int>(std::ceil(std::log10(lo) - 1e-9)));
  const int last = static_cast<int>(std::floor(std::log10(hi) + 1e-9));
  // Less than two whole decades: 1, 2, 5 within them, and plain ticks where that gives too few.
  if (last - first < 2) {
    std::vector<double> ticks;
    for (int e = std::max(-307, first - 1); e <= last; ++e) {
      for (const int m : {1, 2, 5}) {
        const double tick = Step(m, e).times(1);
        if (tick >= lo * (1 - 1e-9) && tick <= hi * (1 + 1e-9)) ticks.push_back(tick);
      }
    }
    if (ticks.size() >= 3 && ticks.size() <= static_cast<std::size_t>(most)) return ticks;
    if (ticks.size() < 3) return nice_ticks(lo, hi, most);
  }
  std::vector<double> ticks;
  const int every = (last - first) / most + 1;
  // Multiples of `every` from 10^0 on, so that zooming keeps the same decades.
  for (int e = first; e <= last; ++e) {
    if (e % every == 0) ticks.push_back(Step(1, e).times(1));
  }
  return ticks.empty() ? nice_ticks(lo, hi, most) : ticks;
}

}  // namespace figure
