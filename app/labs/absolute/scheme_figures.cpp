// What a learned table, a course and turned words are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Figure;
using figure::Plot;
using figure::Role;

// The plane of the pair that the picked dimension belongs to.
Plot plane(const Scene& scene, std::string id, Index even, double reach) {
  Plot plot{.id = std::move(id)};
  plot.x = value_axis(scene.w.format("dimension {}", even), -reach, reach);
  plot.y = value_axis(scene.w.format("dimension {}", even + 1), -reach, reach);
  plot.square = true;
  return plot;
}

// h over the plane at the time of the picked position, the other dimensions as they are there. The
// longest arrow is as long as the arrows are apart.
figure::Arrows field(const Scene& scene, Index even, double reach) {
  constexpr int kSide = 9;
  const Flow& flow = *scene.table().flow;
  const double apart = 2 * reach / kSide;
  const auto tau = static_cast<double>(scene.model.position);
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

figure::Points pick_points(const MatrixD& rows, Index even, Index first, Index last) {
  figure::Points points;
  points.color = Role::text;
  for (Index k = first; k <= last; ++k) {
    points.x.push_back(rows(k, even));
    points.y.push_back(rows(k, even + 1));
    points.picks.push_back({{"position", fmt::format("{}", k)}, {"explain", "cell"}});
  }

  return points;
}

}  // namespace

// Whether a position knows its neighbour: the wanted product where rows were trained, chance after.
Figure learned_figure(const Scene& scene) {
  const Table& table = scene.table();
  const Parameters& p = scene.p;
  Figure figure =
      upper_card(scene, "neighbours", scene.w("Does a position know its neighbour?"), kSchemeSpan);
  figure.caption = scene.w.format(
      "The product p(k) · p(k-1) / d of neighbouring rows: trained rows approach the wanted "
      "{:.3f}, rows that were never trained keep what chance gave them, and beyond row {} there is "
      "none.",
      std::exp(-1 / p.reach), p.rows - 1);
  figure::Line line;
  line.color = Role::text;
  double lo = -0.2, hi = 1.2;
  for (Index k = 1; k < table.filled; ++k) {
    line.x.push_back(static_cast<double>(k));
    line.y.push_back(table.P.row(k).dot(table.P.row(k - 1)) / p.width);
    lo = std::min(lo, line.y.back());
    hi = std::max(hi, line.y.back());
  }
  Plot plot{.id = "neighbour_curve"};
  plot.x = value_axis(scene.w("position k"), 0, static_cast<double>(p.length));
  plot.y = value_axis(scene.w("p(k) · p(k-1) / d"), 1.05 * lo, 1.05 * hi);
  plot.x_param = "position";
  plot.click = explained_by("cell");
  plot.marks.emplace_back(figure::Rule{false, std::exp(-1 / p.reach), Role::dim, true,
                                       scene.w.format("wanted {:.3f}", std::exp(-1 / p.reach))});
  // Each label says what lies at its right; the two lines may stand too close for both.
  const bool ends = p.rows < p.length;
  if (p.seen < std::min(p.rows, p.length)) {
    plot.marks.emplace_back(figure::Rule{true, static_cast<double>(p.seen), Role::dim, true,
                                         ends ? std::string() : scene.w("never trained")});
  }
  if (ends) {
    plot.marks.emplace_back(
        figure::Rule{true, static_cast<double>(p.rows), Role::bad, true, scene.w("no row")});
  }
  plot.marks.emplace_back(std::move(line));
  if (scene.has_row() && scene.model.position > 0) {
    const Index k = scene.model.position;
    plot.marks.emplace_back(figure::Points{.x = {static_cast<double>(k)},
                                           .y = {table.P.row(k).dot(table.P.row(k - 1)) / p.width},
                                           .color = Role::accent,
                                           .radius = 5});
  }
  figure.plots = {std::move(plot)};
  return figure;
}

