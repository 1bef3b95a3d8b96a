// The heatmaps' cells, computed where they are looked at: nothing n x n is ever made.
#include "app/labs/masks/model.h"
#include "app/labs/shared/parts.h"
#include "core/attention/sparse/sparse_tile.h"
#include "core/mask/mask_tile.h"

namespace lab::masks {
namespace {

using core::Pool, figure::Region;

// What the scores or the weights of the kept pairs are made from.
struct Pairs {
  std::shared_ptr<const Content> content;
  KeptMask mask;
  std::shared_ptr<const core::SparseAttention> weights;  // null: scores
  float scale = 1;

  float value(Index i, Index j) const {
    if (!mask->allowed(i, j)) return core::kMasked;
    const float score = scale * content->Q.row(i).dot(content->K.row(j));
    return weights ? std::exp(score - weights->row_max(0, i)) / weights->row_sum(0, i) : score;
  }

  // d multiply-adds for each kept pair, as if these were spread evenly.
  double cost(const Region& cells) const {
    const double share =
        to_double(mask->kept()) / (to_double(mask->rows()) * to_double(mask->cols()));
    return to_double(cells.rows) * to_double(cells.cols) * share * to_double(content->Q.cols());
  }

  Matrix tile(const Region& cells, int level, Pool pool, const core::Cancel& cancel) const {
    static const Matrix none;  // scores need no row's largest and sum
    core::TileRequest request;
    request.r0 = cells.row, request.r1 = cells.row + cells.rows;
    request.c0 = cells.col, request.c1 = cells.col + cells.cols;
    request.level = level;
    request.kind = weights ? core::TileKind::weight : core::TileKind::scaled;
    request.pooling = pool;
    core::AttentionOptions options;
    options.scale = scale;
    return core::sparse_tile(content->Q, content->K, *mask, options,
                             weights ? weights->row_max : none, weights ? weights->row_sum : none,
                             request, cancel);
  }
};

}  // namespace

std::shared_ptr<const TileSource> mask_source(const KeptMask& mask) {
  const Index n = mask->rows(), m = mask->cols();
  Cells cells{n, m};
  cells.value = [mask](Index row, Index col) {
    return mask->allowed(row, col) ? 1.f : core::kMasked;
  };
  cells.pooled = [mask, n, m](int level, const Region& region, Pool pool, float* out,
                              const core::Cancel& cancel) {
    const Region asked = Cells::under(level, region, n, m);
    const core::MaskTileRequest request{
        asked.row, asked.row + asked.rows, asked.col, asked.col + asked.cols, level, pool};
    Eigen::Map<Matrix>(out, region.rows, region.cols) =
        core::mask_tile(*mask, request, 1, cancel).unaryExpr([](float share) {
          return share > 0 ? share : core::kMasked;
        });
  };
  // About one step a run and a cell.
  const double runs =
      mask->memory_bytes() / sizeof(core::KeyRun) / to_double(std::max<Index>(1, n));
  cells.cost = [n, m, runs](int level, const Region& region) {
    return to_double(Cells::under(level, region, n, m).rows) * (runs + to_double(region.cols));
  };
  return cell_source(std::move(cells));
}

std::shared_ptr<const TileSource> pair_source(std::shared_ptr<const Content> content, KeptMask mask,
                                              std::shared_ptr<const core::SparseAttention> weights,
                                              double scale) {
  const Index n = mask->rows(), m = mask->cols();
  const Pairs pairs{std::move(content), std::move(mask), std::move(weights), to_float(scale)};
  Cells cells{n, m};
  cells.value = [pairs](Index row, Index col) { return pairs.value(row, col); };
  cells.pooled = [pairs, n, m](int level, const Region& region, Pool pool, float* out,
                               const core::Cancel& cancel) {
    const Region asked = Cells::under(level, region, n, m);
    Eigen::Map<Matrix>(out, region.rows, region.cols) = pairs.tile(asked, level, pool, cancel);
  };
  cells.cost = [pairs, n, m](int level, const Region& region) {
    return pairs.cost(Cells::under(level, region, n, m));
  };
  return cell_source(std::move(cells));
}

}  // namespace lab::masks
