// Why the bits mean this number, why x became it, and where spacing and facts come from.
#include <fmt/format.h>

#include <cmath>

#include "app/labs/number_line/page.h"

namespace lab::number_line {
namespace {

using core::NumberClass;
using figure::Role;

std::string binary(Code field, int bits) { return fmt::format("{:0{}b}", field, bits); }

void add(Lines& lines, std::string left, std::string right) {
  lines.push_back({std::move(left), {plain(std::move(right))}});
}

void result(Lines& lines, std::string right) {
  lines.push_back({"", {{std::move(right), Role::accent}}});
}

void say(Lines& lines, std::string text) { lines.push_back({"", {sentence(std::move(text))}}); }

// The leading digit and every set bit of the mantissa, as they add up.
void add_significand(const Scene& scene, const core::Fields& fields, Lines& lines) {
  const int t = scene.model.format.mantissa_bits;
  const bool normal = scene.model.stored.number_class == NumberClass::normal;
  double sum = 0;
  bool first = true;
  const auto term = [&](double value, const std::string& name) {
    lines.push_back({"", {dim(first ? "  " : "+ "), plain(number_words(value)), dim("  " + name)}});
    sum += value;
    first = false;
  };
  if (normal) term(1, scene.w("the leading 1"));
  for (int j = 1; j <= t; ++j) {
    if (fields.mantissa >> (t - j) & 1) term(std::ldexp(1.0, -j), power(-j));
  }
  if (first) term(0, scene.w("no bit is set"));
  add(lines, "", "= " + number_words(sum));
}

void add_special(const Scene& scene, const core::Fields& fields, Lines& lines) {
  const Model& m = scene.model;
  const auto& w = scene.w;
  if (m.stored.number_class == NumberClass::infinity) {
    result(lines, "= " + number_words(m.stored.value));
    return say(lines, w("The exponent is all ones and the mantissa 0: infinity."));
  }
  result(lines, "= NaN");
  if (m.format.specials == core::Specials::nan_only) {
    return say(lines, w("All ones but the sign: the format's only NaN. Other mantissas beside this "
                        "exponent are numbers, and there is no infinity."));
  }
  say(lines, w.format("The exponent is all ones and the mantissa is not 0: one of {} bit patterns "
                      "that are NaN.",
                      2 * static_cast<long long>(most_payload(m.format))));
  const Code quiet = Code{1} << (m.format.mantissa_bits - 1);
  say(lines, (fields.mantissa & quiet) != 0
                 ? w("Its topmost mantissa bit is set: a quiet NaN, which goes through arithmetic "
                     "without an alarm.")
                 : w("Its topmost mantissa bit is not set: a signalling NaN."));
}

Explanation explain_bits(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out{w.format("What the bits mean: {}", scene.stored_text()), {}};
  Lines& lines = out.lines;
  if (!m.stored.code) {
    say(lines, w.format("{} has no pattern for NaN: every code is a number.", m.name));
    return out;
  }
  const core::Fields f = core::fields_of(m.format, *m.stored.code);
  const int t = m.format.mantissa_bits, e = m.format.exponent_bits, b = m.format.bias;
  lines.push_back({"s", {{fmt::format("= {}", f.negative ? 1 : 0), Role::key}}});
  lines.push_back(
      {"e", {{fmt::format("= {} = {}", binary(f.exponent, e), f.exponent), Role::value}}});
  const std::string digits = t > 0 ? binary(f.mantissa, t) : "-";
  lines.push_back({"m", {{fmt::format("= {} = {}", digits, f.mantissa), Role::query}}});
  if (!std::isfinite(m.stored.value)) {
    add_special(scene, f, lines);
    return out;
  }
  const bool normal = m.stored.number_class == NumberClass::normal;
  const int exponent = normal ? static_cast<int>(f.exponent) - b : 1 - b;
  if (normal) {
    add(lines, w.format("value"), "= (-1)^s 2^(e-b) (1 + m/2^t)");
    add(lines, "",
        fmt::format("= {}2^({}-{}) (1 + {}/{})", f.negative ? "-" : "", f.exponent, b, f.mantissa,
                    Code{1} << t));
  } else {
    say(lines, w("The stored exponent is 0: no leading 1, and the binade of the smallest normal "
                 "numbers. Zero and the subnormals."));
    add(lines, w.format("value"), "= (-1)^s 2^(1-b) (m/2^t)");
    add(lines, "",
        fmt::format("= {}2^(1-{}) ({}/{})", f.negative ? "-" : "", b, f.mantissa, Code{1} << t));
  }
  add_significand(scene, f, lines);
  const double scale = std::ldexp(1.0, exponent);
  add(lines, power(exponent), "= " + number_words(scale));
  add(lines, w.format("value"),
      fmt::format("= {}{} · {}", f.negative ? "-" : "", number_words(scale),
                  number_words(std::abs(m.stored.value) / scale)));
  result(lines, "= " + number_words(m.stored.value));
  return out;
}

// Which side the rule takes.
void add_rule(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const double away = m.x < 0 ? 1 - m.share : m.share;
  switch (p.rounding.rounding) {
    case core::Rounding::nearest_even:
    case core::Rounding::nearest_away:
      if (m.share != 0.5) return say(lines, w("The nearer one is taken."));
      return say(lines, p.rounding.rounding == core::Rounding::nearest_even
                            ? w("A tie: the one whose last bit is 0 is taken.")
                            : w("A tie: the one farther from zero is taken."));
    case core::Rounding::toward_zero:
      return say(lines, w("The one nearer to zero is taken."));
    case core::Rounding::upward:
      return say(lines, w("The upper one is taken."));
    case core::Rounding::downward:
      return say(lines, w("The lower one is taken."));
    case core::Rounding::stochastic:
      break;
  }
  const double drawn = std::ldexp(static_cast<double>(m.random), -64);
  say(lines, w("By chance: away from zero with the probability that is the share of the step."));
  add(lines, w.format("chance"), fmt::format("= {:.6g}", away));
  add(lines, w.format("drawn"), fmt::format("= {:.6f}", drawn));
  say(lines,
      drawn < away ? w("Drawn is less: away from zero.") : w("Drawn is not less: toward zero."));
}

void add_error(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  const double error = m.stored.value - m.x;
  add(lines, w.format("error"),
      fmt::format("= {} - {}", number_words(m.stored.value), number_words(m.x)));
  result(lines, fmt::format("= {:.6g}", error));
  add(lines, "", w.format("= {:.4g} steps", error / m.spacing));
  if (m.x == 0) return;
  add(lines, w.format("relative"), fmt::format("= {:.4g}", std::abs(error / m.x)));
  add(lines, "u",
      fmt::format("= {} = {:.4g}", power(-m.format.mantissa_bits - 1),
                  std::ldexp(1.0, -m.format.mantissa_bits - 1)));
  say(lines, w("u, half the step above 1, bounds the relative error of rounding to nearest for "
               "normal numbers; other roundings stay below 2u."));
}

void add_overflow(const Scene& scene, Lines& lines) {
  const auto& [p, m, w] = scene;
  add(lines, w.format("largest"), "= " + number_words(m.facts.max));
  const double half = m.facts.max + core::spacing(m.format, m.facts.max) / 2;
  add(lines, w.format("limit"),
      fmt::format("= {} + {} / 2", number_words(m.facts.max),
                  number_words(core::spacing(m.format, m.facts.max))));
  add(lines, "", "= " + number_words(half));
  say(lines, w("To nearest, what reaches the limit (or passes it, where the largest number is "
               "even) overflows; below it the largest number is taken."));
  result(lines, w.format("stored as {}", scene.stored_text()));
}

Explanation explain_rounding(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out{w.format("How x becomes {}", scene.stored_text()), {}};
  Lines& lines = out.lines;
  add(lines, "x", "= " + scene.x_text());
  if (!scene.finite()) {
    say(lines, m.stored.number_class == NumberClass::infinity || std::isnan(m.stored.value)
                   ? w("Stored by a bit pattern of its own: there is nothing to round.")
                   : w("There is no infinity in this format: the largest number stands for it."));
    result(lines, "→ " + scene.stored_text());
    return out;
  }
  if (m.x == 0) {
    say(lines, w("Zero is a number of every format, and so is -0: they differ in the sign bit."));
    result(lines, "→ " + scene.stored_text());
    return out;
  }
  const int k = binade_of(m.x), t = m.format.mantissa_bits, least = 1 - m.format.bias;
  add(lines, "|x|", w.format("in [{}, {})", power(k), power(k + 1)));
  add(lines, w.format("step"),
      k < least ? w.format("= {}, as all subnormals", power(least - t))
                : fmt::format("= 2^({} - {}) = {}", k, t, power(k - t)));
  add(lines, "", "= " + number_words(m.spacing));
  if (std::abs(m.x) > m.facts.max) {
    add_overflow(scene, lines);
    return out;
  }
  if (m.exact) {
    add(lines, w.format("x / step"), "= " + number_words(m.x / m.spacing));
    say(lines, w("A whole number of steps: x is a number of the format."));
    result(lines, "→ " + scene.stored_text());
    return out;
  }
  if (!m.format.subnormals && k < least) {
    say(lines, w("Below the smallest normal number: without subnormals it is flushed to zero."));
  } else {
    add(lines, w.format("x / step"), fmt::format("= {:.10g}", m.x / m.spacing));
    add(lines, w.format("below"), "= " + number_words(m.below));
    add(lines, w.format("above"), "= " + number_words(m.above));
    const PrintedSum shares = printed_sum({m.share, 1 - m.share}, 4);
    add(lines, w.format("to them"),
        w.format("{} + {} = {} step", shares.parts[0], shares.parts[1], shares.sum));
    add_rule(scene, lines);
  }
  result(lines, "→ " + number_words(m.stored.value));
  if (std::isfinite(m.stored.value)) add_error(scene, lines);
  return out;
}

Explanation explain_spacing(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out{w.format("The spacing at {}", scene.x_text()), {}};
  Lines& lines = out.lines;
  if (!scene.finite()) {
    say(lines, w("Only finite numbers have neighbours at a distance."));
    return out;
  }
  const int t = m.format.mantissa_bits, b = m.format.bias, least = 1 - b;
  if (m.x == 0 || binade_of(m.x) < least) {
    add(lines, w.format("step"), "= 2^(1 - b - t)");
    add(lines, "", fmt::format("= 2^(1 - {} - {}) = {}", b, t, power(least - t)));
    result(lines, "= " + number_words(m.spacing));
    say(lines, w("Below the smallest normal number the exponent can fall no further: the spacing "
                 "stays, and the relative precision falls away instead."));
    return out;
  }
  const int k = binade_of(m.x);
  const double low = std::ldexp(1.0, k), high = std::ldexp(1.0, k + 1);
  add(lines, "k", "= floor(log2 |x|)");
  add(lines, "", fmt::format("= floor({:.6g}) = {}", std::log2(std::abs(m.x)), k));
  add(lines, w.format("binade"), fmt::format("[{}, {})", number_words(low), number_words(high)));
  add(lines, w.format("numbers"), fmt::format("2^t = 2^{} = {}", t, Code{1} << t));
  add(lines, w.format("step"), fmt::format("= 2^(k-t) = 2^({} - {})", k, t));
  result(lines, "= " + number_words(m.spacing));
  add(lines, w.format("relative"), fmt::format("{:.4g} / {:.4g}", m.spacing, std::abs(m.x)));
  add(lines, "", fmt::format("= {:.4g}", m.spacing / std::abs(m.x)));
  say(lines, w.format("Always between {} and {}: floating point keeps the relative spacing nearly "
                      "constant, and doubles the absolute one in every binade.",
                      power(-t - 1), power(-t)));
  if (std::abs(m.x) > m.facts.max) {
    say(lines, w("x lies beyond the largest number: this is the spacing that would go on there."));
  }
  return out;
}

Explanation explain_facts(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Explanation out{w.format("Where the facts of {} come from", m.name), {}};
  Lines& lines = out.lines;
  const int t = m.format.mantissa_bits, e = m.format.exponent_bits, b = m.format.bias;
  const core::FormatFacts& facts = m.facts;
  const core::Fields top = core::fields_of(m.format, core::encode(m.format, facts.max));
  add(lines, w.format("bits"), fmt::format("= 1 + {} + {} = {}", e, t, facts.bits));
  add(lines, w.format("largest"),
      fmt::format("= 2^({}-{}) (1 + {}/{})", top.exponent, b, top.mantissa, Code{1} << t));
  result(lines, "= " + number_words(facts.max));
  add(lines, w.format("normal from"), fmt::format("2^(1-b) = {}", power(1 - b)));
  if (facts.min_normal) result(lines, "= " + number_words(*facts.min_normal));
  if (m.format.subnormals) {
    add(lines, w.format("smallest"), fmt::format("= 2^(1-b-t) = {}", power(1 - b - t)));
  } else {
    add(lines, w.format("smallest"), w("the same: no subnormals"));
  }
  result(lines, "= " + number_words(facts.min_positive));
  add(lines, "ε", fmt::format("= 2^-t = {}", power(-t)));
  result(lines, "= " + number_words(facts.epsilon));
  add(lines, w.format("integers"), fmt::format("2^(t+1) = {}", Code{2} << t));
  result(lines, w.format("all of 0 … {}", facts.last_consecutive_integer));
  const Code all = Code{1} << facts.bits;
  add(lines, w.format("codes"),
      fmt::format("2^{} - {} = {}", facts.bits, all - facts.finite_codes, facts.finite_codes));
  say(lines, w("All bit patterns less infinities and NaNs: the finite ones, 0 and -0 apart."));
  return out;
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::bits:
      return explain_bits(scene);
    case Explained::spacing:
      return explain_spacing(scene);
    case Explained::facts:
      return explain_facts(scene);
    case Explained::rounding:
      break;
  }
  return explain_rounding(scene);
}

}  // namespace lab::number_line