Figure flow_figure(const Scene& scene) {
  constexpr Index kAround = 24;  // positions drawn to either side of the picked one
  const Flow& flow = *scene.table().flow;
  const Index even = scene.p.column / 2 * 2, at = scene.model.position;
  const Index first = std::max<Index>(at - kAround, 0);
  const Index last = std::min(at + kAround, flow.rows.rows() - 1);
  const auto near = flow.rows.block(first, even, last - first + 1, 2);
  const double reach = 1.15 * std::max(near.cwiseAbs().maxCoeff(), 1e-3);
  Figure figure = upper_card(scene, "course", scene.w("The course and its field"), kSchemeSpan);
  figure.note = scene.w.format("position {}", at);
  figure.caption = scene.w.format(
      "The encoding's course through dimensions {} and {}, positions {} to {}: points are the "
      "steps of the integrator, the line a much finer integration; arrows show the derivative h at "
      "the time of position {}, lengths to scale with each other.",
      even, even + 1, first, last, at);
  Plot plot = plane(scene, "course_plane", even, reach);
  plot.marks.emplace_back(field(scene, even, reach));
  figure::Line line;
  line.color = Role::dim;
  for (Index k = kFine * first; k <= kFine * last; ++k) {
    line.x.push_back(flow.fine(k, even));
    line.y.push_back(flow.fine(k, even + 1));
  }
  plot.marks.emplace_back(std::move(line));
  plot.marks.emplace_back(pick_points(flow.rows, even, first, last));
  plot.marks.emplace_back(figure::Points{.x = {flow.rows(at, even)},
                                         .y = {flow.rows(at, even + 1)},
                                         .color = Role::accent,
                                         .radius = 5});
  figure.plots = {std::move(plot)};
  return figure;
}

Figure turn_figure(const Scene& scene) {
  constexpr Index kMostShown = 48;
  const Table& table = scene.table();
  const Turned& turned = *table.turned;
  const Index even = scene.p.column / 2 * 2, i = even / 2, at = scene.model.position;
  const Index word = turned.ids[static_cast<std::size_t>(at)];
  const Index first = std::max<Index>(std::min(at - kMostShown / 2, table.n - kMostShown), 0);
  const Index last = std::min(first + kMostShown, table.n) - 1;
  const double reach = 1.15 * std::max(turned.table.amplitude.col(i).cwiseAbs().maxCoeff(), 1e-3);
  const std::string& name = turned.names[static_cast<std::size_t>(word)];
  Figure figure = upper_card(scene, "turns", scene.w("A circle for each word"), kSchemeSpan);
  figure.note = scene.w.format("\"{}\" at position {}", name, at);
  figure.caption = scene.w.format(
      "Complex dimension {} of the words at positions {} to {}. The circle is that of \"{}\": its "
      "radius is the word's amplitude, its angle ω p + φ.",
      i, first, last, name);
  // The real part, the cosine, goes to the right: dimension even + 1.
  Plot plot = plane(scene, "turn_plane", even, reach);
  std::swap(plot.x, plot.y);
  const double r = turned.table.amplitude(word, i);
  figure::Line circle;
  circle.color = Role::faint;
  for (int k = 0; k <= 96; ++k) {
    const double angle = 2 * std::numbers::pi * k / 96;
    circle.x.push_back(r * std::cos(angle));
    circle.y.push_back(r * std::sin(angle));
  }
  plot.marks.emplace_back(std::move(circle));
  figure::Points points = pick_points(table.P, even, first, last);
  std::swap(points.x, points.y);
  points.color = Role::dim;
  plot.marks.emplace_back(std::move(points));
  figure::Points same{.color = Role::text, .radius = 4};
  for (Index k = first; k <= last; ++k) {
    if (turned.ids[static_cast<std::size_t>(k)] != word) continue;
    same.x.push_back(table.P(k, even + 1));
    same.y.push_back(table.P(k, even));
  }
  plot.marks.emplace_back(std::move(same));
  plot.marks.emplace_back(
      figure::Arrows{{{0, 0, table.P(at, even + 1), table.P(at, even)}}, Role::accent, 2});
  plot.marks.emplace_back(figure::Points{
      .x = {table.P(at, even + 1)}, .y = {table.P(at, even)}, .color = Role::accent, .radius = 5});
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace lab::absolute
