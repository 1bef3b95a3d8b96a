// Every picked value down to its inputs.
#include "app/labs/position_ids/page.h"

namespace lab::position_ids {
namespace {

void explain_binade(const Scene& scene, double x, Derivation& d) {
  const core::Format& format = scene.model.rounded.format();
  const auto& w = scene.w;
  if (x == 0) return;
  const int k = std::ilogb(x), t = format.mantissa_bits, least = 1 - format.bias;
  // Ids have at most 20 bits, so that so many digits are all of them.
  d.begin(value_text(x), fmt::format("{} × 2^{}", significant(std::ldexp(x, -k), 20), k));
  d.is(w("binade"), fmt::format("[2^{}, 2^{})", k, k + 1));
  const std::string spacing = value_text(core::spacing(format, x));
  if (k >= least) {
    d.begin(w("spacing there"), "2^(k - t)").next(fmt::format("2^({} - {})", k, t)).next(spacing);
  } else if (!format.subnormals) {
    d.begin(w("spacing there"), fmt::format("2^{}", least))
        .next(spacing)
        .say(w("without subnormals nothing lies between 0 and the smallest normal number"));
  } else {
    d.begin(w("spacing there"), fmt::format("2^({} - {})", least, t))
        .next(spacing)
        .say(w("below the smallest normal number the spacing stays the same"));
  }
}

void explain_chance(const Scene& scene, double down, double spacing, Derivation& d) {
  const double share = down / spacing;
  const std::string text = value_text(share);
  const double draw =
      std::ldexp(to_double(core::rounding_bits(scene.p.rounding.random_seed(), scene.p.id)), -64);
  d.begin(scene.w("chance of rounding up"),
          fmt::format("{} / {}", value_text(down), value_text(spacing)));
  d.is("", equated(share, text));
  d.is(scene.w("drawn"), fmt::format("≈ {} {} {}", fixed(draw, 6), draw < share ? "<" : "≥", text));
}

void explain_choice(const Scene& scene, double x, Derivation& d) {
  const auto& [p, model, w] = scene;
  const core::Format& format = model.rounded.format();
  const double below = core::next_down(format, x), above = core::next_up(format, x);
  if (core::next_up(format, below) == x) {
    d.say(w("It is a number of the format: nothing is rounded."));
    return;
  }
  d.is(w("between"), w.format("{} and {}", value_text(below), value_text(above)));
  if (!std::isfinite(above)) {
    d.say(
        w.format("Beyond the largest number, {}; from half a spacing further on, rounding to "
                 "nearest overflows.",
                 value_text(core::max_finite(format))));
    return;
  }
  const double down = x - below, up = above - x;
  d.is(w("away from them"), w.format("{} and {}", value_text(down), value_text(up)));
  if (p.rounding.stochastic()) {
    explain_chance(scene, down, above - below, d);
  } else if (p.rounding.rounding == core::Rounding::nearest_even && down == up) {
    d.say(w("A tie: the one whose last mantissa bit is 0."));
  } else {
    d.say(scene.rounding_name());
  }
}

Explanation explain_id(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double x = to_double(p.id), value = scene.rounded(p.id);
  Derivation d(w);
  explain_binade(scene, x, d);
  explain_choice(scene, x, d);
  d.begin(fmt::format("r({})", p.id), value_text(value));
  if (std::isfinite(value)) {
    d.begin(w("error"), fmt::format("{} - {}", value_text(value), p.id))
        .result(value_text(value - x));
  }
  const core::IdSharers& s = model.sharers;
  if (s.count == 1) {
    d.say(w("No other id of the context has this value."));
  } else if (model.rounded.stochastic()) {
    d.say(w.format("{} ids between {} and {} have this value.", s.count, s.first, s.last));
  } else {
    d.say(w.format("Ids {} to {} share it: {} positions become one.", s.first, s.last, s.count));
  }
  return {w.format("Id {} in {}", p.id, scene.format_name()), d.take()};
}

// Key minus query, as everywhere.
Explanation explain_distance(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double i = scene.rounded(p.id), j = scene.rounded(p.other);
  const std::string title = w.format("The distance of {} and {}", p.id, p.other);
  Derivation d(w);
  d.begin(w("true"), "j - i")
      .next(fmt::format("{} - {}", p.other, p.id))
      .next(fmt::format("{}", p.other - p.id));
  d.begin(w("rounded"), "r(j) - r(i)")
      .next(fmt::format("{} - {}", value_text(j), value_text(i)))
      .result(value_text(j - i));
  if (!std::isfinite(j - i)) {
    d.say(w("An id that is infinite or NaN has no distance."));
    return {title, d.take()};
  }
  d.begin(w("rounded - true"), "(r(j) - j) - (r(i) - i)")
      .next(fmt::format("({} - {}) - ({} - {})", value_text(j), p.other, value_text(i), p.id))
      .next(fmt::format("{} - {}", value_text(j - p.other), bracketed(value_text(i - p.id))))
      .result(value_text((j - p.other) - (i - p.id)));
  if (p.causal && p.other > p.id) {
    d.say(w("The causal mask hides this pair: the key comes after the query."));
  } else if (i == j && p.id != p.other) {
    d.say(w("Two different tokens at distance 0: no function of rounded ids tells them apart."));
  }
  return {title, d.take()};
}

// One term a binade; the terms add up to the count.
void add_binades(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  const IdFacts& facts = *model.facts;
  if (model.rounded.stochastic() || facts.binades.empty()) {
    d.say(w("Counted id by id."));
    return;
  }
  std::vector<Index> terms;
  if (p.definition == Definition::exact) {
    terms = core::exact_ids_per_binade(p.length, model.rounded.format());
  } else {
    const bool distinct = p.definition == Definition::distinct;
    for (const core::IdBinade& binade : facts.binades) {
      Index alone = 0;
      for (const core::GroupSize& size : binade.sizes) alone += size.size == 1 ? size.count : 0;
      terms.push_back(distinct ? binade.distinct : alone);
    }
    const Index finite_groups = std::accumulate(terms.begin(), terms.end(), Index{0});
    const Index all = distinct ? facts.distinct : facts.alone;
    if (all > finite_groups) terms.push_back(all - finite_groups);  // infinity or NaN
  }
  d.next(fmt::format("{}", fmt::join(terms, " + ")))
      .say(w("one term for each binade; the first has all ids without gaps"));
}

// What is counted, in symbols, and the numbers that make the count.
void explain_count(const Scene& scene, Derivation& d) {
  const auto& [p, model, w] = scene;
  const IdFacts& f = *model.facts;
  const std::string name = w(words_of(p.definition).name);
  switch (p.definition) {
    case Definition::exact: d.begin(name, "#{i < n : r(i) = i}"); return add_binades(scene, d);
    case Definition::distinct: d.begin(name, "#{r(i) : i < n}"); return add_binades(scene, d);
    case Definition::alone:
      d.begin(name, "#{i : r(j) = r(i) ⇒ j = i}");
      return add_binades(scene, d);
    case Definition::alone_exact: d.begin(name, "#{i : r(i) = i, r(j) = i ⇒ j = i}"); return;
    case Definition::colliding:
      d.begin(name, w("n - alone")).next(fmt::format("{} - {}", f.n, f.alone));
      return;
    case Definition::equal_neighbors:
      d.begin(name, w("n - values")).next(fmt::format("{} - {}", f.n, f.distinct));
      return;
    case Definition::beyond:
      d.begin(name, w("exact - first run"))
          .next(fmt::format("{} - {}", f.exact, f.first_inexact.value_or(f.n)));
      return;
    case Definition::largest:
      d.begin(name, "max #{j : r(j) = r(i)}");
      if (f.not_finite > 0 && f.not_finite == f.largest_group) {
        d.say(w("It is the value of all ids beyond the largest number."));
      }
      return;
  }
}

Explanation explain_definition(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const IdFacts& f = *model.facts;
  const Counted count = counted(f, p.definition);
  Derivation d(w);
  explain_count(scene, d);
  d.result(value_text(count.value));
  if (p.definition != Definition::beyond) {
    d.begin(w("share"), fmt::format("{} / {}", value_text(count.value), f.n))
        .about_result(percent(count.share, 2));
  } else if (f.first_inexact) {
    d.begin(w("share"),
            fmt::format("{} / ({} - {})", value_text(count.value), f.n, *f.first_inexact))
        .about_result(percent(count.share, 2));
  }
  return {w.format("{}, of {} ids", w(words_of(p.definition).name), p.length), d.take()};
}

}  // namespace

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::id: return explain_id(scene);
    case Explained::distance: return explain_distance(scene);
    case Explained::definition: break;
  }
  return explain_definition(scene);
}

}  // namespace lab::position_ids
