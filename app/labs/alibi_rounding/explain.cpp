// Every picked value down to its inputs.
#include <initializer_list>

#include "app/labs/alibi_rounding/page.h"

namespace lab::alibi_rounding {
namespace {

// = value, or ≈ value where it has more digits than are printed.
Derivation& give(double value, Derivation& d) {
  return d.is("", equated(value, value_text(value)));
}
// The same of what was worked out from numbers of which one may not be printed in full.
Derivation& give_from(std::initializer_list<double> inputs, double value, Derivation& d) {
  const bool printed = std::all_of(inputs.begin(), inputs.end(), [](double input) {
    return equated(input, value_text(input)).starts_with('=');
  });
  return printed ? give(value, d) : d.about(value_text(value));
}
void conclude(double value, Derivation& d) {
  d.line("", {accented(equated(value, value_text(value)))});
}

void explain_slope(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  give(model.slope, d.begin("m", w.format("slope of head {} of {}", p.head, p.heads)));
  if (!p.round_slope) return;
  give(model.rounder.slope(),
       d.begin("m′", w.format("{} in {}", value_text(model.slope), scene.format_name())));
}

// -m D, and what its steps make of it.
void explain_steps(const Scene& scene, Index distance, Derivation& d) {
  const auto& [p, model, w] = scene;
  const double exact = model.rounder.exact(distance), bias = model.rounder.bias(distance);
  d.begin("-m |i - j|", fmt::format("-{}·{}", value_text(model.slope), distance));
  give_from({model.slope}, exact, d);
  if (p.round_distance) {
    const core::Carried step(format_of(p.format), core::kFloat32, p.steps().rule);
    give(step(to_double(distance), true),
         d.begin("|i - j|′", w.format("{} in {}", distance, scene.format_name())));
  }
  d.begin("b", p.round_bias ? w.format("the bias in {}", scene.format_name())
                            : w("the bias in float32"));
  conclude(bias, d);
}

Explanation explain_bias(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string title = w.format("The bias at distance {}", p.distance);
  Derivation d(w);
  explain_slope(scene, d);
  explain_steps(scene, p.distance, d);
  const double bias = model.rounder.bias(p.distance), exact = model.rounder.exact(p.distance);
  if (!std::isfinite(bias)) {
    d.say(w("Beyond the largest number of the format."));
    return {title, d.take()};
  }
  d.begin(w("error"), fmt::format("{} - ({})", value_text(bias), value_text(exact)));
  give_from({bias, exact}, bias - exact, d);
  if (const double size = std::abs(exact); size > 0) {
    const core::Format format = format_of(p.format);
    // Below the smallest normal number the spacing stays the same.
    const int k = std::ilogb(size), counted = std::max(k, 1 - format.bias);
    const double spacing = core::spacing(format, size);
    d.is(w("binade"), fmt::format("[2^{}, 2^{})", k, k + 1));
    give(spacing,
         d.begin(w("spacing there"), fmt::format("2^({} - {})", counted, format.mantissa_bits)));
    d.begin(w("in positions"),
            fmt::format("{} / {}", value_text(spacing), value_text(model.slope)));
    give_from({spacing, model.slope}, spacing / model.slope, d);
    d.say(w("Where this is more than 1, distances share a bias."));
  }
  Index first = p.distance, last = p.distance;
  while (first > 0 && model.rounder.bias(first - 1) == bias) --first;
  while (last + 1 < p.length && model.rounder.bias(last + 1) == bias) ++last;
  d.say(first == last ? w("No other distance has this bias.")
                      : w.format("Distances {} to {} have this bias.", first, last));
  return {title, d.take()};
}

// What became of score and bias, and what of the sum's error each has made.
void explain_sum(const Scene& scene, const Sum& sum, Derivation& d) {
  const auto& [p, model, w] = scene;
  d.begin("s′ + b", fmt::format("{} + ({})", value_text(sum.stored_score), value_text(sum.bias)));
  give_from({sum.stored_score, sum.bias}, sum.before, d);
  d.begin(w("sum"),
          p.round_sum ? w.format("the sum in {}", scene.format_name()) : w("the sum in float32"));
  conclude(sum.result, d);
  const double of_score = sum.stored_score - sum.score, of_bias = sum.bias - sum.exact_bias;
  const double of_sum = sum.result - sum.before;
  if (!std::isfinite(of_score + of_bias + of_sum)) {
    d.say(w("Beyond the largest number of the format."));
    return;
  }
  constexpr int kDigits = 6;
  d.begin(w("error"), w("of the score + of the bias + of the sum"))
      .about(fmt::format("{} + {} + {}", fixed(of_score, kDigits),
                         bracketed(fixed(of_bias, kDigits)), bracketed(fixed(of_sum, kDigits))))
      .about_result(of_score + of_bias + of_sum, kDigits);
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string title = w.format("Query {}, key {}", p.start + p.query, p.key);
  const Index distance = scene.pair_distance();
  Derivation d(w);
  if (distance < 0) {
    d.say(w("The key comes after the query: the causal mask hides it."));
    return {title, d.take()};
  }
  const Sum sum = scene.sum();
  const VectorD q = model.content->Q.row(p.query), k = model.content->K.row(p.key);
  d.begin("s", "q·k / √d")
      .about(fmt::format("{} / √{}", significant(q.dot(k), 9), q.size()))
      .about(value_text(sum.score));
  d.product("q·k", {{q.begin(), q.end()}, {k.begin(), k.end()}});
  give(sum.stored_score,
       d.begin("s′", p.round_score ? w.format("the score in {}", scene.format_name())
                                   : w("the score in float32")));
  explain_slope(scene, d);
  d.begin("|i - j|", fmt::format("|{} - {}|", p.start + p.query, p.key))
      .next(fmt::format("{}", distance));
  explain_steps(scene, distance, d);
  explain_sum(scene, sum, d);
  return {title, d.take()};
}

Explanation explain_count(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const AlibiRoundingFacts& f = model.facts(p);
  Derivation d(w);
  explain_slope(scene, d);
  d.begin(w("different"), "#{b(D) : 0 ≤ D < n}").result(w.format("{} of {}", f.distinct, f.n));
  d.begin(w("alone"), fmt::format("{}", f.alone)).say(w("distances whose bias no other has"));
  d.begin(w("colliding"), fmt::format("{} - {}", f.n, f.alone))
      .next(fmt::format("{}", f.colliding()));
  if (f.first_collision) {
    const Index at = *f.first_collision;
    const double exact = model.rounder.exact(at);
    give(model.rounder.bias(at), d.begin(fmt::format("b({})", at), fmt::format("b({})", at - 1)))
        .say(w.format(
            "the first collision; such a key's weight still has the factor e^({:.4g}) ≈ {:.3g}",
            exact, std::exp(exact)));
  } else {
    d.say(w("All distances have different biases."));
  }
  return {w.format("Head {}, {} distances", p.head, p.length), d.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::bias: return explain_bias(scene);
    case Explained::score: return explain_score(scene);
    case Explained::count: break;
  }
  return explain_count(scene);
}

}  // namespace lab::alibi_rounding
