// The table and what its scheme is made of: the upper half of the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"
#include "core/position/frequency.h"

namespace lab::absolute {
namespace {

using figure::Figure;
using figure::Heatmap;
using figure::Plot;
using figure::Role;

// Lower where a question stands below that needs the room.
figure::ColorScale table_scale(const Table& table) {
  const double largest =
      table.sinusoidal ? 1 : (table.P.size() ? table.P.cwiseAbs().maxCoeff() : 1);
  return signed_scale(static_cast<float>(largest));
}

Heatmap cells(const Scene& scene, std::shared_ptr<const figure::TileSource> source,
              std::string row_param, Index row) {
  Heatmap map;
  map.source = std::move(source);
  map.scale = table_scale(scene.table());
  map.pool = scene.p.pool;
  map.row_param = std::move(row_param);
  map.col_param = "column";
  map.also = explained_by("cell");
  map.pinned = {row, scene.p.column};
  return map;
}

Plot rows_plot(const Scene& scene, std::string id, std::string title, std::string row_label,
               Index rows) {
  Plot plot{.id = std::move(id), .title = std::move(title)};
  plot.x = cell_axis(scene.w("dimension"), scene.p.width, "dimension");
  plot.y = cell_axis(std::move(row_label), rows);
  return plot;
}

// The places along one axis of the grid through the picked one.
Plot grid_line(const Scene& scene, bool along_x) {
  const Parameters& p = scene.p;
  const Index count = along_x ? p.grid_width : p.grid_height;
  core::Matrix rows(count, p.width);
  for (Index k = 0; k < count; ++k) {
    const Index y = along_x ? p.grid_y : k, x = along_x ? k : p.grid_x;
    rows.row(k) = scene.table().P.row(y * p.grid_width + x).cast<float>();
  }
  Plot plot = along_x ? rows_plot(scene, "along_x", scene.w.format("along x, at y = {}", p.grid_y),
                                  scene.w("x"), count)
                      : rows_plot(scene, "along_y", scene.w.format("along y, at x = {}", p.grid_x),
                                  scene.w("y"), count);
  auto source = scene.context.memo.get(
      plot.id, std::tuple(scene.model.table, along_x ? p.grid_y : p.grid_x),
      [&] { return std::make_shared<TableSource>(kept_cells(std::move(rows), count)); });
  plot.marks.emplace_back(
      cells(scene, *source, along_x ? "grid_x" : "grid_y", along_x ? p.grid_x : p.grid_y));
  return plot;
}

// Where training, and the table, end.
void add_learned_rules(const Scene& scene, Plot& plot) {
  const auto rule = [&](int at, std::string label) {
    if (at >= scene.p.length) return;
    plot.marks.emplace_back(
        figure::Rule{false, static_cast<double>(at), Role::text, true, std::move(label)});
  };
  rule(scene.p.seen, scene.w("trained up to here"));
  if (scene.p.rows != scene.p.seen) rule(scene.p.rows, scene.w("the table ends"));
}

std::string table_caption(const Scene& scene) {
  const Parameters& p = scene.p;
  const Index n = scene.table().n;
  switch (p.scheme) {
    case Scheme::grid:
      return scene.w.format(
          "The 2-D sinusoidal encoding of a grid of {} by {} places along its two axes: half of "
          "the {} dimensions follow y, the other half x (base {}).",
          p.grid_height, p.grid_width, p.width, p.base);
    case Scheme::learned:
      return scene.w.format(
          "A learned table of {} rows and {} dimensions for {} positions, trained on the first {}.",
          p.rows, p.width, n, p.seen);
    case Scheme::floater:
      return scene.w.format(
          "The course of a dynamical system in {} dimensions, read at positions 0 to {}.", p.width,
          n - 1);
    case Scheme::complex:
      return scene.w.format(
          "Complex-order embeddings of the words at {} positions: imaginary and real parts of {} "
          "complex dimensions.",
          n, p.width / 2);
    case Scheme::sinusoidal:
      break;
  }
  return scene.w.format(
      "The sinusoidal encoding of {} positions in {} dimensions, base {}: row p, column c holds "
      "PE(p, c).",
      n, p.width, p.base);
}

std::string table_title(const Scene& scene) {
  switch (scene.p.scheme) {
    case Scheme::grid:
      return scene.w("Two axes, half of the dimensions each");
    case Scheme::learned:
      return scene.w("The learned table");
    case Scheme::floater:
      return scene.w("The course at every position");
    case Scheme::complex:
      return scene.w("Words turned by their positions");
    case Scheme::sinusoidal:
      break;
  }
  return scene.w("The sinusoidal table");
}

// The chosen place and its chosen number, as the card's note says them.
std::string picked_text(const Scene& scene) {
  if (!scene.has_row()) return scene.w("this position has no row");
  const double value = scene.table().row(scene.model.position)(scene.p.column);
  if (scene.p.grid()) {
    return scene.w.format("PE(y {}, x {})[{}] = {:.4f}", scene.p.grid_y, scene.p.grid_x,
                          scene.p.column, value);
  }
  return scene.w.format("PE({}, {}) = {:.4f}", scene.model.position, scene.p.column, value);
}

}  // namespace

figure::Figure upper_card(const Scene& scene, std::string id, std::string title, int span) {
  // Lower where a question stands below that needs the room.
  constexpr float kHeight = 318, kHeightBeside = 262;
  Figure figure =
      new_figure(std::move(id), std::move(title),
                 {.span = span, .height = scene.p.show == Show::curves ? kHeight : kHeightBeside});
  return figure;
}

Figure table_figure(const Scene& scene) {
  const Parameters& p = scene.p;
  Figure figure = upper_card(scene, "table", table_title(scene), kTableSpan);
  figure.note = picked_text(scene);
  figure.caption = table_caption(scene);
  if (p.grid()) {
    figure.columns = 2;
    figure.plots = {grid_line(scene, true), grid_line(scene, false)};
    return figure;
  }
  Plot plot = rows_plot(scene, "table_cells", "", scene.w("position"), p.length);
  plot.y.link = "position";
  plot.marks.emplace_back(cells(scene, scene.table().source, "position", scene.model.position));
  if (p.scheme == Scheme::learned) add_learned_rules(scene, plot);
  figure.plots = {std::move(plot)};
  return figure;
}

Figure wavelength_figure(const Scene& scene) {
  const VectorD& theta = scene.table().theta;
  const VectorD waves = core::wavelengths(theta);
  const auto n = static_cast<double>(scene.table().n);
  const Index chosen = column_of(scene.p, scene.p.column).i;
  Figure figure = upper_card(scene, "wavelengths", scene.w("Wavelengths"), kSchemeSpan);
  figure.note = scene.w.format("pair {}: {} positions", chosen, short_number(waves(chosen)));
  figure.caption = scene.w.format(
      "The wavelengths 2π/θ of the {} pairs of a sine and a cosine, and the length of the table: "
      "waves above that line do not complete a turn.",
      theta.size());
  Plot plot{.id = "wavelength_curve"};
  const auto pairs = static_cast<double>(theta.size());
  plot.x = value_axis(scene.w("pair i"), std::min(-0.5, -0.02 * pairs),
                      pairs - 1 + std::max(0.5, 0.02 * pairs));
  plot.y = {scene.w("wavelength (positions)"), 4, 4 * std::max({waves.maxCoeff(), n, 20.0}),
            figure::AxisScale::log};
  figure::Points points;
  points.color = Role::text;
  points.radius = theta.size() > 64 ? 1.5f : 3.0f;
  for (Index i = 0; i < theta.size(); ++i) {
    points.x.push_back(static_cast<double>(i));
    points.y.push_back(waves(i));
    points.picks.push_back(
        {{"column", fmt::format("{}", column_at(scene.p, i, true))}, {"explain", "cell"}});
  }
  plot.marks.emplace_back(
      figure::Rule{false, n, Role::dim, true, scene.w.format("length {}", scene.table().n)});
  plot.marks.emplace_back(std::move(points));
  plot.marks.emplace_back(figure::Points{.x = {static_cast<double>(chosen)},
                                         .y = {waves(chosen)},
                                         .color = Role::accent,
                                         .radius = 5});
  figure.plots = {std::move(plot)};
  return figure;
}

Figure grid_figure(const Scene& scene) {
  const Parameters& p = scene.p;
  Figure figure = upper_card(scene, "grid", scene.w.format("Dimension {} over the grid", p.column),
                             kSchemeSpan);
  const bool follows_x =
      column_of(p, p.column).second == (p.axis_order == core::AxisOrder::height_first);
  figure.note = follows_x ? scene.w("follows x") : scene.w("follows y");
  figure.caption = scene.w.format(
      "The number of dimension {} at every place of the grid: it depends on one coordinate alone.",
      p.column);
  core::Matrix values(p.grid_height, p.grid_width);
  for (Index y = 0; y < p.grid_height; ++y) {
    for (Index x = 0; x < p.grid_width; ++x) {
      values(y, x) = static_cast<float>(scene.table().P(y * p.grid_width + x, p.column));
    }
  }
  Plot plot{.id = "grid_cells"};
  plot.square = true;
  plot.x = cell_axis(scene.w("x"), p.grid_width, "grid_x");
  plot.y = cell_axis(scene.w("y"), p.grid_height, "grid_y");
  Heatmap map = dense_heatmap(std::move(values), table_scale(scene.table()));
  map.row_param = "grid_y";
  map.col_param = "grid_x";
  map.also = explained_by("cell");
  map.pinned = {p.grid_y, p.grid_x};
  plot.marks.emplace_back(std::move(map));
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace lab::absolute
