// Why an angle is off, and why rows of the table are the same.
#include "app/labs/rope_rounding/page.h"
#include "app/labs/shared/derivation/relation.h"
#include "app/labs/shared/derivation/sum.h"

namespace lab::rope_rounding {
namespace {

Printed nine(double value) { return {value, significant(value, 9)}; }

// One number as it is kept: its value, its format, its bits.
struct Kept {
  double before, after;
  bool lowered;
};

// The explanation while it is written, and how numbers are kept on the way.
struct Writing {
  explicit Writing(const Scene& s)
      : scene(s), rounding(rounding_of(s.p, effective_steps(s.p))), d(s.w) {}

  // "→ 8192 in bfloat16", its bits, and between which neighbours it was.
  void keep(const Kept& kept) {
    const core::Format& format = kept.lowered ? rounding.low : rounding.carrier;
    d.line("", {plain("→ "),
                {number_words(kept.after, std::abs(kept.after) * 1e-9),
                 kept.lowered ? Role::bad : Role::text},
                dim(" " + (kept.lowered ? scene.format() : scene.carrier()))});
    const Bits bits = bits_of(format, kept.after);
    if (!bits.exponent.empty()) d.line("", {{bits.text(), Role::dim, TextStyle::mono_small}});
    if (kept.lowered && kept.after != kept.before && std::isfinite(kept.before)) {
      neighbors(format, kept.before);
    }
  }

  void neighbors(const core::Format& format, double x) {
    const double above = core::next_up(format, x), below = core::next_down(format, x);
    d.say(std::isfinite(above) && std::isfinite(below)
              ? scene.w.format("between {} and {}, {} apart", number_words(below, above - below),
                               number_words(above, above - below), short_number(above - below))
              : scene.w.format("beyond the largest number, {}",
                               number_words(core::max_finite(format))));
  }

