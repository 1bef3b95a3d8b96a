// The table read by column and by row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Color;
using figure::Figure;
using figure::Line;
using figure::Plot;
using figure::Role;

// The positions that the curves show: so many around the picked one.
struct Stretch {
  Index first, count;
};
Stretch shown_stretch(const Scene& scene) {
  const Table& table = scene.table();
  const Index last = table.sinusoidal ? table.n : std::max<Index>(table.filled, 1);
  const Index count = scene.p.grid() ? last : std::min<Index>(scene.p.window, last);
  const Index first = std::clamp<Index>(scene.model.position - count / 2, 0, last - count);
  return {first, count};
}

VectorD column_of_table(const Table& table, Index column, const Stretch& stretch) {
  if (!table.sinusoidal || stretch.first + stretch.count <= table.P.rows()) {
    return table.P.col(column).segment(stretch.first, stretch.count);
  }
  const auto cells = formula_cells(table.n, table.d, table.options);
  return VectorD::NullaryExpr(stretch.count, [&](Index k) {
    return static_cast<double>(cells->value(stretch.first + k, column));
  });
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
  Figure figure = new_figure("by_column", scene.w("By column"));
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
  const Stretch stretch = shown_stretch(scene);
  const Index last = stretch.first + stretch.count - 1;
  if (stretch.count < table.n) {
    figure.note = scene.w.format("positions {} to {}", stretch.first, last);
  }
  Plot plot{.id = "column_curves"};
  plot.x = value_axis(scene.p.grid() ? scene.w("place y · width + x") : scene.w("position"),
                      static_cast<double>(stretch.first), static_cast<double>(last));
  if (!scene.p.grid()) {
    plot.x_param = "position";
    plot.click = explained_by("cell");
  }
  double size = 1e-3;
  int color = 0;
  for (const Index column : shown_columns(scene)) {
    const auto curve =
        scene.context.memo.get(fmt::format("column {}", column),
                               std::tuple(scene.model.table, stretch.first, stretch.count), [&] {
                                 return thinned(column_of_table(table, column, stretch),
                                                static_cast<double>(stretch.first));
                               });
    Line line = *curve;
    size = std::max(size, largest_size(line.y));
    const bool picked = column == scene.p.column;
    line.color = picked ? Color(Role::accent) : Color::of_head(color++, 0.75f);
    line.width = picked ? 2.2f : 1.2f;
    line.label = scene.w.format("dim {}", column);
    plot.marks.emplace_back(std::move(line));
  }
  plot.y = value_axis(scene.w("value"), -1.08 * size, 1.08 * size);
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
  Figure figure = new_figure("by_position", scene.w("By position"));
  figure.note = scene.w.format("the row of {}", scene.model.position);
  figure.caption =
      scene.w.format("The row of position {} against dimension.", scene.model.position);
  figure.span = 5;
  figure.height = 300;
  const double size =
      1.08 * (scene.has_row()
                  ? std::max(table.row(scene.model.position).cwiseAbs().maxCoeff(), 1e-3)
                  : table_size(table));
  Plot plot{.id = "row_curve"};
  plot.x = value_axis(scene.w("dimension"), 0, scene.p.width - 1.0);
  plot.y = value_axis(scene.w("value"), -size, size);
  plot.x_param = "column";
  plot.click = explained_by("cell");
  if (!scene.has_row()) {
    plot.marks.emplace_back(figure::Note{(scene.p.width - 1) / 2.0, 0,
                                         scene.w("the table has no such row"), Role::bad,
                                         figure::TextStyle::label, 0});
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
