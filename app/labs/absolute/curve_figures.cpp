// The table read by column and by row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/labs/absolute/page.h"

namespace lab::absolute {
namespace {

using figure::Color;
using figure::Line;

Figure column_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("by_column", w("By column"), {.span = 7, .height = 300});
  figure.caption =
      model.table->sinusoidal
          ? w.format(
                "Columns of the table against position, dimension {} in the accent colour: a "
                "column of the first dimensions oscillates fast, one of the last slowly.",
                p.column)
          : w.format("Columns of the table against position, dimension {} in the accent colour.",
                     p.column);
  const auto [first, count] = model.stretch;
  const Index last = first + count - 1;
  if (count < model.table->n) figure.note = w.format("positions {} to {}", first, last);
  Plot plot{.id = "column_curves",
            .x = value_axis(p.grid() ? w("place y · width + x") : w("position"), to_double(first),
                            to_double(last))};
  if (!p.grid()) {
    plot.x_param = "position";
    plot.click = explains("cell");
  }
  double size = 1e-3;
  int color = 0;
  for (const auto& [column, curve] : model.columns) {
    size = std::max(size, largest_size(curve->y));
    const bool picked = column == p.column;
    plot.marks.emplace_back(Line{curve->x, curve->y,
                                 picked ? Color(Role::accent) : Color::of_head(color++, 0.75f),
                                 picked ? 2.2f : 1.2f, false, w.format("dim {}", column)});
  }
  plot.y = {w("value"), -1.08 * size, 1.08 * size};
  if (scene.has_row()) {
    plot.marks.emplace_back(picked_point(to_double(model.position), scene.cell()));
  }
  return with(std::move(figure), std::move(plot));
}

// Sines and cosines as lines of their own; NaN where a grid's halves meet.
void add_row_lines(const Scene& scene, const VectorD& row, Plot& plot) {
  const auto& [p, model, w] = scene;
  if (p.scheme == Scheme::learned) {
    plot.marks.emplace_back(thinned(row));
    return;
  }
  const bool waves = p.scheme == Scheme::sinusoidal || p.grid();
  Line sine{.color = Role::text, .label = waves ? w("sine") : w("even")};
  Line cosine{.color = Role::dim, .dashed = true, .label = waves ? w("cosine") : w("odd")};
  bool second = false;
  for (Index c = 0; c < row.size(); ++c) {
    const Column column = column_of(p, c);
    if (column.second != second) {
      for (Line* line : {&sine, &cosine}) {
        line->x.push_back(to_double(c));
        line->y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
      second = column.second;
    }
    Line& line = column.sine ? sine : cosine;
    line.x.push_back(to_double(c));
    line.y.push_back(row(c));
  }
  plot.marks.emplace_back(std::move(sine));
  plot.marks.emplace_back(std::move(cosine));
}

Figure row_figure(const Scene& scene) {
  const auto& [p, model, w] = scene;
  Figure figure = new_figure("by_position", w("By position"), {.span = 5, .height = 300});
  figure.note = w.format("the row of {}", model.position);
  figure.caption = w.format("The row of position {} against dimension.", model.position);
  const VectorD row = scene.has_row() ? scene.row() : VectorD();
  const MatrixD& P = model.table->P;
  const double largest = row.size() > 0 ? row.cwiseAbs().maxCoeff()
                         : P.size() > 0 ? P.cwiseAbs().maxCoeff()
                                        : 1;
  const double size = 1.08 * std::max(largest, 1e-3);
  Plot plot{.id = "row_curve",
            .x = value_axis(w("dimension"), 0, p.width - 1.0),
            .y = {w("value"), -size, size},
            .click = explains("cell"),
            .x_param = "column"};
  if (row.size() == 0) {
    plot.marks.emplace_back(figure::Note{(p.width - 1) / 2.0, 0, w("the table has no such row"),
                                         Role::bad, figure::TextStyle::label, 0});
  } else {
    add_row_lines(scene, row, plot);
    plot.marks.emplace_back(picked_point(p.column, row(p.column)));
  }
  return with(std::move(figure), std::move(plot));
}

}  // namespace

std::vector<Figure> curve_figures(const Scene& scene) {
  return {column_figure(scene), row_figure(scene)};
}

}  // namespace lab::absolute
