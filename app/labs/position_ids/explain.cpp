// Every picked value down to its inputs.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "app/labs/position_ids/page.h"

#include "app/labs/shared/writing.h"

namespace lab::position_ids {
namespace {

// Numbers of the format on both sides of an id, or itself twice.
struct Neighbours {
  double below, above;
  bool exact() const { return below == above; }
};

Neighbours neighbours(const core::Format& format, double x) {
  const double below =
      core::next_up(format, core::next_down(format, x)) == x ? x : core::next_down(format, x);
  const double above = below == x ? x : core::next_up(format, x);
  return {below, above};
}

void explain_binade(const Scene& scene, double x, Writer& lines) {
  const core::Format& format = scene.model.rounded.format();
  const auto& w = scene.w;
  if (x == 0) return;
  const int k = std::ilogb(x), t = format.mantissa_bits, least = 1 - format.bias;
  lines.begin(fmt::format("{:.0f}", x), fmt::format("{} × 2^{}", std::ldexp(x, -k), k));
  lines.is(w("binade"), fmt::format("[2^{}, 2^{})", k, k + 1));
  const double spacing = core::spacing(format, x);
  if (k >= least) {
    lines.begin(w("spacing there"), "2^(k - t)")
        .next(fmt::format("2^({} - {})", k, t))
        .next(value_text(spacing));
  } else {
    lines.begin(w("spacing there"), fmt::format("2^({} - {})", least, t))
        .next(value_text(spacing))
        .say(w("below the smallest normal number the spacing stays the same"));
  }
}

void explain_choice(const Scene& scene, double x, Writer& lines) {
  const auto& [p, model, w] = scene;
  const Neighbours near = neighbours(model.rounded.format(), x);
  if (near.exact()) {
    lines.say(w("It is a number of the format: nothing is rounded."));
    return;
  }
  lines.is(w("between"), w.format("{} and {}", value_text(near.below), value_text(near.above)));
  if (!std::isfinite(near.above)) {
    lines.say(w.format(
        "Beyond the largest number, {}; half a spacing further rounding to nearest gives it up.",
        value_text(core::max_finite(model.rounded.format()))));
    return;
  }
  const double down = x - near.below, up = near.above - x;
  lines.is(w("away from them"), w.format("{} and {}", value_text(down), value_text(up)));
  const core::Rounding rounding = p.rounding.rounding;
  if (rounding == core::Rounding::stochastic) {
    const double share = down / (near.above - near.below);
    const double draw =
        std::ldexp(static_cast<double>(core::rounding_bits(p.rounding.random_seed(), p.id)), -64);
    lines
        .begin(w("chance of up"),
               fmt::format("{} / {}", value_text(down), value_text(near.above - near.below)))
        .next(fmt::format("{:.4f}", share))
        .is(w("drawn"), draw < share ? fmt::format("{:.4f} < {:.4f}", draw, share)
                                     : fmt::format("{:.4f} ≥ {:.4f}", draw, share));
  } else if (rounding == core::Rounding::nearest_even && down == up) {
    lines.say(w("A tie: the one whose last mantissa bit is 0."));
  } else {
    lines.say(scene.rounding_name());
  }
}

void explain_sharers(const Scene& scene, Writer& lines) {
  const auto& [p, model, w] = scene;
  const core::IdSharers& s = model.sharers;
  if (s.count == 1) {
    lines.say(w("No other id of the context has this value."));
  } else if (model.rounded.stochastic()) {
    lines.say(w.format("{} ids between {} and {} have this value.", s.count, s.first, s.last));
  } else {
    lines.say(
        w.format("Ids {} to {} share it: {} positions that are one.", s.first, s.last, s.count));
  }
}

Explanation explain_id(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const auto x = static_cast<double>(p.id);
  const double value = scene.rounded(p.id);
  Writer all;
  explain_binade(scene, x, all);
  explain_choice(scene, x, all);
  all.begin(fmt::format("r({})", p.id), value_text(value));
  if (std::isfinite(value)) {
    all.begin(w("error"), fmt::format("{} - {}", value_text(value), p.id))
        .result(value_text(value - x));
  }
  explain_sharers(scene, all);
  return {w.format("Id {} in {}", p.id, scene.format_name()), all.take()};
}

Explanation explain_distance(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double a = scene.rounded(p.id), b = scene.rounded(p.other);
  Writer lines;
  lines.begin(w("true"), "i - j")
      .next(fmt::format("{} - {}", p.id, p.other))
      .next(fmt::format("{}", p.id - p.other));
  lines.begin(w("seen"), "r(i) - r(j)")
      .next(fmt::format("{} - {}", value_text(a), value_text(b)))
      .result(value_text(a - b));
  if (!std::isfinite(a - b)) {
    lines.say(w("An id that is infinite or NaN has no distance."));
    return {w.format("The distance of {} and {}", p.id, p.other), lines.take()};
  }
  const double ei = a - p.id, ej = b - p.other;
  lines.begin(w("seen - true"), "(r(i) - i) - (r(j) - j)")
      .next(fmt::format("({} - {}) - ({} - {})", value_text(a), p.id, value_text(b), p.other))
      .next(fmt::format("{} - ({})", value_text(ei), value_text(ej)))
      .result(value_text(ei - ej));
  if (p.causal && p.other > p.id) {
    lines.say(w("The causal mask hides this pair: the key comes after the query."));
  } else if (a == b && p.id != p.other) {
    lines.say(
        w("Two different tokens at distance 0: no function of rounded ids tells them apart."));
  }
  return {w.format("The distance of {} and {}", p.id, p.other), lines.take()};
}

// One term a binade; the terms add up to the count.
void add_binades(const Scene& scene, Definition definition, Writer& lines) {
  const auto& [p, model, w] = scene;
  const IdFacts& facts = *model.facts;
  if (model.rounded.stochastic() || facts.binades.empty()) {
    lines.say(w("Counted id by id."));
    return;
  }
  std::vector<Index> terms;
  if (definition == Definition::exact || definition == Definition::beyond) {
    terms = core::exact_ids_per_binade(p.length, model.rounded.format());
  } else {
    for (const core::IdBinade& binade : facts.binades) {
      Index alone = 0;
      for (const core::GroupSize& size : binade.sizes) alone += size.size == 1 ? size.count : 0;
      terms.push_back(definition == Definition::distinct ? binade.distinct : alone);
    }
    const Index finite_groups = std::accumulate(terms.begin(), terms.end(), Index{0});
    const Index all = definition == Definition::distinct ? facts.distinct : facts.alone;
    if (all > finite_groups) terms.push_back(all - finite_groups);  // infinity or NaN
  }
  std::string sum;
  for (const Index term : terms) sum += (sum.empty() ? "" : " + ") + fmt::format("{}", term);
  lines.next(sum).say(w("one term for each binade, the first being that of all ids without gaps"));
}

Explanation explain_definition(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const IdFacts& f = *model.facts;
  const Counted count = counted(scene, p.definition);
  Writer lines;
  const std::string name = definition_name(w, p.definition);
  switch (p.definition) {
    case Definition::exact:
      lines.begin(name, "#{i < n : r(i) = i}");
      add_binades(scene, p.definition, lines);
      break;
    case Definition::distinct:
      lines.begin(name, "#{r(i) : i < n}");
      add_binades(scene, p.definition, lines);
      break;
    case Definition::alone:
      lines.begin(name, "#{i : r(j) = r(i) ⇒ j = i}");
      add_binades(scene, p.definition, lines);
      break;
    case Definition::alone_exact:
      lines.begin(name, "#{i : r(i) = i, r(j) = i ⇒ j = i}");
      break;
    case Definition::colliding:
      lines.begin(name, w("n - alone")).next(fmt::format("{} - {}", f.n, f.alone));
      break;
    case Definition::equal_neighbours:
      lines.begin(name, w("n - values")).next(fmt::format("{} - {}", f.n, f.distinct));
      break;
    case Definition::beyond: {
      const Index run = std::max<Index>(0, f.first_inexact.value_or(f.n) - 1);
      lines.begin(name, w("exact - first run"))
          .next(fmt::format("{} - {}", f.exact, f.first_inexact ? run : f.exact))
          .result(value_text(count.value));
      if (f.first_inexact) {
        lines.begin(w("share"), fmt::format("{} / ({} - {})", value_text(count.value), f.n, run))
            .result(percent(count.share));
      }
      return {w.format("{}, of {} ids", name, p.length), lines.take()};
    }
    case Definition::largest:
      lines.begin(name, "max #{j : r(j) = r(i)}");
      if (f.not_finite > 0 && f.not_finite == f.largest_group) {
        lines.say(w("It is that of all ids beyond the largest number."));
      }
      break;
  }
  lines.result(value_text(count.value));
  lines.begin(w("share"), fmt::format("{} / {}", value_text(count.value), f.n))
      .result(percent(count.share));
  return {w.format("{}, of {} ids", name, p.length), lines.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::id:
      return explain_id(scene);
    case Explained::distance:
      return explain_distance(scene);
    case Explained::definition:
      break;
  }
  return explain_definition(scene);
}

}  // namespace lab::position_ids
