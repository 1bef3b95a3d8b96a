// The cells of a heatmap as vectors want them: pooled, in colours, and where their edges lie.
#pragma once

#include <cstdint>
#include <vector>

#include "app/figure/drawing.h"

namespace paper {

// From one hatch line to the next along x, in units of 100 %.
inline constexpr float kHatchPeriod = 6;

// The pooled cells that are seen, as bins of their colours; places are in units of 100 %.
class CellGrid {
 public:
  // `cells` has a source and colours, and outlives it.
  explicit CellGrid(const figure::draw::Cells& cells);

  bool empty() const { return rows_ <= 0 || cols_ <= 0; }
  figure::Index rows() const { return rows_; }
  figure::Index cols() const { return cols_; }
  // What of the source is seen, in pooled cells.
  const core::Region& region() const { return region_; }
  int bin(figure::Index row, figure::Index col) const {
    return bins_[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_) +
                 static_cast<std::size_t>(col)];
  }
  figure::Rgba color(int bin) const {
    return cells_.colors->colors()[static_cast<std::size_t>(bin)];
  }
  figure::Rgba hatch() const { return cells_.colors->hatch(); }
  bool masked(figure::Index row, figure::Index col) const;
  bool any_masked() const;

  // The edge before a column or row of the grid, cut to the rectangle.
  double x(figure::Index col) const;
  double y(figure::Index row) const;
  // Not cut: the last pooled cell may be cut short by the end of the source.
  double uncut_x(figure::Index col) const;
  double uncut_y(figure::Index row) const;
  double left() const { return static_cast<double>(cells_.rect.x); }
  double right() const { return left() + static_cast<double>(cells_.rect.w); }
  double top() const { return static_cast<double>(cells_.rect.y); }
  double bottom() const { return top() + static_cast<double>(cells_.rect.h); }

  // Which column or row of the grid lies at a share of the rectangle; -1: none.
  int col_at(double share) const;
  int row_at(double share) const;
  // The column that holds `x`, or the first or last one.
  figure::Index col_from(double x) const;

 private:
  figure::Index seen(double lo, double hi, figure::Index cells, figure::Index& first) const;
  int at(double share, double lo, double hi, figure::Index cells, figure::Index first,
         figure::Index count) const;

  const figure::draw::Cells& cells_;
  figure::Index side_, rows_ = 0, cols_ = 0;
  core::Region region_;
  std::vector<std::uint16_t> bins_;
};

struct ColorRect {
  double x, y, w, h;
  figure::Rgba color;
};

// The cells in the order in which they are painted, equal neighbours of a row in one; each reaches
// a little under its right and lower neighbours, so that no viewer's smoothing shows the paper
// between them.
std::vector<ColorRect> cell_rectangles(const CellGrid& grid);
std::vector<ColorRect> bar_rectangles(const figure::draw::ColorBar& bar);

// A piece of a hatch line: of x + y = sum, from x = begin to x = end.
struct HatchPiece {
  double begin, end, sum;
};
// All that lies over masked cells, joined where pieces touch so that no seam shows.
std::vector<HatchPiece> hatch_pieces(const CellGrid& grid);
// A pixel of the screen's hatch in each row is a line this wide across its direction.
inline constexpr double kHatchWidth = 0.70710678118654752;

}  // namespace paper
