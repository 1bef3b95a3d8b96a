// Why an angle is off, and why rows of the table are the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/labs/rope_rounding/page.h"

namespace lab::rope_rounding {
namespace {

using figure::Role;

// One number as it is kept: its value, its format, its bits.
struct Kept {
  double before, after;
  bool lowered;
};

class Writer {
 public:
  explicit Writer(const Scene& scene)
      : scene_(scene), rounding_(rounding_of(scene.p, rounded_places(scene.p))) {}

  void add(std::string left, std::string right, Role role = Role::text) {
    lines_.push_back({std::move(left), {{std::move(right), role}}});
  }
  void say(std::string text) { lines_.push_back({"", {sentence(std::move(text))}}); }

  // "→ 8192 in bfloat16", its bits, and between which neighbours it was.
  void keep(const Kept& kept) {
    const core::Format& format = kept.lowered ? rounding_.low : rounding_.carrier;
    const std::string name = kept.lowered ? scene_.format() : scene_.carrier();
    lines_.push_back({"",
                      {plain("→ "),
                       {number_words(kept.after, std::abs(kept.after) * 1e-9),
                        kept.lowered ? Role::bad : Role::text},
                       dim(" " + name)}});
    const Bits bits = bits_of(format, kept.after);
    if (!bits.exponent.empty()) {
      lines_.push_back({"", {{bits.text(), Role::dim, figure::TextStyle::mono_small}}});
    }
    if (kept.lowered && kept.after != kept.before && std::isfinite(kept.before)) {
      neighbours(format, kept.before);
    }
  }

  Lines take() { return std::move(lines_); }

 private:
  void neighbours(const core::Format& format, double x) {
    const double above = core::next_up(format, x), below = core::next_down(format, x);
    if (std::isfinite(above) && std::isfinite(below)) {
      say(scene_.w.format("between {} and {}, {} apart", number_words(below, above - below),
                          number_words(above, above - below), short_number(above - below)));
    } else {
      say(scene_.w.format("beyond the largest number, {}", number_words(core::max_finite(format))));
    }
  }

  const Scene& scene_;
  core::RotaryRounding rounding_;
  Lines lines_;
};

void write_factors(const Scene& scene, Writer& out) {
  const auto& [p, model, w] = scene;
  const Entry& e = model.entry;
  const Places places = rounded_places(p);
  out.add("m", fmt::format("= {}", p.query));
  out.keep({e.position, e.r_position, places.id});
  out.add("θ", "= base^(-2i/d)");
  out.add("", fmt::format("= {}^(-{}/{})", short_number(p.base), 2 * p.pair, p.d));
  out.add("", fmt::format("= {:.9g}", e.theta));
  out.keep({e.theta, e.r_theta, places.frequency});
  out.add("m·θ", fmt::format("= {:.9g} · {:.9g}", e.r_position, e.r_theta));
  out.add("", fmt::format("= {:.9g}", e.r_position * e.r_theta));
  out.keep({e.carried_product, e.r_angle, places.product});
}

void write_error(const Scene& scene, Writer& out) {
  const auto& w = scene.w;
  const Entry& e = scene.model.entry;
  if (!std::isfinite(e.error())) {
    out.say(w("The angle is not finite: there is no error to subtract."));
    return;
  }
  // What the angle should be and what it is off by make up the angle as it is.
  const PrintedSum printed = printed_sum({e.angle, e.error()}, 6);
  out.add("Δφ", w.format("= {} - {} rad", printed.sum, printed.parts[0]));
  out.add("", w.format("= {} rad", printed.parts[1]), Role::accent);
  out.add("", w.format("= {} turns", short_number(e.error() / kTurn)));
  if (std::abs(e.error()) > std::numbers::pi) {
    out.say(w.format("More than half a turn: as a hand it is off by {}.",
                     radians(std::remainder(e.error(), kTurn))));
  }
}

void write_entry(const Scene& scene, Writer& out, bool cosine) {
  const Entry& e = scene.model.entry;
  const bool lowered = rounded_places(scene.p).table;
  const std::string name = cosine ? "cos" : "sin";
  const double exact = cosine ? e.cosine : e.sine;
  const double kept = cosine ? e.r_cosine : e.r_sine;
  out.add(name, fmt::format("{}({:.9g}) = {:.7f}", name, e.angle, exact));
  out.add("", fmt::format("{}({:.9g}) = {:.7f}", name, e.r_angle,
                          cosine ? std::cos(e.r_angle) : std::sin(e.r_angle)));
  out.keep({cosine ? e.carried_cosine : e.carried_sine, kept, lowered});
  if (!std::isfinite(kept)) return;
  const PrintedSum printed = printed_sum({exact, kept - exact}, 7);
  out.add("Δ" + name, fmt::format("= {} - {}", printed.sum, printed.parts[0]));
  out.add("", "= " + printed.parts[1]);
}

Explanation explain_phase(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Writer out(scene);
  write_factors(scene, out);
  out.add(w("exact"), fmt::format("= {} · {:.9g}", p.query, model.entry.theta));
  out.add("", fmt::format("= {:.9g}", model.entry.angle));
  write_error(scene, out);
  write_entry(scene, out, true);
  write_entry(scene, out, false);
  return {w.format("Pair {} at position {}", p.pair, p.query), out.take()};
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
  Writer out(scene);
  const Index n = p.length;
  out.add(w("rows"), fmt::format("= {}", n));
  out.add(w("repeats"), fmt::format("= {}", n - rows.count()));
  out.add(w("distinct"), fmt::format("= {} - {}", n, n - rows.count()));
  out.add("", fmt::format("= {}", rows.count()), Role::accent);
  out.add("", fmt::format("= {:.2f} %",
                          100.0 * static_cast<double>(rows.count()) / static_cast<double>(n)));
  out.say(
      w("A row is a repeat when an earlier one has the same cosine and the same sine in every "
        "pair."));
  if (members == 1) {
    out.say(w.format("The row of position {} is like no other.", p.query));
  } else {
    out.say(w.format("The row of position {} is that of {} positions, {} to {}.", p.query, members,
                     first, last));
  }
  out.add(w("phase"), w.format("error up to {}", radians(model.errors->max())));
  if (rows.count() == n && model.errors->largest > 1) {
    out.say(w("All rows differ, and still angles are far off: rows that differ may all be wrong."));
  }
  return {w.format("The distinct rows of {}", n), out.take()};
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
    case Explained::rows:
      return explain_rows(scene);
    case Explained::score:
      return explain_score(scene);
    case Explained::weight:
      return explain_weight(scene);
    case Explained::phase:
      break;
  }
  return explain_phase(scene);
}

}  // namespace lab::rope_rounding
