// Absolute positions as a table of rows, whichever scheme made it, and the linear map from each row
// to the row k positions on.
#pragma once

#include <optional>

#include "core/position/learned/fitted_shift.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/position/sinusoidal/sinusoidal_2d.h"

namespace core {

struct PositionGrid {
  Index height = 0, width = 0;  // position y * width + x is the point (y, x)
  Sinusoidal2dOptions options = {};
};

// A column of the table: the sine or the cosine of which frequency.
struct TableColumn {
  Index i = 0;  // index into theta
  bool sine = true;
  bool second = false;  // on a grid: in the second half of the columns
};

struct PositionTable {
  Index n = 0;       // positions
  Index filled = 0;  // positions that have a row
  Index d = 0;
  // The frequencies, (d/2), where every row follows from the same ones; else empty. On a grid those
  // of one axis, (d/4).
  VectorD theta = {};
  SinusoidalOptions options = {};  // how theta follows from d; on a grid see grid->options
  bool sinusoidal = false;         // rows follow from the formula, at any position
  std::optional<PositionGrid> grid = {};
  MatrixD P = {};  // (filled, d); of a sinusoidal table only its first rows

  VectorD row(Index position) const;
  bool has(Index position) const { return sinusoidal || (position >= 0 && position < filled); }
  TableColumn column(Index c) const;
  // On a grid, a column of the first half.
  Index column_at(Index i, bool sine) const;
  // On a grid: whether this column encodes x.
  bool follows_x(const TableColumn& column) const;
  // theta for another width or base.
  VectorD frequencies(Index width, double base) const;
};

// The first `most` rows are kept. d even, base > 0, n >= 0, else InputError.
PositionTable sinusoidal_positions(Index n, Index d, const SinusoidalOptions& options, Index most);
// d a multiple of 4, else InputError (sinusoidal_2d.h).
PositionTable grid_positions(const PositionGrid& grid, Index d);
// The given rows as the first positions of n. `base`: the rows are those of rotations with the
// sinusoidal frequencies of that base, so theta is known.
PositionTable kept_positions(MatrixD rows, Index n, std::optional<double> base = std::nullopt);

struct TableShift {
  MatrixD map;                     // (d, d), acts on columns
  std::optional<FittedShift> fit;  // when no map follows from the formula
  double error = 0;                // largest |M PE(p) - PE(p + k)| over the kept rows
};
// The map from p to p + k; on a grid, k further along x. Without theta it is the least-squares fit
// over all pairs of rows k apart, or as far apart as the table goes (fitted_shift.h).
TableShift shift_positions(const PositionTable& table, Index k);

}  // namespace core
