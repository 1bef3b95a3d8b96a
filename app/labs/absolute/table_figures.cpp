// The table and what its scheme is made of: the upper half of the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/labs/absolute/page.h"
#include "core/position/frequency.h"

namespace lab::absolute {
namespace {

figure::ColorScale table_scale(const Table& table) {
  const double largest =
      table.sinusoidal ? 1 : (table.P.size() ? table.P.cwiseAbs().maxCoeff() : 1);
  return signed_scale(static_cast<float>(largest));
}

// Rows of numbers, the picked cell among them.
Plot rows_plot(const Scene& scene, std::string id, std::string title, std::string row_label,
               const Source& source, std::pair<const char*, Index> row) {
  const std::pair<const char*, Index> column{"column", scene.p.column};
  return {.id = std::move(id),
          .title = std::move(title),
          .x = cell_axis(scene.w("dimension"), scene.p.width, "dimension"),
          .y = cell_axis(std::move(row_label), source->rows()),
          .marks = {picked_map(scene, source, table_scale(scene.table()), row, column, "cell")}};
}

// Where training, and the table, end.
void add_learned_rules(const Scene& scene, Plot& plot) {
  const auto rule = [&](int at, std::string label) {
    if (at >= scene.p.length) return;
    plot.marks.emplace_back(figure::Rule{false, to_double(at), Role::text, true, std::move(label)});
  };
  rule(scene.p.seen, scene.w("trained up to here"));
  if (scene.p.rows != scene.p.seen) rule(scene.p.rows, scene.w("the table ends"));
}

std::string table_caption(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const Index n = model.table->n;
  switch (p.scheme) {
    case Scheme::grid:
      return w.format(
          "The 2-D sinusoidal encoding of a grid of {} by {} places along its two axes: half of "
          "the {} dimensions follow y, the other half x (base {}).",
          p.grid_height, p.grid_width, p.width, p.base);
    case Scheme::learned:
      return w.format(
          "A learned table of {} rows and {} dimensions for {} positions, trained on the first {}.",
          p.rows, p.width, n, p.seen);
    case Scheme::floater:
      return w.format(
          "The course of a dynamical system in {} dimensions, read at positions 0 to {}.", p.width,
          n - 1);
    case Scheme::complex:
      return w.format(
          "Complex-order embeddings of the words at {} positions: imaginary and real parts of {} "
          "complex dimensions.",
          n, p.width / 2);
    case Scheme::sinusoidal:
      break;
  }
  return w.format(
      "The sinusoidal encoding of {} positions in {} dimensions, base {}: row p, column c holds "
      "PE(p, c).",
      n, p.width, p.base);
}

// The chosen place and its chosen number, as the card's note says them.
std::string picked_text(const Scene& scene) {
  const auto& [p, model, w] = scene;
  if (!scene.has_row()) return w("this position has no row");
  if (p.grid()) {
    return w.format("PE(y {}, x {})[{}] = {:.4f}", p.grid_y, p.grid_x, p.column, scene.cell());
  }
  return w.format("PE({}, {}) = {:.4f}", model.position, p.column, scene.cell());
}

}  // namespace

Figure table_figure(const Scene& scene) {
  constexpr std::string_view kTitles[] = {
      N_("The sinusoidal table"), N_("Two axes, half of the dimensions each"),
      N_("The learned table"), N_("The course at every position"),
      N_("Words turned by their positions")};
  const auto& [p, model, w] = scene;
  Figure figure = upper_card(scene, "table", w(kTitles[to_size(Index(p.scheme))]), kTableSpan);
  figure.note = picked_text(scene);
  figure.caption = table_caption(scene);
  if (p.grid()) {
    figure.columns = 2;
    return with(std::move(figure),
                rows_plot(scene, "along_x", w.format("along x, at y = {}", p.grid_y), w("x"),
                          model.along_x, {"grid_x", p.grid_x}),
                rows_plot(scene, "along_y", w.format("along y, at x = {}", p.grid_x), w("y"),
                          model.along_y, {"grid_y", p.grid_y}));
  }
  Plot plot = rows_plot(scene, "table_cells", "", w("position"), model.table->source,
                        {"position", model.position});
  plot.y.link = "position";
  if (p.scheme == Scheme::learned) add_learned_rules(scene, plot);
  return with(std::move(figure), std::move(plot));
}

Figure wavelength_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  const VectorD waves = core::wavelengths(model.table->theta);
  const double n = to_double(model.table->n), pairs = to_double(waves.size());
  const Index chosen = column_of(p, p.column).i;
  Figure figure = upper_card(scene, "wavelengths", w("Wavelengths"), kSchemeSpan);
  figure.note = w.format("pair {}: {} positions", chosen, short_number(waves(chosen)));
  figure.caption = w.format(
      "The wavelengths 2π/θ of the {} pairs of a sine and a cosine, and the length of the table: "
      "waves above that line do not complete a turn.",
      waves.size());
  figure::Points points{.y = doubles(waves), .color = Role::text, .radius = 3};
  if (waves.size() > 64) points.radius = 1.5f;
  for (Index i = 0; i < waves.size(); ++i) {
    points.x.push_back(to_double(i));
    points.picks.push_back(sets("column", column_at(p, i, true), "explain", "cell"));
  }
  const double room = std::max(0.5, 0.02 * pairs);
  return with(
      std::move(figure),
      Plot{.id = "wavelength_curve",
           .x = {w("pair i"), -room, pairs - 1 + room},
           .y = {w("wavelength (positions)"), 4, 4 * std::max({waves.maxCoeff(), n, 20.0}),
                 figure::AxisScale::log},
           .marks = {figure::Rule{false, n, Role::dim, true, w.format("length {}", model.table->n)},
                     std::move(points), picked_point(to_double(chosen), waves(chosen))}});
}

Figure grid_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure =
      upper_card(scene, "grid", w.format("Dimension {} over the grid", p.column), kSchemeSpan);
  figure.note = follows_x(p, column_of(p, p.column)) ? w("follows x") : w("follows y");
  figure.caption = w.format(
      "The number of dimension {} at every place of the grid: it depends on one coordinate alone.",
      p.column);
  const VectorD column = model.table->P.col(p.column);
  const core::MatrixD values =
      Eigen::Map<const core::MatrixD>(column.data(), p.grid_height, p.grid_width);
  auto source = std::make_shared<figure::DenseSource>(core::Matrix(values.cast<float>()));
  return with(std::move(figure),
              Plot{.id = "grid_cells",
                   .x = cell_axis(w("x"), p.grid_width, "grid_x"),
                   .y = cell_axis(w("y"), p.grid_height, "grid_y"),
                   .marks = {picked_map(scene, std::move(source), table_scale(*model.table),
                                        {"grid_y", p.grid_y}, {"grid_x", p.grid_x}, "cell")},
                   .square = true});
}

}  // namespace lab::absolute
