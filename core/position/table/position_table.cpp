#include "core/position/table/position_table.h"

#include <algorithm>
#include <utility>

#include "core/position/sinusoidal/sinusoidal_shift.h"

namespace core {
namespace {

double shift_error(const PositionTable& table, const MatrixD& map, Index k) {
  const MatrixD moved = table.P * map.transpose();
  double error = 0;
  for (Index p = 0; p < table.P.rows(); ++p) {
    if (table.grid) {
      const Index x = p % table.grid->width + k;
      if (x < 0 || x >= table.grid->width) continue;
    }
    if (!table.has(p + k)) continue;
    error = std::max(error, (moved.row(p).transpose() - table.row(p + k)).cwiseAbs().maxCoeff());
  }
  return error;
}

}  // namespace

VectorD PositionTable::row(Index position) const {
  if (!sinusoidal || (position >= 0 && position < P.rows())) return P.row(position).transpose();
  return sinusoidal_rows(VectorD::Constant(1, static_cast<double>(position)), d, options)
      .row(0)
      .transpose();
}

TableColumn PositionTable::column(Index c) const {
  if (grid) return {c % (d / 2) / 2, c % 2 == 0, c >= d / 2};
  const bool halves = options.layout == SinusoidalLayout::concatenated;
  return halves ? TableColumn{c % (d / 2), c < d / 2} : TableColumn{c / 2, c % 2 == 0};
}

Index PositionTable::column_at(Index i, bool sine) const {
  return sine ? sine_column(i, d, options.layout) : cosine_column(i, d, options.layout);
}

bool PositionTable::follows_x(const TableColumn& column) const {
  return grid && column.second == (grid->options.order == AxisOrder::height_first);
}

VectorD PositionTable::frequencies(Index width, double base) const {
  if (!grid) return core::frequencies(width, base, options.rule);
  Sinusoidal2dOptions of_grid = grid->options;
  of_grid.base = base;
  return axis_frequencies(width, of_grid);
}

PositionTable sinusoidal_positions(Index n, Index d, const SinusoidalOptions& options, Index most) {
  return {.n = n,
          .filled = n,
          .d = d,
          .theta = frequencies(d, options.base, options.rule),
          .options = options,
          .sinusoidal = true,
          .P = sinusoidal_table(std::min(n, most), d, options)};
}

PositionTable grid_positions(const PositionGrid& grid, Index d) {
  PositionTable table = kept_positions(sinusoidal_2d(grid.height, grid.width, d, grid.options),
                                       grid.height * grid.width);
  table.theta = axis_frequencies(d, grid.options);
  table.grid = grid;
  return table;
}

PositionTable kept_positions(MatrixD rows, Index n, std::optional<double> base) {
  PositionTable table{.n = n, .filled = rows.rows(), .d = rows.cols()};
  if (base) {
    table.options.base = *base;
    table.theta = frequencies(table.d, *base);
  }
  table.P = std::move(rows);
  return table;
}

TableShift shift_positions(const PositionTable& table, Index k) {
  TableShift shift;
  if (table.grid) {
    shift.map = sinusoidal_2d_shift(static_cast<double>(k), table.d, table.grid->options);
  } else if (table.theta.size() > 0) {
    shift.map = sinusoidal_shift(static_cast<double>(k), table.d, table.options);
  } else {
    const Index most = table.filled - 1;
    shift.fit = fit_shift(table.P, std::clamp(k, -most, most));
    shift.map = shift.fit->map;
  }
  shift.error = shift_error(table, shift.map, k);
  return shift;
}

}  // namespace core
