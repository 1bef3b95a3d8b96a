// The numbers of the format around x as points on a line, and which of them x becomes.
#include "app/figure/layout.h"
#include "app/labs/number_line/page.h"

namespace lab::number_line {
namespace {

constexpr double kTop = 2.2, kFloor = -1.5;  // of the plot; the numbers stand at height 0
constexpr double kHandleAt = 0.8;
constexpr std::size_t kMostPicks = 600;  // points beyond which they are too close to click
constexpr int kMostBinades = 6;          // marked ones, on each side of zero

// Where x lies in the window, 0 to 1.
double place(const Scene& scene, double x) {
  const Window& window = scene.model.window;
  return (x - window.lo) / (window.hi - window.lo);
}

bool inside(const Scene& scene, double x) {
  const double at = place(scene, x);
  return at >= 0 && at <= 1;  // false for NaN
}

// Grid lines at round numbers, written with every digit that they need.
void add_grid(const Scene& scene, Plot& plot) {
  const Window& window = scene.model.window;
  constexpr double kLetters = 84;  // that fit under the line
  for (int most = 9; most >= 2; --most) {
    const std::vector<double> ticks = figure::nice_ticks(window.lo, window.hi, most);
    std::size_t longest = 0;
    for (const double tick : ticks) longest = std::max(longest, number_words(tick).size());
    if (to_double(ticks.size() * (longest + 3)) > kLetters && most > 2) continue;
    for (const double tick : ticks) {
      plot.add(Line{{tick, tick}, {kFloor + 0.42, kTop}, Role::line, 1});
      const double at = place(scene, tick);
      if (at < 0.04 || at > 0.96) continue;  // its number would be cut
      add_note(plot, tick, kFloor + 0.18, number_words(tick), Role::dim, TextStyle::mono_small, 0);
    }
    return;
  }
}

void add_upright(Plot& plot, double x, Color color) {
  plot.add(Line{{x, x}, {kFloor + 0.42, kTop}, color, 1, true, {}});
}

// A label at the right of an upright line, or at its left where it has no room.
void add_beside(const Scene& scene, Plot& plot, double x, double y, std::string text, Color color) {
  const double at = place(scene, x), gap = 0.008 * (scene.model.window.hi - scene.model.window.lo);
  const bool left = at > 0.78;
  add_note(plot, left ? x - gap : x + gap, y, std::move(text), color, TextStyle::label,
           left ? 1 : -1);
}

// Where the spacing changes: the ends of binades. Near zero they crowd, and only the outer ones,
// which have room to the next one, are written.
void add_binades(const Scene& scene, Plot& plot) {
  const Model& m = scene.model;
  constexpr double kRoom = 0.22;  // of the line, for a label
  const double reach = std::max(std::abs(m.window.lo), std::abs(m.window.hi));
  const int last = binade_of(std::min(reach, m.facts.max));
  for (int k = last; k >= std::max(2 - m.format.bias, last - kMostBinades); --k) {
    const double at = std::ldexp(1.0, k);
    const int step = k - m.format.mantissa_bits;
    for (const double end : {at, -at}) {
      if (!inside(scene, end)) continue;
      add_upright(plot, end, Role::dim);
      const double next = k == last && end > 0 ? m.window.hi : end > 0 ? 2 * at : -at / 2;
      if (place(scene, next) - place(scene, end) < kRoom) continue;
      add_beside(
          scene, plot, end, kTop - 0.2,
          end > 0 ? scene.w.format("{}: spacing {} → {}", power(k), power(step - 1), power(step))
                  : scene.w.format("-{}: spacing {} → {}", power(k), power(step), power(step - 1)),
          Role::dim);
    }
  }
}

void shade(Plot& plot, double lo, double hi, Color color) {
  if (hi > lo) plot.add(Band{{lo, hi}, {-0.28, -0.28}, {0.28, 0.28}, color});
}

// What is larger cannot be stored: to nearest, from half a step beyond the largest number on.
double overflow_limit(const Scene& scene) {
  const Model& m = scene.model;
  const core::Rounding rounding = scene.p.rounding.rounding;
  const bool nearest =
      rounding == core::Rounding::nearest_even || rounding == core::Rounding::nearest_away;
  return nearest ? m.facts.max + core::spacing(m.format, m.facts.max) / 2 : m.facts.max;
}

// Subnormal numbers, and what is too large.
void add_regions(const Scene& scene, Plot& plot) {
  const Model& m = scene.model;
  const Window& window = m.window;
  if (m.facts.min_normal && window.lo < *m.facts.min_normal && window.hi > -*m.facts.min_normal) {
    shade(plot, std::max(window.lo, -*m.facts.min_normal), std::min(window.hi, *m.facts.min_normal),
          Color(Role::value, 0.16f));
    if (inside(scene, *m.facts.min_normal)) {
      add_upright(plot, *m.facts.min_normal, Role::value);
      add_beside(
          scene, plot, *m.facts.min_normal, kTop - 0.56,
          m.format.subnormals ? scene.w("normal from here") : scene.w("below: flushed to zero"),
          Role::value);
    }
  }
  for (const double sign : {1.0, -1.0}) {
    const double last = sign * m.facts.max;
    const double limit = sign * overflow_limit(scene);
    const double from = std::max(window.lo, sign > 0 ? limit : window.lo);
    const double to = std::min(window.hi, sign > 0 ? window.hi : limit);
    shade(plot, from, to, Color(Role::bad, 0.16f));
    if (!inside(scene, last)) continue;
    add_upright(plot, last, Role::bad);
    if (sign < 0 && inside(scene, m.facts.max)) continue;  // one label will do
    add_beside(scene, plot, last, kTop - 0.56, scene.w.format("largest: {}", number_words(last)),
               Role::bad);
  }
}

void add_numbers(const Scene& scene, Plot& plot) {
  const Window& window = scene.model.window;
  plot.add(Line{{window.lo, window.hi}, {0, 0}, Color(Role::text, 0.35f), 1});
  Points points;
  points.x = window.numbers;
  points.y.assign(window.numbers.size(), 0);
  points.color = Role::text;
  points.radius = window.numbers.size() > 300 ? 1.2f : window.numbers.size() > 80 ? 2.2f : 3.5f;
  if (window.numbers.size() <= kMostPicks) {
    for (const double number : window.numbers) {
      points.picks.push_back(
          sets("x", number_words(number), "special", "number", "explain", "rounding"));
    }
  }
  plot.add(std::move(points));
}

// A neighbour's number, written away from the stored one.
void add_neighbor(const Scene& scene, double value, bool left, Plot& plot) {
  if (!std::isfinite(value) || !inside(scene, value) || value == scene.model.stored.value) return;
  const double at = place(scene, value);
  const bool room = left ? at > 0.12 : at < 0.88;
  add_note(plot, value, -0.86, scene.near(value), Role::text, TextStyle::mono_small,
           room ? (left ? 1 : -1) : 0);
}

// Both ways that chance can take, as wide as they are likely.
void add_chances(const Scene& scene, Plot& plot) {
  const Model& m = scene.model;
  if (!scene.p.rounding.stochastic() || m.exact) return;
  const double other = m.stored.value == m.below ? m.above : m.below;
  if (!std::isfinite(other)) return;
  plot.add(Arrows{{{m.x, kHandleAt, other, 0.1}}, Color(Role::text, 0.4f), 1.5f, {}});
}

void add_x(const Scene& scene, Plot& plot) {
  const Model& m = scene.model;
  if (!scene.finite()) return;
  if (m.basin) {
    const auto [lo, hi] = *m.basin;
    shade(plot, std::max(lo, m.window.lo), std::min(hi, m.window.hi), Color(Role::accent, 0.22f));
  }
  add_chances(scene, plot);
  const double value = m.stored.value;
  if (std::isfinite(value)) {
    // Far away: the arrow leaves the picture on its side.
    const double to = std::clamp(value, m.window.lo - (m.window.hi - m.window.lo),
                                 m.window.hi + (m.window.hi - m.window.lo));
    plot.add(Arrows{{{m.x, kHandleAt, to, 0.1}}, Role::accent, 2, {}});
    if (inside(scene, value)) {
      plot.add(picked_point(value, 0));
      const double at = place(scene, value);
      add_note(plot, value, -0.5, scene.near(value), Role::accent, TextStyle::mono_bold,
               at < 0.1   ? -1
               : at > 0.9 ? 1
                          : 0);
    }
  } else {
    const double side = m.x > 0 ? m.window.hi : m.window.lo;
    const double width = m.window.hi - m.window.lo;
    const double to = m.x + (m.x > 0 ? 1 : -1) * std::min(std::abs(side - m.x), 0.12 * width);
    plot.add(Arrows{{{m.x, kHandleAt, to, kHandleAt}}, Role::accent, 2, {}});
    add_note(plot, to, kHandleAt - 0.42, scene.stored_text(), Role::accent, TextStyle::mono_bold,
             m.x > 0 ? 1 : -1);
  }
  add_neighbor(scene, m.below, true, plot);
  add_neighbor(scene, m.above, false, plot);
  // Beside the handle, on the side to which no arrow leaves.
  const bool left = place(scene, m.x) > 0.7 || (!std::isfinite(value) && m.x > 0);
  const double gap = 0.018 * (m.window.hi - m.window.lo);
  add_note(plot, left ? m.x - gap : m.x + gap, kHandleAt, "x = " + scene.x_text(), Role::accent,
           TextStyle::mono_bold, left ? 1 : -1);
  plot.add(Handle{.x = m.x,
                  .y = kHandleAt,
                  .x_param = "x",
                  .also = sets("special", "number", "explain", "rounding")});
}

std::string note_of(const Scene& scene) {
  const Model& m = scene.model;
  const Window& window = m.window;
  if (to_index(window.numbers.size()) < window.count) {
    return scene.w.format("{} numbers; drawn: the first in each of {} intervals", window.count,
                          kMostPoints);
  }
  return scene.w.format("{} numbers of {} here", window.count, m.name);
}

}  // namespace

Figure line_figure(const Scene& scene) {
  const auto& [p, m, w] = scene;
  Figure figure = new_figure("line", w("The numbers around x"));
  figure.note = note_of(scene);
  figure.caption =
      w.format("Points: the numbers of {}. x = {} is stored as {}. Rounding {}.", m.name,
               scene.x_text(), scene.stored_text(), w(rounding_name(p.rounding.rounding)));
  if (m.basin) {
    figure.caption = w.format("{} {}", figure.caption,
                              w("Every number in the amber interval becomes the same."));
  }
  figure.height = 244;
  Plot plot{.id = "line",
            .x = hidden_axis(m.window.lo, m.window.hi),
            .y = hidden_axis(kFloor, kTop),
            .click = sets("special", "number", "explain", "rounding"),
            .x_param = "x"};
  add_grid(scene, plot);
  add_regions(scene, plot);
  add_binades(scene, plot);
  add_numbers(scene, plot);
  add_x(scene, plot);
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::number_line
