// Any part of a square matrix whose cells are computed when they are looked at, pooled: nothing
// n by n is ever kept.
#pragma once

#include <functional>

#include "core/tile.h"
#include "core/types.h"

namespace core {

// A rectangle of cells: rows i0 to i0 + rows - 1, columns j0 to j0 + cols - 1.
struct Block {
  Index i0, rows, j0, cols;
};
// The cells of a block, (rows, cols). Called from several threads.
using BlockCells = std::function<MatrixD(const Block& block)>;

struct SquareTile {
  Index n = 0;          // rows and columns of the whole matrix
  bool causal = false;  // cells right of the diagonal are masked
  int level = 0;        // 2^level by 2^level cells are one
  Region region;        // in pooled cells
  Pool pool = Pool::max;
};

// region.rows x region.cols. Masked cells do not count; a block of them alone is kMasked; one NaN
// makes the whole NaN. n >= 0, 0 <= level <= 30, the region inside the matrix, else InputError;
// Cancelled when `cancel` fires. threads: 0 = all cores.
Matrix block_tile(const BlockCells& cells, const SquareTile& tile, int threads = 0,
                  const Cancel& cancel = {});

// The same of a Toeplitz matrix, whose cell (i, j) is values(j - i + n - 1): 2n - 1 values, else
// InputError. Costs a few times n, however many cells there are.
Matrix toeplitz_tile(const Vector& values, const SquareTile& tile, const Cancel& cancel = {});

}  // namespace core
