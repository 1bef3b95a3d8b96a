// Where query and key stand, and what turning by these places does to each pair of dimensions.
#include "app/labs/rotary/page.h"

namespace lab::rotary {
namespace {

constexpr Index kMostDials = 12;
constexpr double kWindow = 1.12;  // of a dial, whose circle has radius 1
constexpr double kArc = 0.3;
constexpr double kLine = -0.3;  // where query and key stand in their plot, from -1 to 1

Line hand(double angle, double length, Color color, float width) {
  return {{0, length * std::cos(angle)}, {0, length * std::sin(angle)}, color, width};
}

// The same angle within half a turn of 0.
double wrapped(double angle) { return std::remainder(angle, kTurn); }

// Which pairs have a dial: all, or evenly many of them with the chosen one in its place.
std::vector<Index> shown_pairs(const Scene& scene) {
  const auto count = to_index(scene.model.pairs.size());
  const Index dials = std::min(count, kMostDials);
  std::vector<Index> shown;
  for (Index k = 0; k < dials; ++k) shown.push_back(dials > 1 ? k * (count - 1) / (dials - 1) : 0);
  *std::min_element(shown.begin(), shown.end(), [&](Index a, Index b) {
    return std::abs(a - scene.p.pair) < std::abs(b - scene.p.pair);
  }) = scene.p.pair;
  return shown;
}

// The longer hand reaches the circle; the shorter one is to scale.
void add_hands(const Scene& scene, const Pair& pair, Plot& plot) {
  const double largest = std::max({pair.q_size, pair.k_size, 1e-300});
  const double q_length = pair.q_size / largest, k_length = pair.k_size / largest;
  const double q = pair.q_angle + scene.p.m * pair.theta, k = pair.k_angle + scene.p.n * pair.theta;
  plot.add(arc(k, k + wrapped(q - k), kArc, {.color = Color(Role::text, 0.7f), .width = 2}, 72));
  if (scene.p.moved_to > 0) {
    const double moved = to_double(scene.model.moved.own_place - scene.model.earlier) * pair.theta;
    plot.add(hand(q + moved, q_length, Color(Role::query, 0.3f), 2));
    plot.add(hand(k + moved, k_length, Color(Role::key, 0.3f), 2));
  }
  plot.add(hand(k, k_length, Role::key, 3));
  plot.add(hand(q, q_length, Role::query, 3));
}

Plot dial(const Scene& scene, Index i) {
  const Pair& pair = scene.model.pairs[to_size(i)];
  Plot plot{.id = fmt::format("dial_{}", i), .title = fmt::format("{}", i)};
  plot.note = pair.rotates ? fmt::format("θ {:.3g}", pair.theta) : scene.w("fixed");
  plot.x.lo = plot.y.lo = -kWindow;
  plot.x.hi = plot.y.hi = kWindow;
  plot.square = plot.thumbnail = true;
  plot.selected = i == scene.p.pair;
  plot.click = sets("pair", i, "explain", "dial");
  plot.add(arc(0, kTurn, 1, {.color = pair.rotates ? Role::faint : Role::line, .width = 1}, 72));
  plot.add(Line{{0.9, 1}, {0, 0}, Role::dim});
  add_hands(scene, pair, plot);
  return plot;
}

// For the chosen pair: both angles that a move of query and key together changes, and the one
// between them, which it does not.
std::vector<figure::Span> rotating_and_fixed(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const double theta = model.chosen(p).theta;
  const auto angle = [theta](Index places) {
    const double radians = to_double(places) * theta;
    return equated(radians, fixed(radians, 4));
  };
  return {{w.format("pair {}", p.pair), Role::dim, TextStyle::label},
          {"mθ " + angle(p.m), Role::query},
          {"nθ " + angle(p.n), Role::key},
          {"(n - m)θ " + angle(model.distance) + " rad", Role::text}};
}

std::string rotation_text(const Scene& scene, const Pair& pair) {
  if (!pair.rotates) return scene.w("These two columns do not turn.");
  const double q = scene.p.m * pair.theta, k = scene.p.n * pair.theta;
  return scene.w.format("mθ = {:.4g} rad = {:.4g} turns, nθ = {:.4g} rad = {:.4g} turns", q,
                        q / kTurn, k, k / kTurn);
}

}  // namespace

Figure places_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("places", w("Where they are"), {.height = 184});
  figure.note = w.format("query at {}, key at {}", p.m, p.n);
  figure.caption = w.format(
      "The query is at position {}, the key at {}: the distance n - m is {}. Move both by the same "
      "amount, and both turn by the same angle: the angle between them and the score stay the "
      "same.",
      p.m, p.n, model.distance);
  figure.footer = rotating_and_fixed(scene);
  Plot plot{.id = "line", .x = value_axis(w("position"), 0, model.places)};
  plot.y = {"", -1, 1};
  plot.y.visible = false;
  const double m = p.m, n = p.n;
  plot.add(Handle{.x = n, .y = kLine, .x_param = "n", .color = Role::key, .label = "k"});
  plot.add(Handle{.x = m, .y = kLine, .x_param = "m", .color = Role::query, .label = "q"});
  plot.add(Interval{.from = n,
                    .to = m,
                    .y = kLine,
                    .from_param = "n",
                    .to_param = "m",
                    .label = w.format("n - m = {}   q·k {}", model.distance,
                                      equated(model.rotated, fixed(model.rotated, 4))),
                    .tooltip = w("Drag: query and key move together")});
  return with(std::move(figure), std::move(plot));
}

