// Every picked value down to its inputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/alibi_rounding/page.h"

#include "app/labs/shared/writing.h"

namespace lab::alibi_rounding {
namespace {

constexpr Index kMostTerms = 24;   // of a product that are written out; beyond, the first few
constexpr Index kFirstTerms = 12;  // these few
constexpr int kDigits = 6;

// "a + b - c" of printed numbers.
std::string joined(const std::vector<std::string>& parts) {
  std::string sum;
  for (const std::string& part : parts) {
    if (sum.empty()) {
      sum = part;
    } else {
      sum += part.starts_with('-') ? " - " + part.substr(1) : " + " + part;
    }
  }
  return sum;
}

void explain_slope(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  lines.begin("m", w.format("slope of head {} of {}", p.head, p.heads));
  lines.next(value_text(model.slope));
  if (p.round_slope) {
    lines.begin("m′", w.format("{} in {}", value_text(model.slope), scene.format_name()))
        .next(value_text(model.rounder.slope()));
  }
}

// -m D, and what its steps make of it.
void explain_steps(const Scene& scene, Index distance, Writer& lines) {
  const auto& [p, model, w] = scene;
  lines.begin("-m (i - j)", fmt::format("-{}·{}", value_text(model.slope), distance))
      .next(value_text(model.rounder.exact(distance)));
  const double bias = model.rounder.bias(distance);
  if (p.round_distance) {
    const core::Carried step(format_of(p.format), core::kFloat32, p.rule());
    lines.begin("(i - j)′", w.format("{} in {}", distance, scene.format_name()))
        .next(value_text(step(static_cast<double>(distance), true)));
  }
  lines
      .begin("b", p.round_bias ? w.format("the bias in {}", scene.format_name())
                               : w("the bias in float32"))
      .result(value_text(bias));
}

Explanation explain_bias(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Writer lines;
  explain_slope(scene, lines);
  explain_steps(scene, p.distance, lines);
  const double bias = model.rounder.bias(p.distance), exact = model.rounder.exact(p.distance);
  if (!std::isfinite(bias)) {
    lines.say(w("Beyond the largest number of the format."));
    return {w.format("The bias at distance {}", p.distance), lines.take()};
  }
  lines.begin(w("error"), fmt::format("{} - ({})", value_text(bias), value_text(exact)))
      .next(value_text(bias - exact));
  const double size = std::abs(exact);
  const core::Format format = format_of(p.format);
  if (size > 0) {
    const int k = std::ilogb(size), t = format.mantissa_bits;
    const double spacing = core::spacing(format, size);
    lines.begin(w("binade"), fmt::format("[2^{}, 2^{})", k, k + 1));
    lines.begin(w("spacing there"), fmt::format("2^({} - {})", k, t)).next(value_text(spacing));
    lines
        .begin(w("in positions"),
               fmt::format("{} / {}", value_text(spacing), value_text(model.slope)))
        .next(value_text(spacing / model.slope))
        .say(w("Where this is more than 1, distances share a bias."));
  }
  Index first = p.distance, last = p.distance;
  while (first > 0 && model.rounder.bias(first - 1) == bias) --first;
  while (last + 1 < p.length && model.rounder.bias(last + 1) == bias) ++last;
  lines.say(first == last ? w("No other distance has this bias.")
                          : w.format("Distances {} to {} have this bias.", first, last));
  return {w.format("The bias at distance {}", p.distance), lines.take()};
}

// q.k / sqrt(d), its products adding up.
void explain_product(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  const VectorD q = model.content->Q.row(p.query), k = model.content->K.row(p.key);
  const Index d = q.size();
  const Index shown = d <= kMostTerms ? d : kFirstTerms;
  std::vector<double> terms;
  for (Index c = 0; c < shown; ++c) terms.push_back(q(c) * k(c));
  if (shown < d) terms.push_back(q.dot(k) - q.head(shown).dot(k.head(shown)));
  PrintedSum printed = printed_sum(terms, 4);
  if (shown < d) {
    std::string& rest = printed.parts.back();
    rest = fmt::format("{} ({})", rest, w.format("{} more", d - shown));
  }
  lines.begin("q·k", joined(printed.parts)).next(printed.sum);
  lines.begin("s", "q·k / √d")
      .next(fmt::format("{} / √{}", printed.sum, d))
      .next(value_text(scene.score()));
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string title = w.format("Query {}, key {}", p.start + p.query, p.key);
  const Index distance = scene.pair_distance();
  Writer lines;
  if (distance < 0) {
    lines.say(w("The key comes after the query: the causal mask hides it."));
    return {title, lines.take()};
  }
  const Sum sum = scene.sum();
  explain_product(scene, lines);
  lines
      .begin("s′", p.round_score ? w.format("the score in {}", scene.format_name())
                                 : w("the score in float32"))
      .next(value_text(sum.stored_score));
  explain_slope(scene, lines);
  lines.begin("i - j", fmt::format("{}", distance));
  explain_steps(scene, distance, lines);
  lines
      .begin("s′ + b", fmt::format("{} + ({})", value_text(sum.stored_score), value_text(sum.bias)))
      .next(value_text(sum.before));
  lines
      .begin(w("sum"),
             p.round_sum ? w.format("that in {}", scene.format_name()) : w("that in float32"))
      .result(value_text(sum.result));
  const std::vector<double> errors{sum.stored_score - sum.score, sum.bias - sum.exact_bias,
                                   sum.result - sum.before};
  if (!std::isfinite(errors[0] + errors[1] + errors[2])) {
    lines.say(w("Beyond the largest number of the format."));
    return {title, lines.take()};
  }
  const PrintedSum printed = printed_sum(errors, kDigits);
  lines.begin(w("error"), w("of the score + of the bias + of the sum"))
      .next(joined(printed.parts))
      .result(printed.sum);
  return {title, lines.take()};
}

Explanation explain_count(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const AlibiRoundingFacts& f = model.facts(p);
  Writer lines;
  explain_slope(scene, lines);
  lines.begin(w("different"), "#{b(D) : 0 ≤ D < n}").result(w.format("{} of {}", f.distinct, f.n));
  lines.begin(w("alone"), fmt::format("{}", f.alone)).say(w("distances whose bias no other has"));
  lines.begin(w("colliding"), fmt::format("{} - {}", f.n, f.alone))
      .next(fmt::format("{}", f.colliding()));
  if (f.first_collision) {
    const Index at = *f.first_collision;
    lines.begin(fmt::format("b({})", at), fmt::format("b({})", at - 1))
        .next(value_text(model.rounder.bias(at)))
        .say(w.format("the first collision; such a key still has the factor e^({:.4g}) = {:.3g}",
                      model.rounder.exact(at), std::exp(model.rounder.exact(at))));
  } else {
    lines.say(w("All distances have biases of their own."));
  }
  return {w.format("Head {}, {} distances", p.head, p.length), lines.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::bias:
      return explain_bias(scene);
    case Explained::score:
      return explain_score(scene);
    case Explained::count:
      break;
  }
  return explain_count(scene);
}

}  // namespace lab::alibi_rounding
