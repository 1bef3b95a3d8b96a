// Source of a heatmap's cells: not a matrix but something that can answer for any rectangle of one.
#pragma once

#include <memory>

#include "core/mask/mask.h"
#include "core/tile.h"

namespace figure {

using core::Index;
using core::Pool;
using core::Region;

class Pyramid;

class TileSource {
 public:
  virtual ~TileSource() = default;
  virtual Index rows() const = 0;
  virtual Index cols() const = 0;
  // One cell in full precision; core::kMasked when it is absent. Must be quick. Throws
  // core::InputError where it lies in a file that has changed since it was opened.
  virtual float value(Index row, Index col) const = 0;
  // Writes region.rows x region.cols pooled cells, row by row, to `out`. Callable from any thread.
  virtual void pooled(int level, const Region& region, Pool pool, float* out,
                      const core::Cancel& cancel) const = 0;
  // About how many multiply-adds `pooled` would take: cheap ones are drawn in the same frame,
  // costly ones on a worker.
  virtual double cost(int level, const Region& region, Pool pool) const = 0;
  // Painters pool squares of cells, which would turn a table that is far longer than wide into one
  // column. A source may offer itself with each row 2^row_bits and each column 2^col_bits times,
  // so that a square of that is a long rectangle of its own cells; the same object for the same
  // bits. One of the two is 0. Null: only squares.
  virtual std::shared_ptr<const TileSource> repeated(int /*row_bits*/, int /*col_bits*/) const {
    return nullptr;
  }
};

// The smallest level at which `cells` fit into `pixels` with at least one pixel each.
int level_for(double cells, double pixels);

// How many pooled cells of `level` cover `cells`.
inline Index pooled_size(Index cells, int level) {
  return (cells + (Index{1} << level) - 1) >> level;
}

// A whole matrix in memory. Cells that the mask hides are absent. Pooled levels are kept once made.
class DenseSource final : public TileSource {
 public:
  // `owner` keeps the memory alive; `data` is rows x cols, row-major. Without a mask all is shown.
  DenseSource(std::shared_ptr<const void> owner, const float* data, Index rows, Index cols,
              std::shared_ptr<const core::Mask> mask = nullptr);
  // Takes the matrix.
  explicit DenseSource(core::Matrix matrix, std::shared_ptr<const core::Mask> mask = nullptr);
  ~DenseSource() override;

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  float value(Index row, Index col) const override;
  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override;
  double cost(int level, const Region& region, Pool pool) const override;

 private:
  std::shared_ptr<const void> owner_;
  const float* data_;
  Index rows_, cols_;
  std::shared_ptr<const core::Mask> mask_;
  std::unique_ptr<Pyramid> pyramid_;
};

}  // namespace figure
