#include "app/worker/assemble.h"

#include <algorithm>
#include <optional>

namespace worker {
namespace {

using figure::Index;

// A writer of one rectangle of an image.
struct Target {
  CellsImage& image;
  float* row(Index row, Index col) const {
    return image.values.data() + (row - image.region.row) * image.region.cols +
           (col - image.region.col);
  }
};

void copy_tile(const Target& target, const Piece& piece) {
  const Tile& tile = *piece.tile;
  // A tile begins at a multiple of its side, so the part of the row below that is its own.
  const auto inside = [&](Index cell) { return (cell >> piece.shift) % kTileSide; };
  for (Index r = piece.where.row; r < piece.where.row + piece.where.rows; ++r) {
    const float* from = tile.values.data() + inside(r) * tile.cols;
    float* to = target.row(r, piece.where.col);
    if (piece.shift == 0) {
      std::copy_n(from + inside(piece.where.col), piece.where.cols, to);
      continue;
    }
    for (Index c = 0; c < piece.where.cols; ++c) to[c] = from[inside(piece.where.col + c)];
  }
}

// The cell of another level's image in which the middle of a cell of `level` lies.
Index other_cell(Index cell, int level, int other) {
  if (other >= level) return cell >> (other - level);
  const int finer = level - other;
  return (cell << finer) + (Index{1} << (finer - 1));
}

// True when at least one cell was found.
bool copy_stand_in(const Target& target, const figure::Region& where, const CellsImage& other) {
  bool any = false;
  const int level = target.image.level;
  for (Index r = where.row; r < where.row + where.rows; ++r) {
    const Index from_row = other_cell(r, level, other.level) - other.region.row;
    if (from_row < 0 || from_row >= other.region.rows) continue;
    const float* from = other.values.data() + from_row * other.region.cols;
    float* to = target.row(r, where.col);
    for (Index c = 0; c < where.cols; ++c) {
      const Index from_col = other_cell(where.col + c, level, other.level) - other.region.col;
      if (from_col < 0 || from_col >= other.region.cols) continue;
      to[c] = from[from_col];
      any = true;
    }
  }
  return any;
}

}  // namespace

std::shared_ptr<CellsImage> assemble(int level, const figure::Region& region,
                                     const std::vector<Piece>& pieces, const CellsImage* stand_in) {
  auto image = std::make_shared<CellsImage>();
  image->level = level;
  image->region = region;
  image->values.assign(static_cast<std::size_t>(region.rows * region.cols), core::kMasked);
  const Target target{*image};
  bool known = false;
  for (const Piece& piece : pieces) {
    if (piece.tile) {
      copy_tile(target, piece);
      known = true;
    } else if (stand_in) {
      known = copy_stand_in(target, piece.where, *stand_in) || known;
    }
  }
  return known ? image : nullptr;
}

}  // namespace worker