  const Scene& scene;
  core::RotaryRounding rounding;
  Derivation d;
};

void write_factors(const Scene& scene, Writing& out) {
  const auto& [p, model, w] = scene;
  const Entry& e = model.entry;
  const RoundedSteps rounded_steps = effective_steps(p);
  out.d.begin("m", fmt::format("{}", p.query));
  out.keep({e.position, e.r_position, rounded_steps.id});
  out.d.begin("θ", "base^(-2i/d)")
      .next(fmt::format("{}^(-{}/{})", short_number(p.base), 2 * p.pair, p.d));
  out.d.is("", equals({nine(e.theta)}) + nine(e.theta).text);
  out.keep({e.theta, e.r_theta, rounded_steps.frequency});
  const Printed id = nine(e.r_position), theta = nine(e.r_theta),
                product = nine(e.r_position * e.r_theta);
  out.d.is("m·θ", equals({id, theta}) + id.text + " · " + theta.text)
      .is("", equals({id, theta, product}) + product.text);
  out.keep({e.carried_product, e.r_angle, rounded_steps.product});
}

void write_error(const Scene& scene, Writing& out) {
  const auto& w = scene.w;
  const Entry& e = scene.model.entry;
  if (e.r_cosine == 0 && e.r_sine == 0) {
    out.d.say(w("cos and sin are both 0: the hand has no length and no angle."));
    return;
  }
  if (!std::isfinite(e.error())) {
    out.d.say(w("The angle is not finite: there is no error to subtract."));
    return;
  }
  out.d.is("Δφ", equals({nine(e.r_hand), nine(e.angle)}) +
                     w.format("{:.9g} - {:.9g} rad", e.r_hand, e.angle));
  out.d.line("", {accented(w.format("≈ {} rad", significant(e.error(), 7)))});
  out.d.about(w.format("{} turns", short_number(e.error() / kTurn)));
  if (std::abs(e.error()) > std::numbers::pi) {
    out.d.say(w.format("More than half a turn: as a hand it is off by {}.",
                       radians(std::remainder(e.error(), kTurn))));
  }
}

void write_entry(const Scene& scene, Writing& out, bool cosine) {
  const Entry& e = scene.model.entry;
  const bool lowered = effective_steps(scene.p).table;
  const std::string name = cosine ? "cos" : "sin";
  const double exact = cosine ? e.cosine : e.sine;
  const double kept = cosine ? e.r_cosine : e.r_sine;
  out.d.is(name, fmt::format("{}({:.10g}) ≈ {:.7f}", name, e.angle, exact));
  out.d.is("", fmt::format("{}({:.10g}) ≈ {:.7f}", name, e.r_angle,
                           cosine ? std::cos(e.r_angle) : std::sin(e.r_angle)));
  out.keep({cosine ? e.carried_cosine : e.carried_sine, kept, lowered});
  if (!std::isfinite(kept)) return;
  out.d
      .is("Δ" + name,
          equals({nine(kept), nine(exact)}) + fmt::format("{:.9g} - {:.9g}", kept, exact))
      .about(significant(kept - exact, 7));
}

Explanation explain_phase(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Writing out(scene);
  write_factors(scene, out);
  const Printed theta = nine(model.entry.theta);
  out.d.is(w("exact"), equals({theta}) + fmt::format("{} · {}", p.query, theta.text))
      .about(fmt::format("{:.9g}", model.entry.angle));
  write_entry(scene, out, true);
  write_entry(scene, out, false);
  if (effective_steps(p).table && std::isfinite(model.entry.r_hand)) {
    out.d.say(w("The hand points along the rounded cosine and sine, with whole turns added:"));
    out.d.begin("φ", "atan2(sin, cos) + 2πk").about(fmt::format("{:.9g}", model.entry.r_hand));
  }
  write_error(scene, out);
  return {w.format("Pair {} at position {}", p.pair, p.query), out.d.take()};
}

Explanation explain_rows(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rows& rows = *model.rows;
  const std::int32_t first = rows.first[to_size(p.query)];
  Index members = 0, last = first;
  for (std::size_t m = 0; m < rows.first.size(); ++m) {
    if (rows.first[m] != first) continue;
    ++members;
    last = to_index(m);
  }
  Writing out(scene);
  const Index n = p.length;
  out.d.begin(w("rows"), fmt::format("{}", n));
  out.d.begin(w("repeats"), fmt::format("{}", n - rows.count()));
  out.d.begin(w("distinct"), fmt::format("{} - {}", n, n - rows.count()))
      .result(fmt::format("{}", rows.count()));
  out.d.is(w("its share"), "≈ " + percent(to_double(rows.count()) / to_double(n), 2));
  out.d.say(
      w("A row is a repeat when an earlier one has the same cosine and the same sine in every "
        "pair."));
  if (members == 1) {
    out.d.say(w.format("The row of position {} is unique.", p.query));
  } else {
    out.d.say(w.format("The row of position {} belongs to {} positions, {} to {}.", p.query,
                       members, first, last));
  }
  const Index lost = model.errors->lost();
  out.d.is(w("phase"), lost > 0
                           ? w.format("hands without an angle: {} of {}", lost, model.errors->count)
                           : w.format("error up to {}", radians(model.errors->largest)));
  if (rows.count() == n && model.errors->largest > 1) {
    out.d.say(w("All rows differ, yet angles are far off: rows that differ may all be wrong."));
  }
  return {w.format("The distinct rows of {}", n), out.d.take()};
}

// --- why a score and a weight come out differently

constexpr std::size_t kMostTerms = 16;  // written out; beyond, the largest few
constexpr std::size_t kLargestTerms = 10;

// The values, each with how it came about, the rest, and their sum.
template <class Describe>
void add_sum(const std::vector<double>& values, std::size_t marked, const std::string& rest_name,
             Describe&& describe, Derivation& d) {
  double rest = std::accumulate(values.begin(), values.end(), 0.0);
  const double sum = rest;
  const std::vector<std::size_t> chosen = written_of(values, {.most = kMostTerms,
                                                              .shown = kLargestTerms,
                                                              .which = Written::largest_in_order,
                                                              .always = marked});
  bool first = true;
  for (const std::size_t k : chosen) {
    d.line("", {dim(std::exchange(first, false) ? "  " : "+ "),
                dim(describe(k)),
                dim(" ≈ "),
                {fixed(values[k], 4), k == marked ? Role::accent : Role::text},
                dim(fmt::format("  [{}]", k))});
    rest -= values[k];
  }
  if (chosen.size() < values.size()) {
    d.line("", {dim("+ "), dim(rest_name), dim(" ≈ "), plain(fixed(rest, 4))});
  }
  d.about_result(sum, 4);
}

std::vector<double> list_of(const VectorD& values) { return {values.begin(), values.end()}; }

// One way of attending, exact or rounded.
void add_way(const Scene& scene, const core::Attended<double>& attended, const std::string& title,
             Derivation& d) {
  const Window& window = *scene.model.window;
  const Index row = scene.p.query - window.start;
  const auto scores = attended.scaled.row(row).head(row + 1);
  const SoftmaxRow softmax{
      {scores.begin(), scores.end()}, to_size(scene.p.key - window.start), [&](std::size_t k) {
        return scene.w.format("key {}", window.start + to_index(k));
      }};
  d.say(title).weight("w", softmax).normalizer(softmax);
}

}  // namespace

Bits bits_of(const core::Format& format, double value) {
  if (std::isnan(value) && format.specials == core::Specials::none) return {};
  const std::string digits =
      fmt::format("{:0{}b}", core::encode(format, value), core::bit_count(format));
  const auto exponent = to_size(format.exponent_bits);
  return {digits.substr(0, 1), digits.substr(1, exponent), digits.substr(1 + exponent)};
}

Explanation explain(const Scene& scene) {
  switch (scene.p.explained) {
    case Explained::rows: return explain_rows(scene);
    case Explained::score: return explain_score(scene);
    case Explained::weight: return explain_weight(scene);
    case Explained::phase: break;
  }
  return explain_phase(scene);
}

Explanation explain_score(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::string title = w.format("The score of query {} and key {}", p.query, p.key);
  const VectorD exact = model.exact_terms(to_double(p.query - p.key));
  const VectorD rounded = model.rounded_terms(p.query, p.key);
  const double error = rounded.sum() - exact.sum();
  Derivation d(w);
  d.begin("s", "Σ q_i·k_i / √d").say(w("over the pairs i, each rotated by its angle"));
  if (!std::isfinite(error)) {
    d.about(w("exact"), exact.sum(), 4).begin(w("rounded"), "NaN");
    d.say(w("An angle is not finite, and has no cosine."));
    return {title, d.take()};
  }
  d.about(w("rounded"), rounded.sum(), 4).about(w("exact"), exact.sum(), 4);
  d.about_picked(w("error"), error, 4);
  d.say(w("which is, pair by pair, rounded minus exact:"));
  const std::vector<double> errors = list_of(rounded - exact);
  add_sum(
      errors, to_size(p.pair),
      w.format("… the other pairs ({})",
               errors.size() > kMostTerms ? errors.size() - kLargestTerms : 0),
      [&](std::size_t i) {
        const auto k = to_index(i);
        return fmt::format("{} - ({})", fixed(rounded(k), 5), fixed(exact(k), 5));
      },
      d);
  const double query = model.entry.error(), key = model.key_entry.error();
  if (std::isfinite(query) && std::isfinite(key)) {
    d.say(w.format("Pair {}: off by {} at the query and {} at the key; only the difference counts.",
                   p.pair, radians(query), radians(key)));
  } else {
    d.say(w.format("Pair {}: a hand whose cos and sin are 0 has no angle, and adds nothing.",
                   p.pair));
  }
  return {title, d.take()};
}

Explanation explain_weight(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Window& window = *model.window;
  const std::string title = w.format("How much query {} attends to key {}", p.query, p.key);
  const Index row = p.query - window.start, col = p.key - window.start;
  Derivation d(w);
  if (col < 0) {
    d.say(w.format("The key lies before the block of tokens shown, {} to {}.", window.start,
                   window.start + window.n - 1));
    return {title, d.take()};
  }
  const double exact = window.exact.weights(row, col);
  const double rounded = window.rounded.weights(row, col);
  if (std::isfinite(rounded)) {
    d.is("Δw", fmt::format("≈ {} - {}", fixed(rounded, 5), fixed(exact, 5)));
    d.about_result(rounded - exact, 4);
    add_way(scene, window.rounded, w("Rounded"), d);
  } else {
    d.picked("w", "NaN");
    d.say(w("An angle in this row is not finite: it has no cosine, and the row has no weights."));
  }
  add_way(scene, window.exact, w("Exact"), d);
  return {title, d.take()};
}

}  // namespace lab::rope_rounding
