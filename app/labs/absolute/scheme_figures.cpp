// What a learned table, a course and turned words are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

// A plane of two dimensions.
Plot plane(const Scene& scene, std::string id, Index right, Index up, double reach) {
  return {.id = std::move(id),
          .x = {scene.w.format("dimension {}", right), -reach, reach},
          .y = {scene.w.format("dimension {}", up), -reach, reach},
          .square = true};
}

// h over the plane at the time of the picked position, the other dimensions as they are there. The
// longest arrow is as long as the arrows are apart.
figure::Arrows field(const Scene& scene, Index even, double reach) {
  constexpr int kSide = 9;
  const Flow& flow = *scene.table().flow;
  const double apart = 2 * reach / kSide, tau = to_double(scene.model.position);
  VectorD place = flow.rows.row(scene.model.position).transpose();
  std::vector<figure::Arrows::Arrow> arrows;
  double longest = 0;
  for (int r = 0; r < kSide; ++r) {
    for (int c = 0; c < kSide; ++c) {
      place(even) = -reach + (c + 0.5) * apart;
      place(even + 1) = -reach + (r + 0.5) * apart;
      const VectorD h = flow.h(tau, place);
      arrows.push_back({place(even), place(even + 1), h(even), h(even + 1)});
      longest = std::max(longest, std::hypot(h(even), h(even + 1)));
    }
  }
  const double scale = longest > 0 ? 0.9 * apart / longest : 0;
  for (auto& arrow : arrows) {
    arrow.x1 = arrow.x0 + scale * arrow.x1;
    arrow.y1 = arrow.y0 + scale * arrow.y1;
  }
  return {std::move(arrows), Role::faint, 1.2f};
}

// Rows first to last in the plane of two dimensions; a click picks a position.
figure::Points place_points(const MatrixD& rows, Index right, Index up, Index first, Index last,
                            Role color) {
  figure::Points points{.x = doubles(rows.col(right).segment(first, last - first + 1)),
                        .y = doubles(rows.col(up).segment(first, last - first + 1)),
                        .color = color};
  for (Index k = first; k <= last; ++k) {
    points.picks.push_back(sets("position", k, "explain", "cell"));
  }
  return points;
}

}  // namespace

// Whether a position knows its neighbour: the wanted product where rows were trained, chance after.
Figure learned_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Table& table = *model.table;
  const double wanted = std::exp(-1 / p.reach);
  Figure figure =
      upper_card(scene, "neighbours", w("Does a position know its neighbour?"), kSchemeSpan);
  figure.caption = w.format(
      "The product p(k) · p(k-1) / d of neighbouring rows: trained rows approach the wanted "
      "{:.3f}, rows that were never trained keep what chance gave them, and beyond row {} there is "
      "none.",
      wanted, p.rows - 1);
  figure::Line line{.color = Role::text};
  Extent extent{-0.2, 1.2};
  for (Index k = 1; k < table.filled; ++k) {
    line.x.push_back(to_double(k));
    line.y.push_back(table.P.row(k).dot(table.P.row(k - 1)) / p.width);
  }
  extent.add(line.y);
  Plot plot{.id = "neighbour_curve",
            .x = {w("position k"), 0, to_double(p.length)},
            .y = {w("p(k) · p(k-1) / d"), 1.05 * extent.lo, 1.05 * extent.hi},
            .click = explains("cell"),
            .x_param = "position"};
  plot.marks.emplace_back(
      figure::Rule{false, wanted, Role::dim, true, w.format("wanted {:.3f}", wanted)});
  // Each label says what lies at its right; the two lines may stand too close for both.
  const bool ends = p.rows < p.length;
  if (p.seen < std::min(p.rows, p.length)) {
    plot.marks.emplace_back(figure::Rule{true, to_double(p.seen), Role::dim, true,
                                         ends ? std::string() : w("never trained")});
  }
  if (ends) {
    plot.marks.emplace_back(figure::Rule{true, to_double(p.rows), Role::bad, true, w("no row")});
  }
  const Index k = model.position;
  const bool picked = scene.has_row() && k > 0;
  const double y = picked ? line.y[to_size(k - 1)] : 0;
  plot.marks.emplace_back(std::move(line));
  if (picked) plot.marks.emplace_back(picked_point(to_double(k), y));
  return with(std::move(figure), std::move(plot));
}

