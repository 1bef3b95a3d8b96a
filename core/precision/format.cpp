#include "core/precision/format.h"

#include <cmath>
#include <limits>
#include <string>

#include "core/position/checks.h"
#include "core/precision/layout.h"
#include "core/precision/rounding.h"
#include "core/refuse.h"

namespace core {
namespace {

using position::number_text;
using precision::Layout;
using precision::Parts;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Layout layout_of(const Format& format) {
  require_format(format);
  return Layout(format);
}

Layout layout_for(const Format& format, Code code) {
  const Layout layout = layout_of(format);
  if (code >> 1 >= layout.sign) {
    refuse("code", "at most " + std::to_string(2 * layout.sign - 1) + " in this format",
           std::to_string(code));
  }
  return layout;
}

bool beyond_finite(const Layout& layout, Code magnitude) { return magnitude > layout.largest; }

// Rank of the format's number x among all of them: 0 for zero, negative below.
std::int64_t rank_of(const Format& format, const Layout& layout, double x) {
  const Code magnitude = encode(format, std::fabs(x));
  const auto rank = static_cast<std::int64_t>(
      magnitude < layout.smallest_nonzero ? 0 : magnitude - layout.smallest_nonzero + 1);
  return x < 0 ? -rank : rank;
}

double of_rank(const Layout& layout, std::int64_t rank) {
  if (rank == 0) return 0;
  const Code steps = static_cast<Code>(rank < 0 ? -rank : rank) - 1;
  const double magnitude = layout.magnitude(layout.smallest_nonzero + steps);
  return rank < 0 ? -magnitude : magnitude;
}

struct Ranks {
  std::int64_t first, last;
};

Ranks ranks_between(const Format& format, double low, double high) {
  const Layout layout = layout_of(format);
  if (std::isnan(low) || std::isnan(high)) refuse("numbers", "two bounds that are numbers", "nan");
  const double top = max_finite(format);
  if (low > high || low > top || high < -top) return {0, -1};
  const double from = round_to(format, std::max(low, -top), Rounding::upward);
  const double to = round_to(format, std::min(high, top), Rounding::downward);
  return {rank_of(format, layout, from), rank_of(format, layout, to)};
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (const NamedFormat& named : kNamedFormats) {
    if (name == named.name) return named.format;
  }
  return std::nullopt;
}

void require_format(const Format& f) {
  const int least_mantissa = f.specials == Specials::ieee ? 1 : 0;
  if (f.exponent_bits < 1 || f.exponent_bits > 11 || f.mantissa_bits < least_mantissa ||
      f.mantissa_bits > 52) {
    refuse("format",
           "1 to 11 exponent bits and " + std::to_string(least_mantissa) + " to 52 mantissa bits",
           std::to_string(f.exponent_bits) + " and " + std::to_string(f.mantissa_bits));
  }
  if (f.bias < -2048 || f.bias > 4096) {
    refuse("format", "a bias between -2048 and 4096", std::to_string(f.bias));
  }
  // The topmost exponent field of a finite number.
  const int top = (1 << f.exponent_bits) - 1;
  const bool top_is_special =
      f.specials == Specials::ieee || (f.specials == Specials::nan_only && f.mantissa_bits == 0);
  const int largest = top_is_special ? top - 1 : top;
  const int least = 1 - f.bias - (f.subnormals ? f.mantissa_bits : 0);
  if (std::max(largest, 1) - f.bias > 1023 || least < -1074 || 1 - f.bias < -1022) {
    refuse("format", "a bias under which every number is a double's", std::to_string(f.bias));
  }
  if (largest == 0 && (!f.subnormals || f.mantissa_bits == 0)) {
    refuse("format", "at least one finite number besides zero", "none");
  }
}

Fields fields_of(const Format& format, Code code) {
  const Layout layout = layout_for(format, code);
  const Code magnitude = code & (layout.sign - 1);
  return {(code & layout.sign) != 0, magnitude >> layout.mantissa_bits,
          magnitude & (layout.leading - 1)};
}

Code code_of(const Format& format, const Fields& fields) {
  const Layout layout = layout_of(format);
  if (fields.exponent >= layout.sign >> layout.mantissa_bits || fields.mantissa >= layout.leading) {
    refuse("fields",
           "an exponent below " + std::to_string(layout.sign >> layout.mantissa_bits) +
               " and a mantissa below " + std::to_string(layout.leading),
           std::to_string(fields.exponent) + " and " + std::to_string(fields.mantissa));
  }
  return (fields.negative ? layout.sign : 0) | fields.exponent << layout.mantissa_bits |
         fields.mantissa;
}

NumberClass class_of(const Format& format, Code code) {
  const Layout layout = layout_for(format, code);
  const Code magnitude = code & (layout.sign - 1);
  if (beyond_finite(layout, magnitude)) {
    const bool infinite = layout.specials == Specials::ieee && magnitude == layout.infinity;
    return infinite ? NumberClass::infinity : NumberClass::nan;
  }
  if (magnitude >= layout.leading) return NumberClass::normal;
  return magnitude == 0 || !layout.subnormals ? NumberClass::zero : NumberClass::subnormal;
}

double number_of(const Format& format, Code code) {
  const NumberClass kind = class_of(format, code);
  const Layout layout(format);
  const bool negative = (code & layout.sign) != 0;
  if (kind == NumberClass::nan) return negative ? -kNaN : kNaN;
  if (kind == NumberClass::infinity) return negative ? -kInfinity : kInfinity;
  const double magnitude = layout.magnitude(code & (layout.sign - 1));
  return negative ? -magnitude : magnitude;
}

double max_finite(const Format& format) {
  const Layout layout = layout_of(format);
  return layout.magnitude(layout.largest);
}

std::optional<double> min_normal(const Format& format) {
  const Layout layout = layout_of(format);
  if (layout.largest < layout.leading) return std::nullopt;
  return layout.magnitude(layout.leading);
}

double min_positive(const Format& format) {
  const Layout layout = layout_of(format);
  return layout.magnitude(layout.smallest_nonzero);
}

double spacing(const Format& format, double x) {
  const Layout layout = layout_of(format);
  if (!std::isfinite(x)) refuse("spacing", "a finite number", number_text(x));
  const int binade = x == 0 ? layout.least_exponent - 1 : Parts(x).binade();
  if (binade < layout.least_exponent && !layout.subnormals) return min_positive(format);
  return std::ldexp(1.0, std::max(binade, layout.least_exponent) - layout.mantissa_bits);
}

double next_up(const Format& format, double x) {
  const Layout layout = layout_of(format);
  const double top = layout.magnitude(layout.largest);
  if (std::isnan(x)) return x;
  if (x < -top) return -top;
  if (x >= top) {
    if (layout.specials == Specials::ieee) return kInfinity;
    return layout.specials == Specials::nan_only ? kNaN : top;
  }
  const double above = round_to(format, x, Rounding::upward);
  if (above > x) return above;
  return of_rank(layout, rank_of(format, layout, x) + 1);
}

double next_down(const Format& format, double x) { return -next_up(format, -x); }

Index count_between(const Format& format, double low, double high) {
  const Ranks ranks = ranks_between(format, low, high);
  return ranks.last - ranks.first + 1;
}

std::vector<double> numbers_between(const Format& format, double low, double high, Index most) {
  const Ranks ranks = ranks_between(format, low, high);
  const Index count = ranks.last - ranks.first + 1;
  if (count > most) {
    refuse("numbers_between", "at most " + std::to_string(most) + " numbers",
           std::to_string(count));
  }
  const Layout layout(format);
  std::vector<double> numbers;
  numbers.reserve(static_cast<size_t>(count));
  for (Index rank = ranks.first; rank <= ranks.last; ++rank) {
    numbers.push_back(of_rank(layout, rank));
  }
  return numbers;
}

std::vector<Binade> binades(const Format& format) {
  const Layout layout = layout_of(format);
  std::vector<Binade> out;
  for (Code first = 0; first <= layout.largest; first += layout.leading) {
    const Code last = std::min(first + layout.leading - 1, layout.largest);
    const bool flushed = first == 0 && !layout.subnormals;
    out.push_back({.low = layout.magnitude(first),
                   .high = layout.magnitude(first + layout.leading),
                   .spacing = spacing(format, layout.magnitude(first)),
                   .count = flushed ? 1 : static_cast<Index>(last - first + 1)});
  }
  return out;
}

FormatFacts format_facts(const Format& format) {
  const Layout layout = layout_of(format);
  FormatFacts facts;
  facts.bits = bit_count(format);
  facts.max = layout.magnitude(layout.largest);
  facts.min_normal = min_normal(format);
  facts.min_positive = min_positive(format);
  facts.epsilon = spacing(format, 1);
  // Steps are at most 1 below 2^(t+1), so long as there are numbers of which to speak.
  const double steps_of_one = std::ldexp(1.0, format.mantissa_bits + 1);
  if (spacing(format, 0) > 1) {
    facts.last_consecutive_integer = 0;
  } else {
    facts.last_consecutive_integer = std::floor(std::min(steps_of_one, facts.max));
  }
  facts.has_infinity = layout.specials == Specials::ieee;
  facts.has_nan = layout.specials != Specials::none;
  facts.finite_codes = 2 * (layout.largest + 1);
  return facts;
}

}  // namespace core
