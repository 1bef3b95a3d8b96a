// The table read by column and by row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

// A column of the table at all positions that have a row.
VectorD whole_column(const Table& table, Index column) {
  if (!table.sinusoidal || table.P.rows() == table.n) return table.P.col(column);
  const auto cells = formula_cells(table.n, table.d, table.options);
  return VectorD::NullaryExpr(
      table.n, [&](Index p) { return static_cast<double>(cells->value(p, column)); });
}

double table_size(const Table& table) {
  if (table.sinusoidal || table.P.size() == 0) return 1;
  return std::max(table.P.cwiseAbs().maxCoeff(), 1e-3);
}

// The picked column, its partner, and columns of an eighth and three eighths of the width.
std::vector<Index> shown_columns(const Scene& scene) {
  const Index d = scene.p.width, picked = scene.p.column;
  std::vector<Index> columns;
  for (const Index column : {Index{0}, d / 4 / 2 * 2, d / 2 / 2 * 2}) {
    if (column != picked && std::find(columns.begin(), columns.end(), column) == columns.end()) {
      columns.push_back(column);
    }
  }
  columns.push_back(picked);
  return columns;
}

Figure column_figure(const Scene& scene) {
  const Table& table = scene.table();
  Figure figure;
  figure.id = "by_column";
  figure.title = scene.w("By column: how a dimension changes with position");
  figure.caption = scene.w.format(
      "Columns of the table against position, dimension {} in the accent colour: a column of the "
      "first dimensions oscillates fast, one of the last slowly.",
      scene.p.column);
  if (!table.sinusoidal) {
    figure.caption =
        scene.w.format("Columns of the table against position, dimension {} in the accent colour.",
                       scene.p.column);
  }
  figure.span = 7;
  figure.height = 300;
  const double size = 1.08 * table_size(table);
  Plot plot;
  plot.id = "column_curves";
  plot.x = value_axis(scene.p.grid() ? std::string(scene.w("place y · width + x"))
                                     : std::string(scene.w("position")),
                      0, std::max(1.0, static_cast<double>(table.n - 1)));
  plot.y = value_axis(std::string(scene.w("value")), -size, size);
  if (!scene.p.grid()) {
    plot.x_param = "position";
    plot.click = explained_by("cell");
  }
  int color = 0;
  for (const Index column : shown_columns(scene)) {
    const auto curve = scene.context.memo.get(fmt::format("column {}", column), scene.model.table,
                                              [&] { return thinned(whole_column(table, column)); });
    Line line = *curve;
    const bool picked = column == scene.p.column;
    line.color = picked ? Color(Role::accent) : Color::of_head(color++, 0.75f);
    line.width = picked ? 2.2f : 1.2f;
    line.label = scene.w.format("dim {}", column);
    plot.marks.emplace_back(std::move(line));
  }
  if (scene.has_row()) {
    const auto at = static_cast<double>(scene.model.position);
    plot.marks.emplace_back(figure::Points{.x = {at},
                                           .y = {table.row(scene.model.position)(scene.p.column)},
                                           .color = Role::accent,
                                           .radius = 5});
  }
  figure.plots = {std::move(plot)};
  return figure;
}

// Sines and cosines as lines of their own; NaN where a grid's halves meet.
void add_row_lines(const Scene& scene, const VectorD& row, Plot& plot) {
  if (scene.p.scheme == Scheme::learned) {
    Line line = thinned(row);
    plot.marks.emplace_back(std::move(line));
    return;
  }
  Line sine, cosine;
  sine.color = Role::text;
  cosine.color = Role::dim;
  cosine.dashed = true;
  sine.label = scene.w("sine");
  cosine.label = scene.w("cosine");
  if (scene.p.scheme == Scheme::floater || scene.p.scheme == Scheme::complex) {
    sine.label = scene.w("even");
    cosine.label = scene.w("odd");
  }
  bool second = false;
  for (Index c = 0; c < row.size(); ++c) {
    const Column column = column_of(scene.p, c);
    if (column.second != second) {
      for (Line* line : {&sine, &cosine}) {
        line->x.push_back(static_cast<double>(c));
        line->y.push_back(std::nan(""));
      }
      second = column.second;
    }
    Line& line = column.sine ? sine : cosine;
    line.x.push_back(static_cast<double>(c));
    line.y.push_back(row(c));
  }
  plot.marks.emplace_back(std::move(sine));
  plot.marks.emplace_back(std::move(cosine));
}

Figure row_figure(const Scene& scene) {
  const Table& table = scene.table();
  Figure figure;
  figure.id = "by_position";
  figure.title = scene.w("By position: one row");
  figure.note = scene.w.format("position {}", scene.model.position);
  figure.caption =
      scene.w.format("The row of position {} against dimension.", scene.model.position);
  figure.span = 5;
  figure.height = 300;
  const double size = 1.08 * table_size(table);
  Plot plot;
  plot.id = "row_curve";
  plot.x = value_axis(std::string(scene.w("dimension")), 0, scene.p.width - 1.0);
  plot.y = value_axis(std::string(scene.w("value")), -size, size);
  plot.x_param = "column";
  plot.click = explained_by("cell");
  if (!scene.has_row()) {
    plot.marks.emplace_back(figure::Note{(scene.p.width - 1) / 2.0, 0,
                                         std::string(scene.w("the table has no such row")),
                                         Role::bad, figure::TextStyle::label, 0});
  } else {
    const VectorD row = table.row(scene.model.position);
    add_row_lines(scene, row, plot);
    plot.marks.emplace_back(figure::Points{.x = {static_cast<double>(scene.p.column)},
                                           .y = {row(scene.p.column)},
                                           .color = Role::accent,
                                           .radius = 5});
  }
  figure.plots = {std::move(plot)};
  return figure;
}

}  // namespace

std::vector<Figure> curve_figures(const Scene& scene) {
  return {column_figure(scene), row_figure(scene)};
}

}  // namespace lab::absolute
