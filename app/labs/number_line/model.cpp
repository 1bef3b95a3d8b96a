#include "app/labs/number_line/model.h"

namespace lab::number_line {
namespace {

using core::Rounding, core::RoundingRule;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double number_of(const Parameters& p) {
  switch (p.special) {
    case Special::infinity: return kInfinity;
    case Special::minus_infinity: return -kInfinity;
    case Special::nan: return kNaN;
    case Special::minus_nan: return -kNaN;
    case Special::number: break;
  }
  return p.x;
}

Stored stored_as(const Format& format, Code code) {
  return {code, core::number_of(format, code), core::class_of(format, code)};
}

// Infinity stays infinity where there is one, whatever becomes of what is too large; a NaN keeps
// its payload, cut to what the format has room for.
Stored store(const Format& format, double x, const Parameters& p, std::uint64_t random) {
  if (std::isnan(x)) {
    if (format.specials == core::Specials::none) return {std::nullopt, x, core::NumberClass::nan};
    core::Fields fields{std::signbit(x), (Code{1} << format.exponent_bits) - 1, 0};
    const bool own = format.specials == core::Specials::ieee;
    fields.mantissa = own ? static_cast<Code>(std::min(p.payload, most_payload(format)))
                          : (Code{1} << format.mantissa_bits) - 1;
    return stored_as(format, core::code_of(format, fields));
  }
  const auto overflow = std::isinf(x) ? core::Overflow::ieee : p.overflow;
  const core::Rounder rounder(format, {p.rounding.rounding, overflow});
  return stored_as(format, rounder.code(x, random));
}

// The neighbour above a number that need not be one of the format.
double neighbor_above(const Format& format, double x) {
  const double next = core::next_up(format, x);
  return next > x ? next : kInfinity;  // NaN, or x itself where nothing follows
}

void place(const Parameters& p, Model& m) {
  if (!std::isfinite(m.x)) return;
  m.below = -neighbor_above(m.format, -m.x);
  m.above = neighbor_above(m.format, m.x);
  m.spacing = core::spacing(m.format, m.x);
  // The share as rounding sees it: with steps going on beyond the largest number.
  const double step = m.spacing, steps = std::abs(m.x) / step;
  m.exact = m.stored.value == m.x;
  m.share = steps - std::floor(steps);
  if (m.x < 0 && m.share > 0) m.share = 1 - m.share;
  if (!std::isfinite(m.stored.value) || p.rounding.stochastic()) return;
  const double v = m.stored.value;
  // What is flushed to zero is not bounded by a midpoint.
  if (!m.format.subnormals && std::abs(v) <= core::min_positive(m.format)) return;
  const auto beyond = [&](double sign) {
    const double next = sign * neighbor_above(m.format, sign * v);
    return std::isinf(next) ? v + sign * core::spacing(m.format, v) : next;
  };
  const double before = beyond(-1), after = beyond(1);
  switch (p.rounding.rounding) {
    case Rounding::nearest_even:
    case Rounding::nearest_away: m.basin = {v / 2 + before / 2, v / 2 + after / 2}; break;
    case Rounding::toward_zero: m.basin = {v > 0 ? v : before, v < 0 ? v : after}; break;
    case Rounding::upward: m.basin = {before, v}; break;
    case Rounding::downward: m.basin = {v, after}; break;
    case Rounding::stochastic: break;
  }
}

// All numbers of the window, or of each of many equal stretches the first one.
std::vector<double> numbers_in(const Format& format, const Window& window) {
  if (window.count <= kMostPoints) {
    return core::numbers_between(format, window.lo, window.hi, kMostPoints);
  }
  std::vector<double> numbers;
  const double width = (window.hi - window.lo) / to_double(kMostPoints);
  for (Index k = 0; k < kMostPoints; ++k) {
    const double from = window.lo + width * to_double(k);
    const double first = core::round_to(format, from, Rounding::upward);
    if (std::isfinite(first) && first >= from && first < from + width) numbers.push_back(first);
  }
  return numbers;
}

Window around(const Format& format, double middle, int shown) {
  Window window;
  const double half = core::spacing(format, middle) * shown / 2;
  window.lo = middle - half;
  window.hi = middle + half;
  return window;
}

Window make_window(const Parameters& p, const Model& m) {
  Window window = around(m.format, p.middle, p.shown);
  if (std::isfinite(m.x) && !(m.x >= window.lo && m.x <= window.hi)) {
    window = around(m.format, m.x, p.shown);
    window.on_x = true;
  }
  window.count = core::count_between(m.format, window.lo, window.hi);
  window.numbers = numbers_in(m.format, window);
  return window;
}

Curve curve_of(std::string name, const Format& format, bool chosen) {
  Curve curve{.name = std::move(name), .chosen = chosen};
  for (const core::Binade& binade : core::binades(format)) {
    const double low = binade.low > 0 ? binade.low : core::min_positive(format);
    const double high = std::min(binade.high, core::max_finite(format));
    if (!(high > low) && binade.low == 0) continue;
    for (const double x : {low, high}) {
      curve.x.push_back(x);
      curve.spacing.push_back(binade.spacing);
      // Subnormals have one spacing, so that their share falls; in a binade it falls from its
      // largest to half of that, again and again.
      curve.most.push_back(binade.spacing / (binade.low > 0 ? low : x));
      curve.least.push_back(binade.spacing / (binade.low > 0 ? binade.high : x));
    }
  }
  return curve;
}

std::vector<Curve> make_curves(const NumberFormat& chosen, const Run&) {
  std::vector<Curve> curves;
  for (const ListedFormat& listed : listed_formats()) {
    curves.push_back(
        curve_of(std::string(listed.name), listed.format, chosen.choice == listed.choice));
  }
  if (chosen.choice == FormatChoice::custom) {
    curves.push_back(curve_of(format_name(chosen), format_of(chosen), true));
  }
  return curves;
}

std::vector<Other> other_formats(const Parameters& p, const Model& m) {
  std::vector<Other> others;
  const auto add = [&](std::string name, std::string_view id, const Format& format, bool chosen) {
    others.push_back({std::move(name), std::string(id), format, store(format, m.x, p, m.random),
                      core::format_facts(format), chosen});
  };
  for (const ListedFormat& listed : listed_formats()) {
    add(std::string(listed.name), listed.id, listed.format, p.format.choice == listed.choice);
  }
  if (p.format.choice == FormatChoice::custom) add(m.name, "custom", m.format, true);
  return others;
}

}  // namespace

int binade_of(double x) { return std::ilogb(x); }

Assignments assignments_of(const Format& format, Code code) {
  const core::Fields fields = core::fields_of(format, code);
  switch (core::class_of(format, code)) {
    case core::NumberClass::infinity:
      return {{"special", fields.negative ? "minus_infinity" : "infinity"}};
    case core::NumberClass::nan: {
      const bool own = format.specials == core::Specials::ieee;
      return {{"special", fields.negative ? "minus_not_a_number" : "not_a_number"},
              {"payload", fmt::format("{}", own ? fields.mantissa : 1)}};
    }
    default: return {{"x", number_words(core::number_of(format, code))}, {"special", "number"}};
  }
}

Model make_model(const Parameters& p, const Context& context) {
  Model m;
  m.format = format_of(p.format);
  m.name = format_name(p.format);
  m.facts = core::format_facts(m.format);
  m.x = number_of(p);
  m.random = core::rounding_bits(p.rounding.random_seed(), 0);
  m.stored = store(m.format, m.x, p, m.random);
  place(p, m);
  m.window = make_window(p, m);
  m.others = other_formats(p, m);
  m.curves = context.stage("curves", make_curves, p.format);
  return m;
}

}  // namespace lab::number_line