Figure flow_figure(const Scene& scene) {
  constexpr Index kAround = 24;  // positions drawn to either side of the picked one
  const auto& w = scene.w;
  const Flow& flow = *scene.table().flow;
  const Index even = scene.p.column / 2 * 2, at = scene.model.position;
  const Index first = std::max<Index>(at - kAround, 0);
  const Index last = std::min(at + kAround, flow.rows.rows() - 1);
  const auto near = flow.rows.block(first, even, last - first + 1, 2);
  const double reach = 1.15 * std::max(near.cwiseAbs().maxCoeff(), 1e-3);
  Figure figure = upper_card(scene, "course", w("The course and its field"), kSchemeSpan);
  figure.note = w.format("position {}", at);
  figure.caption = w.format(
      "The encoding's course through dimensions {} and {}, positions {} to {}: points are the "
      "steps of the integrator, the line a much finer integration; arrows show the derivative h at "
      "the time of position {}, lengths to scale with each other.",
      even, even + 1, first, last, at);
  const Index begin = kFine * first, count = kFine * (last - first) + 1;
  Plot plot = plane(scene, "course_plane", even, even + 1, reach);
  plot.marks = {field(scene, even, reach),
                figure::Line{doubles(flow.fine.col(even).segment(begin, count)),
                             doubles(flow.fine.col(even + 1).segment(begin, count)), Role::dim},
                place_points(flow.rows, even, even + 1, first, last, Role::text),
                picked_point(flow.rows(at, even), flow.rows(at, even + 1))};
  return with(std::move(figure), std::move(plot));
}

Figure turn_figure(const Scene& scene) {
  constexpr Index kMostShown = 48;
  const auto& w = scene.w;
  const Table& table = scene.table();
  const Turned& turned = *table.turned;
  const Index even = scene.p.column / 2 * 2, i = even / 2, at = scene.model.position;
  const Index word = turned.ids[to_size(at)];
  const Index first = std::max<Index>(std::min(at - kMostShown / 2, table.n - kMostShown), 0);
  const Index last = std::min(first + kMostShown, table.n) - 1;
  const double reach = 1.15 * std::max(turned.table.amplitude.col(i).cwiseAbs().maxCoeff(), 1e-3);
  const std::string& name = turned.names[to_size(word)];
  Figure figure = upper_card(scene, "turns", w("A circle for each word"), kSchemeSpan);
  figure.note = w.format("\"{}\" at position {}", name, at);
  figure.caption = w.format(
      "Complex dimension {} of the words at positions {} to {}. The circle is that of \"{}\": its "
      "radius is the word's amplitude, its angle ω p + φ.",
      i, first, last, name);
  const double r = turned.table.amplitude(word, i);
  figure::Line circle{.color = Role::faint};
  for (int k = 0; k <= 96; ++k) {
    const double angle = 2 * std::numbers::pi * k / 96;
    circle.x.push_back(r * std::cos(angle));
    circle.y.push_back(r * std::sin(angle));
  }
  // The real part, the cosine, goes to the right: dimension even + 1.
  figure::Points same{.color = Role::text, .radius = 4};
  for (Index k = first; k <= last; ++k) {
    if (turned.ids[to_size(k)] != word) continue;
    same.x.push_back(table.P(k, even + 1));
    same.y.push_back(table.P(k, even));
  }
  Plot plot = plane(scene, "turn_plane", even + 1, even, reach);
  plot.marks = {std::move(circle), place_points(table.P, even + 1, even, first, last, Role::dim),
                std::move(same),
                figure::Arrows{{{0, 0, table.P(at, even + 1), table.P(at, even)}}, Role::accent, 2},
                picked_point(table.P(at, even + 1), table.P(at, even))};
  return with(std::move(figure), std::move(plot));
}

}  // namespace lab::absolute
