#include "app/labs/multi_head/sources.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/weight_tile.h"

namespace lab::multi_head {
namespace {

using core::Matrix;
using core::Pool;
using core::Region;

core::TileRequest request_of(Index head, const Region& cells, int level, Quantity quantity,
                             Pool pool) {
  core::TileRequest request;
  request.head = head;
  request.r0 = cells.row;
  request.r1 = cells.row + cells.rows;
  request.c0 = cells.col;
  request.c1 = cells.col + cells.cols;
  request.level = level;
  request.kind = quantity == Quantity::weight ? core::TileKind::weight : core::TileKind::scaled;
  request.pooling = pool;
  return request;
}

// A cell of a mean of means, in multiply-adds.
constexpr double kCostOfMean = 8;

// Scores are signed; their options say so: every pair is shown, and nothing is scaled.
core::AttentionOptions score_options(const Heads& heads) {
  core::AttentionOptions options = heads.options;
  options.scale = 1;
  options.mask.reset();
  return options;
}

class ComputedSource final : public figure::TileSource {
 public:
  ComputedSource(std::shared_ptr<const Heads> heads, Index head, Quantity quantity)
      : heads_(std::move(heads)),
        options_(quantity == Quantity::score ? score_options(*heads_) : heads_->options),
        head_(head),
        quantity_(quantity) {
    if (quantity != Quantity::weight || !heads_->streamed) return;
    const Matrix& largest = heads_->streamed->overview_max[static_cast<std::size_t>(head)];
    overview_ = std::make_unique<figure::DenseSource>(nullptr, largest.data(), largest.rows(),
                                                      largest.cols());
  }

  Index rows() const override { return heads_->n(); }
  Index cols() const override { return heads_->n(); }

  float value(Index row, Index col) const override {
    if (quantity_ != Quantity::score && !heads_->mask().allowed(row, col)) {
      return core::kMasked;
    }
    const Projected& p = *heads_->projected;
    const float score =
        options_.scale.value() *
        p.Q.row(row).segment(head_ * p.d_k, p.d_k).dot(p.K.row(col).segment(head_ * p.d_k, p.d_k));
    if (quantity_ != Quantity::weight) return score;
    return std::exp(score - heads_->row_max()(head_, row)) / heads_->row_sum()(head_, row);
  }

  void pooled(int level, const Region& region, Pool pool, float* out,
              const core::Cancel& cancel) const override {
    if (from_overview(level)) return pool_overview(level, region, pool, out, cancel);
    const Region cells = cells_of(level, region);
    Eigen::Map<Matrix> result(out, region.rows, region.cols);
    result = tile(options_, cells, level, pool, cancel);
    if (!both_ends(level, pool)) return;
    core::AttentionOptions mirrored = options_;
    mirrored.scale = -options_.scale.value();
    const Matrix lowest = tile(mirrored, cells, level, pool, cancel);
    result = result.binaryExpr(lowest, [](float high, float minus_low) {
      return minus_low > high ? -minus_low : high;  // false for what is masked or NaN
    });
  }

  double cost(int level, const Region& region, Pool pool) const override {
    if (from_overview(level)) {
      const int up = level - heads_->streamed->level;
      if (pool == Pool::max) return overview_->cost(up, region, pool);
      return std::ldexp(kCostOfMean * static_cast<double>(region.rows * region.cols), 2 * up);
    }
    const Region cells = cells_of(level, region);
    return static_cast<double>(cells.rows) * static_cast<double>(cells.cols) *
           static_cast<double>(heads_->projected->d_k) * (both_ends(level, pool) ? 2 : 1);
  }

 private:
  bool from_overview(int level) const { return overview_ && level >= heads_->streamed->level; }

  // The largest magnitude, with its sign, of signed cells takes the highest and the lowest.
  bool both_ends(int level, Pool pool) const {
    return quantity_ != Quantity::weight && pool == Pool::max && level > 0;
  }

  // The cells that pooled ones stand for, cut at the last row and column.
  Region cells_of(int level, const Region& region) const {
    const Index row = region.row << level, col = region.col << level;
    return {row, col, std::min(region.rows << level, rows() - row),
            std::min(region.cols << level, cols() - col)};
  }

  Matrix tile(const core::AttentionOptions& options, const Region& cells, int level, Pool pool,
              const core::Cancel& cancel) const {
    return core::weight_tile(heads_->projected->Q, heads_->projected->K, options, heads_->row_max(),
                             heads_->row_sum(), request_of(head_, cells, level, quantity_, pool),
                             cancel);
  }

  // Cells of the overview pooled on.
  void pool_overview(int level, const Region& region, Pool pool, float* out,
                     const core::Cancel& cancel) const {
    const int up = level - heads_->streamed->level;
    if (pool == Pool::max) return overview_->pooled(up, region, pool, out, cancel);
    const Matrix& means = heads_->streamed->overview_mean[static_cast<std::size_t>(head_)];
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
    return pairs == 0 ? core::kMasked : static_cast<float>(sum / pairs);
  }

  std::shared_ptr<const Heads> heads_;
  core::AttentionOptions options_;
  Index head_;
  Quantity quantity_;
  std::unique_ptr<figure::DenseSource> overview_;  // the largest weights of a streamed head
};

// Weights that are kept, without a copy.
std::shared_ptr<const figure::TileSource> kept_weights(const Heads& heads, Index head) {
  const core::HeadWeights& weights = heads.kept->weights[static_cast<std::size_t>(head)];
  return std::make_shared<figure::DenseSource>(heads.kept, weights.data(), weights.rows(),
                                               weights.cols(),
                                               std::make_shared<const core::Mask>(heads.mask()));
}

}  // namespace

std::shared_ptr<const figure::TileSource> make_source(std::shared_ptr<const Heads> heads,
                                                      Index head, Quantity quantity) {
  if (quantity == Quantity::weight && heads->kept) return kept_weights(*heads, head);
  const Index n = heads->n();
  auto computed = std::make_shared<ComputedSource>(heads, head, quantity);
  if (quantity == Quantity::weight || n * n > kMostScoreCells) return computed;
  Matrix cells(n, n);
  computed->pooled(0, {0, 0, n, n}, Pool::max, cells.data(), {});
  return std::make_shared<figure::DenseSource>(std::move(cells));
}

}  // namespace lab::multi_head
