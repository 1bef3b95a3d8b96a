#include "app/labs/masks/sources.h"

#include <algorithm>
#include <cmath>

#include "core/attention/sparse_tile.h"
#include "core/mask/mask_tile.h"

namespace lab::masks {
namespace {

using core::Pool;
using core::Region;

// The cells that pooled ones stand for, cut at the last row and column.
Region cells_of(int level, const Region& region, Index rows, Index cols) {
  const Index row = region.row << level, col = region.col << level;
  return {row, col, std::min(region.rows << level, rows - row),
          std::min(region.cols << level, cols - col)};
}

class MaskSource final : public figure::TileSource {
 public:
  explicit MaskSource(std::shared_ptr<const SparseMask> mask) : mask_(std::move(mask)) {}

  Index rows() const override { return mask_->rows(); }
  Index cols() const override { return mask_->cols(); }
  float value(Index row, Index col) const override {
    return mask_->allowed(row, col) ? 1 : core::kMasked;
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    const Region cells = cells_of(level, region, rows(), cols());
    core::MaskTileRequest request;
    request.r0 = cells.row;
    request.r1 = cells.row + cells.rows;
    request.c0 = cells.col;
    request.c1 = cells.col + cells.cols;
    request.level = level;
    request.pooling = pool;
    Eigen::Map<Matrix> result(out, region.rows, region.cols);
    result = core::mask_tile(*mask_, request, 1, cancel);
    result = result.unaryExpr([](float share) { return share > 0 ? share : core::kMasked; });
  }

  // About one step a run and a cell.
  double cost(int level, const Region& region, core::Pool /*pool*/) const override {
    const Region cells = cells_of(level, region, rows(), cols());
    const double runs = mask_->memory_bytes() / sizeof(core::KeyRun) /
                        static_cast<double>(std::max<Index>(1, rows()));
    return static_cast<double>(cells.rows) * (runs + static_cast<double>(region.cols));
  }

 private:
  std::shared_ptr<const SparseMask> mask_;
};

class PairSource final : public figure::TileSource {
 public:
  PairSource(std::shared_ptr<const Content> content, std::shared_ptr<const SparseMask> mask,
             std::shared_ptr<const core::SparseAttention> attention, double scale,
             Quantity quantity)
      : content_(std::move(content)),
        mask_(std::move(mask)),
        attention_(std::move(attention)),
        scale_(static_cast<float>(scale)),
        quantity_(quantity) {}

  Index rows() const override { return mask_->rows(); }
  Index cols() const override { return mask_->cols(); }
  float value(Index row, Index col) const override {
    return mask_->allowed(row, col) ? kept_value(row, col) : core::kMasked;
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    const core::TileRequest request = request_of(level, region, pool);
    Eigen::Map<Matrix> result(out, region.rows, region.cols);
    result = tile(scale_, request, cancel);
    if (quantity_ == Quantity::weight || pool == Pool::mean || level == 0) return;
    // The largest magnitude, with its sign, of signed cells.
    const Matrix lowest = tile(-scale_, request, cancel);
    result = result.binaryExpr(lowest, [](float high, float minus_low) {
      return minus_low > high ? -minus_low : high;  // false for what is masked
    });
  }

  // d multiply-adds for each kept pair, as if these were spread evenly.
  double cost(int level, const Region& region, core::Pool /*pool*/) const override {
    const Region cells = cells_of(level, region, rows(), cols());
    const double share = static_cast<double>(mask_->kept()) /
                         (static_cast<double>(rows()) * static_cast<double>(cols()));
    return static_cast<double>(cells.rows) * static_cast<double>(cells.cols) * share *
           static_cast<double>(content_->Q.cols());
  }

 private:
  float kept_value(Index i, Index j) const {
    const float score = scale_ * content_->Q.row(i).dot(content_->K.row(j));
    if (quantity_ == Quantity::score) return score;
    return std::exp(score - attention_->row_max(0, i)) / attention_->row_sum(0, i);
  }

  core::TileRequest request_of(int level, const Region& region, Pool pool) const {
    const Region cells = cells_of(level, region, rows(), cols());
    core::TileRequest request;
    request.r0 = cells.row;
    request.r1 = cells.row + cells.rows;
    request.c0 = cells.col;
    request.c1 = cells.col + cells.cols;
    request.level = level;
    request.kind = quantity_ == Quantity::weight ? core::TileKind::weight : core::TileKind::scaled;
    request.pooling = pool;
    return request;
  }

  Matrix tile(float scale, const core::TileRequest& request, const core::Cancel& cancel) const {
    static const Matrix none;  // scores need no row's largest and sum
    core::AttentionOptions options;
    options.scale = scale;
    const bool weights = quantity_ == Quantity::weight;
    return core::sparse_tile(content_->Q, content_->K, *mask_, options,
                             weights ? attention_->row_max : none,
                             weights ? attention_->row_sum : none, request, cancel);
  }

  std::shared_ptr<const Content> content_;
  std::shared_ptr<const SparseMask> mask_;
  std::shared_ptr<const core::SparseAttention> attention_;
  float scale_;
  Quantity quantity_;
};

}  // namespace

std::shared_ptr<const figure::TileSource> mask_source(std::shared_ptr<const SparseMask> mask) {
  return std::make_shared<const MaskSource>(std::move(mask));
}

std::shared_ptr<const figure::TileSource> pair_source(
    std::shared_ptr<const Content> content, std::shared_ptr<const SparseMask> mask,
    std::shared_ptr<const core::SparseAttention> attention, double scale, Quantity quantity) {
  return std::make_shared<const PairSource>(std::move(content), std::move(mask),
                                            std::move(attention), scale, quantity);
}

}  // namespace lab::masks
