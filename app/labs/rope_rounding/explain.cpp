// Why an angle is off, and why rows of the table are the same.
#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

// One number as it is kept: its value, its format, its bits.
struct Kept {
  double before, after;
  bool lowered;
};

// The explanation while it is written, and how numbers are kept on the way.
struct Writing {
  explicit Writing(const Scene& s)
      : scene(s), rounding(rounding_of(s.p, rounded_places(s.p))), d(s.w) {}

  // "→ 8192 in bfloat16", its bits, and between which neighbours it was.
  void keep(const Kept& kept) {
    const core::Format& format = kept.lowered ? rounding.low : rounding.carrier;
    d.line("", {plain("→ "),
                {number_words(kept.after, std::abs(kept.after) * 1e-9),
                 kept.lowered ? Role::bad : Role::text},
                dim(" " + (kept.lowered ? scene.format() : scene.carrier()))});
    const Bits bits = bits_of(format, kept.after);
    if (!bits.exponent.empty()) {
      d.line("", {{bits.text(), Role::dim, TextStyle::mono_small}});
    }
    if (kept.lowered && kept.after != kept.before && std::isfinite(kept.before)) {
      neighbours(format, kept.before);
    }
  }

  void neighbours(const core::Format& format, double x) {
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
  const Places places = rounded_places(p);
  out.d.begin("m", fmt::format("{}", p.query));
  out.keep({e.position, e.r_position, places.id});
  out.d.begin("θ", "base^(-2i/d)")
      .next(fmt::format("{}^(-{}/{})", short_number(p.base), 2 * p.pair, p.d));
  out.d.next(fmt::format("{:.9g}", e.theta));
  out.keep({e.theta, e.r_theta, places.frequency});
  out.d.begin("m·θ", fmt::format("{:.9g} · {:.9g}", e.r_position, e.r_theta))
      .next(fmt::format("{:.9g}", e.r_position * e.r_theta));
  out.keep({e.carried_product, e.r_angle, places.product});
}

void write_error(const Scene& scene, Writing& out) {
  const auto& w = scene.w;
  const Entry& e = scene.model.entry;
  if (!std::isfinite(e.error())) {
    out.d.say(w("The angle is not finite: there is no error to subtract."));
    return;
  }
  out.d.begin("Δφ", w.format("{:.9g} - {:.9g} rad", e.r_hand, e.angle));
  out.d.line("", {accented(w.format("≈ {} rad", significant(e.error(), 7)))});
  out.d.about(w.format("{} turns", short_number(e.error() / kTurn)));
  if (std::abs(e.error()) > std::numbers::pi) {
    out.d.say(w.format("More than half a turn: as a hand it is off by {}.",
                       radians(std::remainder(e.error(), kTurn))));
  }
}

void write_entry(const Scene& scene, Writing& out, bool cosine) {
  const Entry& e = scene.model.entry;
  const bool lowered = rounded_places(scene.p).table;
  const std::string name = cosine ? "cos" : "sin";
  const double exact = cosine ? e.cosine : e.sine;
  const double kept = cosine ? e.r_cosine : e.r_sine;
  out.d.is(name, fmt::format("{}({:.10g}) ≈ {:.7f}", name, e.angle, exact));
  out.d.is("", fmt::format("{}({:.10g}) ≈ {:.7f}", name, e.r_angle,
                           cosine ? std::cos(e.r_angle) : std::sin(e.r_angle)));
  out.keep({cosine ? e.carried_cosine : e.carried_sine, kept, lowered});
  if (!std::isfinite(kept)) return;
  out.d.begin("Δ" + name, fmt::format("{:.9g} - {:.9g}", kept, exact))
      .about(significant(kept - exact, 7));
}

Explanation explain_phase(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Writing out(scene);
  write_factors(scene, out);
  out.d.begin(w("exact"), fmt::format("{} · {:.9g}", p.query, model.entry.theta))
      .about(fmt::format("{:.9g}", model.entry.angle));
  write_entry(scene, out, true);
  write_entry(scene, out, false);
  if (rounded_places(p).table) {
    out.d.say(w("The hand points where the rounded cosine and sine say, whole turns added:"));
    out.d.begin("φ", "atan2(sin, cos) + 2πk").about(fmt::format("{:.9g}", model.entry.r_hand));
  }
  write_error(scene, out);
  return {w.format("Pair {} at position {}", p.pair, p.query), out.d.take()};
}

Explanation explain_rows(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Rows& rows = *model.rows;
  const std::int32_t first = rows.first[static_cast<std::size_t>(p.query)];
  Index members = 0, last = first;
  for (std::size_t m = 0; m < rows.first.size(); ++m) {
    if (rows.first[m] != first) continue;
    ++members;
    last = static_cast<Index>(m);
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
    out.d.say(w.format("The row of position {} is like no other.", p.query));
  } else {
    out.d.say(w.format("The row of position {} is that of {} positions, {} to {}.", p.query,
                       members, first, last));
  }
  out.d.is(w("phase"), w.format("error up to {}", radians(model.errors->max())));
  if (rows.count() == n && model.errors->largest > 1) {
    out.d.say(
        w("All rows differ, and still angles are far off: rows that differ may all be wrong."));
  }
  return {w.format("The distinct rows of {}", n), out.d.take()};
}

}  // namespace

Bits bits_of(const core::Format& format, double value) {
  if (std::isnan(value) && format.specials == core::Specials::none) return {};
  const std::string digits =
      fmt::format("{:0{}b}", core::encode(format, value), core::bit_count(format));
  const auto exponent = static_cast<std::size_t>(format.exponent_bits);
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

}  // namespace lab::rope_rounding
