// Absolute positions as a table of rows, whatever scheme made it, and the linear map that moves
// every row so many positions on.
#pragma once

#include <optional>

#include "core/position/learned/fitted_shift.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/position/sinusoidal/sinusoidal_2d.h"

namespace core {

struct PositionGrid {
  Index height = 0, width = 0;  // position y * width + x is the place (y, x)
  Sinusoidal2dOptions options = {};
};

// Which frequency a column turns with, as its sine or its cosine.
struct TableColumn {
  Index i = 0;  // of theta
  bool sine = true;
  bool second = false;  // of a grid: in the second half
};

struct PositionTable {
  Index n = 0;       // positions
  Index filled = 0;  // of them, those that have a row
  Index d = 0;
  // The frequencies when all positions turn alike, (d/2); empty otherwise. Of one axis on a grid.
  VectorD theta = {};
  SinusoidalOptions options = {};  // by which they follow from d; of a grid see there
  bool sinusoidal = false;         // rows follow from the formula, of any position at all
  std::optional<PositionGrid> grid = {};
  MatrixD P = {};  // (filled, d), or the first so many rows of a sinusoidal table

  VectorD row(Index position) const;
  bool has(Index position) const { return sinusoidal || (position >= 0 && position < filled); }
  TableColumn column(Index c) const;
  // In the first half, where there are two.
  Index column_at(Index i, bool sine) const;
  // On a grid: whether the half that a column belongs to follows x.
  bool follows_x(const TableColumn& column) const;
  // What theta would be with another width or base.
  VectorD frequencies(Index width, double base) const;
};

// The first `most` rows are kept. d even, base > 0, n >= 0, else InputError.
PositionTable sinusoidal_positions(Index n, Index d, const SinusoidalOptions& options, Index most);
// d a multiple of 4, else InputError (sinusoidal_2d.h).
PositionTable grid_positions(const PositionGrid& grid, Index d);
// The rows as they are, of the first positions of n. `base`: they turn as the sinusoidal ones of
// that base do.
PositionTable kept_positions(MatrixD rows, Index n, std::optional<double> base = std::nullopt);

struct TableShift {
  MatrixD map;                     // (d, d), acts on columns
  std::optional<FittedShift> fit;  // when no map follows from the formula
  double error = 0;                // largest |M PE(p) - PE(p + k)| over the kept rows
};
// From p to p + k, on a grid to k places further along x. Where no formula says it, the least
// squares of all pairs of rows that far apart, or as far as the table goes (fitted_shift.h).
TableShift shift_positions(const PositionTable& table, Index k);

}  // namespace core
