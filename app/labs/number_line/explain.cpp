// Why the bits mean this number, why x became it, and where spacing and facts come from.
#include "app/labs/number_line/page.h"
#include "app/labs/shared/derivation/relation.h"

namespace lab::number_line {
namespace {

using core::NumberClass;

std::string binary(Code field, int bits) { return fmt::format("{:0{}b}", field, bits); }

// The leading digit and every set bit of the mantissa, as they add up.
void add_significand(const Scene& scene, const core::Fields& fields, Derivation& d) {
  const int t = scene.model.format.mantissa_bits;
  const bool normal = scene.model.stored.number_class == NumberClass::normal;
  double sum = 0;
  bool first = true;
  const auto term = [&](double value, const std::string& name) {
    d.line("", {dim(first ? "  " : "+ "), plain(number_words(value)), dim("  " + name)});
    sum += value;
    first = false;
  };
  if (normal) term(1, scene.w("the leading 1"));
  for (int j = 1; j <= t; ++j) {
    if (fields.mantissa >> (t - j) & 1) term(std::ldexp(1.0, -j), power(-j));
  }
  if (first) term(0, scene.w("no bit is set"));
  d.next(number_words(sum));
}

std::string nan_words(const Scene& scene, const core::Fields& fields) {
  const Format& format = scene.model.format;
  if (format.specials == core::Specials::nan_only) {
    return scene.w(
        "All ones except the sign: the format's only NaN. Other mantissas with this exponent are "
        "numbers, and there is no infinity.");
  }
  const Code quiet = Code{1} << (format.mantissa_bits - 1);
  const std::string patterns = scene.w.format(
      "The exponent is all ones and the mantissa is not 0: one of {} bit patterns that are NaN.",
      2 * static_cast<long long>(most_payload(format)));
  return scene.w.format("{} {}", patterns,
                        (fields.mantissa & quiet) != 0
                            ? scene.w("Its topmost mantissa bit is set: a quiet NaN, which passes "
                                      "through arithmetic without an exception.")
                            : scene.w("Its topmost mantissa bit is not set: a signalling NaN."));
}

void add_special(const Scene& scene, const core::Fields& fields, Derivation& d) {
  const bool infinite = scene.model.stored.number_class == NumberClass::infinity;
  d.result(infinite ? number_words(scene.model.stored.value) : "NaN");
  d.say(infinite ? scene.w("The exponent is all ones and the mantissa 0: infinity.")
                 : nan_words(scene, fields));
}

Explanation explain_bits(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const std::string title = w.format("What the bits mean: {}", scene.stored_text());
  Derivation d(w);
  if (!m.stored.code) {
    d.say(w.format("{} has no pattern for NaN: every code is a number.", m.name));
    return {title, d.take()};
  }
  const core::Fields f = core::fields_of(m.format, *m.stored.code);
  const int t = m.format.mantissa_bits, e = m.format.exponent_bits, b = m.format.bias;
  d.line("s", {{fmt::format("= {}", f.negative ? 1 : 0), Role::key}});
  d.line("e", {{fmt::format("= {} = {}", binary(f.exponent, e), f.exponent), Role::value}});
  const std::string digits = t > 0 ? binary(f.mantissa, t) : "-";
  d.line("m", {{fmt::format("= {} = {}", digits, f.mantissa), Role::query}});
  if (!std::isfinite(m.stored.value)) {
    add_special(scene, f, d);
    return {title, d.take()};
  }
  const bool normal = m.stored.number_class == NumberClass::normal;
  const int exponent = normal ? to_int(f.exponent) - b : 1 - b;
  if (normal) {
    d.begin(w.format("value"), "(-1)^s 2^(e-b) (1 + m/2^t)")
        .next(fmt::format("{}2^({}-{}) (1 + {}/{})", f.negative ? "-" : "", f.exponent, b,
                          f.mantissa, Code{1} << t));
  } else {
    d.say(
        w("The stored exponent is 0: no leading 1, and the binade of the smallest normal numbers. "
          "These are zero and the subnormals."));
    d.begin(w.format("value"), "(-1)^s 2^(1-b) (m/2^t)")
        .next(
            fmt::format("{}2^(1-{}) ({}/{})", f.negative ? "-" : "", b, f.mantissa, Code{1} << t));
  }
  add_significand(scene, f, d);
  const double scale = std::ldexp(1.0, exponent);
  d.begin(power(exponent), number_words(scale));
  d.begin(w.format("value"), fmt::format("{}{} · {}", f.negative ? "-" : "", number_words(scale),
                                         number_words(std::abs(m.stored.value) / scale)))
      .result(number_words(m.stored.value));
  return {title, d.take()};
}

// Which side the rule takes.
std::string rule_words(const Scene& scene) {
  const auto& [p, m, w] = scene;
  switch (p.rounding.rounding) {
    case core::Rounding::nearest_even:
    case core::Rounding::nearest_away:
      if (m.share != 0.5) return w("The nearer one is taken.");
      return p.rounding.rounding == core::Rounding::nearest_even
                 ? w("A tie: the one whose last bit is 0 is taken.")
                 : w("A tie: the one farther from zero is taken.");
    case core::Rounding::toward_zero: return w("The one nearer to zero is taken.");
    case core::Rounding::upward: return w("The upper one is taken.");
    case core::Rounding::downward: return w("The lower one is taken.");
    case core::Rounding::stochastic: break;
  }
  return w(
      "At random: away from zero with a probability equal to the share of the spacing covered.");
}

void add_rule(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  d.say(rule_words(scene));
  if (!p.rounding.stochastic()) return;
  const double away = m.x < 0 ? 1 - m.share : m.share;
  const double drawn = std::ldexp(to_double(m.random), -64);
  d.is(w.format("chance"), equated(away, significant(away)));
  d.is(w.format("drawn"), equated(drawn, fixed(drawn, 6)));
  d.say(drawn < away ? w("Drawn is less: away from zero.") : w("Drawn is not less: toward zero."));
}

void add_error(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  const double error = m.stored.value - m.x;
  d.begin(w.format("error"),
          fmt::format("{} - {}", number_words(m.stored.value), number_words(m.x)));
  d.line("", {accented(equated(error, significant(error)))});
  const double steps = error / m.spacing;
  d.is("", equals({{error, significant(error)}, {steps, significant(steps, 4)}}) +
               w.format("{:.4g} spacings", steps));
  if (m.x == 0) return;
  const double relative = std::abs(error / m.x), u = std::ldexp(1.0, -m.format.mantissa_bits - 1);
  d.is(w.format("relative"), equated(relative, significant(relative, 4)));
  d.begin("u", power(-m.format.mantissa_bits - 1) + " " + equated(u, significant(u, 4)));
  d.say(
      w("u, half the spacing above 1, bounds the relative error of rounding to nearest for normal "
        "numbers; other roundings stay below 2u."));
}

void add_overflow(const Scene& scene, Derivation& d) {
  const auto& [p, m, w] = scene;
  d.begin(w.format("largest"), number_words(m.facts.max));
  const double half = m.facts.max + core::spacing(m.format, m.facts.max) / 2;
  d.begin(w.format("limit"), fmt::format("{} + {} / 2", number_words(m.facts.max),
                                         number_words(core::spacing(m.format, m.facts.max))))
      .next(number_words(half));
  d.say(
      w("Rounding to nearest, a number that reaches the limit (or exceeds it, where the largest "
        "number is even) overflows; below the limit the largest number is taken."));
  d.line("", {accented(w.format("stored as {}", scene.stored_text()))});
}

Explanation explain_rounding(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const std::string title = w.format("How x becomes {}", scene.stored_text());
  Derivation d(w);
  d.begin("x", scene.x_text());
  if (!scene.finite()) {
    d.say(m.stored.number_class == NumberClass::infinity || std::isnan(m.stored.value)
              ? w("It has its own bit pattern: there is nothing to round.")
              : w("There is no infinity in this format: the largest number replaces it."));
    d.line("", {accented("→ " + scene.stored_text())});
    return {title, d.take()};
  }
  if (m.x == 0) {
    d.say(w("Zero is a number of every format, and so is -0: they differ in the sign bit."));
    d.line("", {accented("→ " + scene.stored_text())});
    return {title, d.take()};
  }
  const int k = binade_of(m.x), t = m.format.mantissa_bits, least = 1 - m.format.bias;
  d.is("|x|", w.format("in [{}, {})", power(k), power(k + 1)));
  d.is(w("spacing"), k < least ? w.format("= {}, as all subnormals", power(least - t))
                               : fmt::format("= 2^({} - {}) = {}", k, t, power(k - t)))
      .next(number_words(m.spacing));
  if (std::abs(m.x) > m.facts.max) {
    add_overflow(scene, d);
    return {title, d.take()};
  }
  if (m.exact) {
    d.begin(w.format("x / spacing"), number_words(m.x / m.spacing));
    d.say(w("A whole number of spacings: x is a number of the format."));
    d.line("", {accented("→ " + scene.stored_text())});
    return {title, d.take()};
  }
  if (!m.format.subnormals && k < least) {
    d.say(w("Below the smallest normal number: without subnormals it is flushed to zero."));
  } else {
    d.is(w.format("x / spacing"), equated(m.x / m.spacing, significant(m.x / m.spacing, 10)));
    d.begin(w.format("below"), number_words(m.below));
    d.begin(w.format("above"), number_words(m.above));
    // What the printed share leaves of a step.
    const std::string below = fixed(m.share, 4), above = fixed(1 - std::stod(below), 4);
    d.is(w.format("to them"), w.format("{} + {} = 1 spacing", below, above));
    add_rule(scene, d);
  }
  d.line("", {accented("→ " + number_words(m.stored.value))});
  if (std::isfinite(m.stored.value)) add_error(scene, d);
  return {title, d.take()};
}

Explanation explain_spacing(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const std::string title = w.format("The spacing at {}", scene.x_text());
  Derivation d(w);
  if (!scene.finite()) {
    d.say(w("Only finite numbers have neighbours at a finite distance."));
    return {title, d.take()};
  }
  const int t = m.format.mantissa_bits, b = m.format.bias, least = 1 - b;
  if (m.x == 0 || binade_of(m.x) < least) {
    d.begin(w("spacing"), "2^(1 - b - t)")
        .next(fmt::format("2^(1 - {} - {}) = {}", b, t, power(least - t)))
        .result(number_words(m.spacing));
    d.say(
        w("Below the smallest normal number the exponent cannot fall further: the spacing stays "
          "constant, and relative precision is lost instead."));
    return {title, d.take()};
  }
  const int k = binade_of(m.x);
  const double low = std::ldexp(1.0, k), high = std::ldexp(1.0, k + 1);
  d.begin("k", "floor(log2 |x|)")
      .next(fmt::format("floor({:.6g}) = {}", std::log2(std::abs(m.x)), k));
  d.is(w.format("binade"), fmt::format("[{}, {})", number_words(low), number_words(high)));
  d.is(w.format("numbers"), fmt::format("2^t = 2^{} = {}", t, Code{1} << t));
  d.begin(w("spacing"), fmt::format("2^(k-t) = 2^({} - {})", k, t)).result(number_words(m.spacing));
  const double size = std::abs(m.x), relative = m.spacing / size;
  const Printed over{m.spacing, significant(m.spacing, 4)}, under{size, significant(size, 4)},
      share{relative, significant(relative, 4)};
  d.is(w.format("relative"), equals({over, under}) + over.text + " / " + under.text)
      .is("", equals({over, under, share}) + share.text);
  d.say(
      w.format("Always between {} and {}: floating point keeps the relative spacing nearly "
               "constant, and doubles the absolute one in every binade.",
               power(-t - 1), power(-t)));
  if (std::abs(m.x) > m.facts.max) {
    d.say(w("x lies beyond the largest number: this is the spacing that would continue there."));
  }
  return {title, d.take()};
}

Explanation explain_facts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  const std::string title = w.format("How the facts of {} follow", m.name);
  Derivation d(w);
  const int t = m.format.mantissa_bits, e = m.format.exponent_bits, b = m.format.bias;
  const core::FormatFacts& facts = m.facts;
  const core::Fields top = core::fields_of(m.format, core::encode(m.format, facts.max));
  d.begin(w.format("bits"), fmt::format("1 + {} + {} = {}", e, t, facts.bits));
  d.begin(w.format("largest"),
          fmt::format("2^({}-{}) (1 + {}/{})", top.exponent, b, top.mantissa, Code{1} << t))
      .result(number_words(facts.max));
  d.is(w.format("normal from"), fmt::format("2^(1-b) = {}", power(1 - b)));
  if (facts.min_normal) d.result(number_words(*facts.min_normal));
  if (m.format.subnormals) {
    d.begin(w.format("smallest"), fmt::format("2^(1-b-t) = {}", power(1 - b - t)));
  } else {
    d.is(w.format("smallest"), w("the same: no subnormals"));
  }
  d.result(number_words(facts.min_positive));
  d.begin("ε", fmt::format("2^-t = {}", power(-t))).result(number_words(facts.epsilon));
  d.is(w.format("integers"), fmt::format("2^(t+1) = {}", Code{2} << t));
  d.line("", {accented(w.format("all of 0 … {}", facts.last_consecutive_integer))});
  const Code all = Code{1} << facts.bits;
  d.is(w.format("codes"),
       fmt::format("2^{} - {} = {}", facts.bits, all - facts.finite_codes, facts.finite_codes));
  d.say(
      w("All bit patterns minus infinities and NaNs: the finite ones, counting 0 and -0 "
        "separately."));
  return {title, d.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::bits: return explain_bits(scene);
    case Explained::spacing: return explain_spacing(scene);
    case Explained::facts: return explain_facts(scene);
    case Explained::rounding: break;
  }
  return explain_rounding(scene);
}

}  // namespace lab::number_line