Figure dials_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const std::vector<Index> shown = shown_pairs(scene);
  Figure figure = new_figure("dials", w("Pairs of dimensions as clock dials"), {.span = 8});
  figure.note = shown.size() < model.pairs.size()
                    ? w.format("{} of {} pairs", shown.size(), model.pairs.size())
                : p.moved_to > 0 ? w("faint: both moved")
                                 : std::string();
  figure.caption = w.format(
      "Each pair of dimensions is a dial: the query's hand (blue) has turned by {}·θ, the key's "
      "(red) by {}·θ. In each dial the longer hand reaches the circle.",
      p.m, p.n);
  if (p.moved_to > 0) {
    figure.caption = w.format(
        "{} Faint hands: both moved, the earlier token to {}; the angle between the hands stays "
        "the same.",
        figure.caption, p.moved_to);
  }
  for (const Index i : shown) figure.plots.push_back(dial(scene, i));
  return figure;
}

Figure plane_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Pair& pair = model.chosen(p);
  const double largest = std::max(pair.q_size, pair.k_size);
  const double reach = 1.15 * std::max(largest, 1e-6);
  const double q_rotation = p.m * pair.theta, k_rotation = p.n * pair.theta;
  const double q = pair.q_angle + q_rotation, k = pair.k_angle + k_rotation;
  Figure figure = new_figure("plane", w.format("Pair {} on the plane", p.pair), {.span = 4});
  figure.caption = w.format("Pair {}, columns {} and {}, before (thin) and after the rotation. {}",
                            p.pair, pair.a, pair.b, rotation_text(scene, pair));
  Plot plot{.id = "plane"};
  plot.note = pair.rotates ? w.format("mθ = {:.4g}, nθ = {:.4g} rad", q_rotation, k_rotation)
                           : w("does not turn");
  plot.x = {w.format("column {}", pair.a), -reach, reach};
  plot.y = {w.format("column {}", pair.b), -reach, reach};
  plot.square = true;
  plot.click = explains("dial");
  // No more than one whole turn is drawn.
  const auto swept = [&](double from, double rotation, double radius, Role role) {
    plot.add(arc(from, from + std::fmod(rotation, kTurn), radius * largest,
                 {.color = Color(role, 0.6f), .width = 1.5f}, 72));
  };
  const auto arrow = [&](double x, double y, Color color, float width, std::string label) {
    plot.add(Arrows{{{0, 0, x, y}}, color, width, std::move(label)});
  };
  swept(pair.q_angle, q_rotation, 0.34, Role::query);
  swept(pair.k_angle, k_rotation, 0.24, Role::key);
  arrow(pair.q_a, pair.q_b, Color(Role::query, 0.75f), 1, "q");
  arrow(pair.k_a, pair.k_b, Color(Role::key, 0.75f), 1, "k");
  arrow(pair.k_size * std::cos(k), pair.k_size * std::sin(k), Role::key, 2.5f,
        w.format("k at {}", p.n));
  arrow(pair.q_size * std::cos(q), pair.q_size * std::sin(q), Role::query, 2.5f,
        w.format("q at {}", p.m));
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::rotary
