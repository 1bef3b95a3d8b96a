// Tiles of scores and weights that are computed when they are looked at.
#include "app/labs/multi_head/model.h"
#include "app/labs/shared/parts.h"
#include "core/attention/fast/weight_tile.h"

namespace lab::multi_head {
namespace {

using core::Pool, core::Region;

// A cell of a mean of means, in multiply-adds.
constexpr double kCostOfMean = 8;

// Scores are signed; their options say so: every pair is shown, and nothing is scaled.
core::AttentionOptions score_options(const Heads& heads) {
  core::AttentionOptions options = heads.options;
  options.scale = 1;
  options.mask.reset();
  return options;
}

class ComputedSource final : public TileSource {
 public:
  ComputedSource(HeadsPointer heads, Index head, Quantity quantity)
      : heads_(std::move(heads)),
        options_(quantity == Quantity::score ? score_options(*heads_) : heads_->options),
        head_(head),
        quantity_(quantity) {
    if (quantity != Quantity::weight || !heads_->streamed) return;
    const Matrix& largest = heads_->streamed->overview_max[to_size(head)];
    overview_ =
        std::make_unique<DenseSource>(nullptr, largest.data(), largest.rows(), largest.cols());
  }

  Index rows() const override { return heads_->n(); }
  Index cols() const override { return heads_->n(); }

  float value(Index row, Index col) const override {
    if (quantity_ != Quantity::score && !heads_->mask().allowed(row, col)) return core::kMasked;
    const Projected& p = *heads_->projected;
    const float score = options_.scale.value() * p.q(row, head_).dot(p.k(col, head_));
    if (quantity_ != Quantity::weight) return score;
    return std::exp(score - heads_->row_max()(head_, row)) / heads_->row_sum()(head_, row);
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    if (from_overview(level)) return pool_overview(level, region, pool, out, cancel);
    const Region cells = cells_of(level, region);
    Eigen::Map<Matrix> result(out, region.rows, region.cols);
    result = tile(cells, level, pool, cancel);
  }

  double cost(int level, const Region& region, Pool pool) const override {
    if (from_overview(level)) {
      const int up = level - heads_->streamed->level;
      if (pool == Pool::max) return overview_->cost(up, region, pool);
      return std::ldexp(kCostOfMean * to_double(region.rows * region.cols), 2 * up);
    }
    const Region cells = cells_of(level, region);
    return to_double(cells.rows * cells.cols * heads_->projected->d_k);
  }

 private:
  bool from_overview(int level) const { return overview_ && level >= heads_->streamed->level; }

  // The cells that pooled ones stand for, cut at the last row and column.
  Region cells_of(int level, const Region& region) const {
    const Index row = region.row << level, col = region.col << level;
    return {row, col, std::min(region.rows << level, rows() - row),
            std::min(region.cols << level, cols() - col)};
  }

  Matrix tile(const Region& cells, int level, Pool pool, const core::Cancel& cancel) const {
    const auto kind =
        quantity_ == Quantity::weight ? core::TileKind::weight : core::TileKind::scaled;
    const core::TileRequest request{
        head_, cells.row, cells.row + cells.rows, cells.col, cells.col + cells.cols, level,
        kind,  pool};
    return core::weight_tile(heads_->projected->Q, heads_->projected->K, options_,
                             heads_->row_max(), heads_->row_sum(), request, cancel);
  }

  // Cells of the overview pooled on.
  void pool_overview(int level, const Region& region, Pool pool, float* out,
                     const core::Cancel& cancel) const {
    const int up = level - heads_->streamed->level;
    if (pool == Pool::max) return overview_->pooled(up, region, pool, out, cancel);
    const Matrix& means = heads_->streamed->overview_mean[to_size(head_)];
    for (Index r = 0; r < region.rows; ++r) {
      for (Index c = 0; c < region.cols; ++c) {
        const Index row = (region.row + r) << up, col = (region.col + c) << up;
        out[r * region.cols + c] =
            mean_of(means, {row, col, std::min(Index{1} << up, means.rows() - row),
                            std::min(Index{1} << up, means.cols() - col)});
      }
    }
  }

  // Each mean counts by its allowed pairs.
  float mean_of(const Matrix& means, const Region& block) const {
    double sum = 0, pairs = 0;
    for (Index r = block.row; r < block.row + block.rows; ++r) {
      for (Index c = block.col; c < block.col + block.cols; ++c) {
        const float cell = means(r, c);
        if (core::is_masked(cell)) continue;
        if (std::isnan(cell)) return cell;
        const double count = heads_->overview_pairs(r, c);
        sum += count * cell;
        pairs += count;
      }
    }
    return pairs == 0 ? core::kMasked : to_float(sum / pairs);
  }

  HeadsPointer heads_;
  core::AttentionOptions options_;
  Index head_;
  Quantity quantity_;
  std::unique_ptr<DenseSource> overview_;  // the largest weights of a streamed head
};

}  // namespace

Source make_source(const HeadsPointer& heads, Index head, Quantity quantity) {
  if (quantity == Quantity::weight && heads->kept) {
    const core::HeadWeights& weights = heads->kept->weights[to_size(head)];
    return std::make_shared<DenseSource>(heads->kept, weights.data(), weights.rows(),
                                         weights.cols(),
                                         std::make_shared<const Mask>(heads->mask()));
  }
  const Index n = heads->n();
  auto computed = std::make_shared<ComputedSource>(heads, head, quantity);
  if (quantity == Quantity::weight || n * n > kMostScoreCells) return computed;
  Matrix cells(n, n);
  computed->pooled(0, {0, 0, n, n}, Pool::max, cells.data(), {});
  return std::make_shared<DenseSource>(std::move(cells));
}

}  // namespace lab::multi_head
