#include "core/attention/streaming/tiled.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/refuse.h"

namespace core {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

void require_sizes(Index n, Index m, Index d) {
  if (n < 1 || m < 1 || d < 1) {
    refuse("traffic", "at least one query, one key and a width of 1",
           std::to_string(n) + ", " + std::to_string(m) + " and " + std::to_string(d));
  }
}

void require_form(const TileForm& form) {
  if (form.sizes.rows < 1 || form.sizes.cols < 1) {
    refuse("tiles", "sides of at least 1", shape_text(form.sizes.rows, form.sizes.cols));
  }
}

// Where tiles lie, and what moves with them.
struct Walk {
  Index n, m, d;
  TileForm form;

  Index row_blocks() const { return ceil_div(n, form.sizes.rows); }
  Index col_blocks() const { return ceil_div(m, form.sizes.cols); }
  TileStep tile(Index row_block, Index col_block) const {
    TileStep tile;
    tile.first_row = row_block * form.sizes.rows;
    tile.rows = std::min(form.sizes.rows, n - tile.first_row);
    tile.first_col = col_block * form.sizes.cols;
    tile.cols = std::min(form.sizes.cols, m - tile.first_col);
    return tile;
  }
  // The first key that query `row` does not see.
  Index end(Index row) const { return form.causal ? std::clamp<Index>(row + 1 + m - n, 0, m) : m; }
  bool has_pairs(const TileStep& tile) const {
    return tile.first_col < end(tile.first_row + tile.rows - 1);
  }

  // Calls of what moves and of the tiles, in the order of the algorithm.
  template <class Visit>
  Traffic visit(Visit on_tile) const {
    Traffic moved;
    if (form.order == TileOrder::keys_outside) {
      moved.written += n * d + 2 * n;  // O = 0, sums 0, maxima -inf
      for (Index j = 0; j < col_blocks(); ++j) {
        moved.read += 2 * tile(0, j).cols * d;
        for (Index i = 0; i < row_blocks(); ++i) {
          TileStep now = tile(i, j);
          if (!has_pairs(now)) continue;
          moved.read += now.rows * (2 * d + 2);  // Q, O, sum and maximum
          moved.written += now.rows * (d + 2);
          now.so_far = moved;
          on_tile(now);
        }
      }
      return moved;
    }
    for (Index i = 0; i < row_blocks(); ++i) {
      const Index rows = tile(i, 0).rows;
      moved.read += rows * d;
      for (Index j = 0; j < col_blocks(); ++j) {
        TileStep now = tile(i, j);
        if (!has_pairs(now)) continue;
        moved.read += 2 * now.cols * d;
        now.so_far = moved;
        on_tile(now);
      }
      moved.written += rows * (d + 1);  // O and the logarithm of the sum
    }
    return moved;
  }
};

// Rows' maxima, sums and unnormalised outputs between tiles.
struct Rows {
  VectorD max, sum;
  MatrixD accumulated;
};

void work(const Walk& walk, const MatrixD& Q, const MatrixD& K, const MatrixD& V, TileStep& tile,
          Rows& rows) {
  const double scale = 1 / std::sqrt(static_cast<double>(walk.d));
  MatrixD s = scale * Q.middleRows(tile.first_row, tile.rows) *
              K.middleRows(tile.first_col, tile.cols).transpose();
  tile.factor = VectorD::Zero(tile.rows);
  for (Index r = 0; r < tile.rows; ++r) {
    const Index i = tile.first_row + r;
    const Index seen = std::clamp<Index>(walk.end(i) - tile.first_col, 0, tile.cols);
    s.row(r).tail(tile.cols - seen).setConstant(kNothing);
    const double max = std::max(rows.max(i), s.row(r).maxCoeff());
    if (max == kNothing) {
      s.row(r).setZero();
      continue;
    }
    tile.factor(r) = std::exp(rows.max(i) - max);
    s.row(r) = (s.row(r).array() - max).exp();
    rows.max(i) = max;
    rows.sum(i) = rows.sum(i) * tile.factor(r) + s.row(r).sum();
  }
  auto out = rows.accumulated.middleRows(tile.first_row, tile.rows);
  out = tile.factor.asDiagonal() * out;
  out += s * V.middleRows(tile.first_col, tile.cols);
  tile.max = rows.max.segment(tile.first_row, tile.rows);
  tile.sum = rows.sum.segment(tile.first_row, tile.rows);
}

}  // namespace

TileSizes flash_tiles(Index memory, Index d) {
  if (memory < 1 || d < 1) {
    refuse("flash_tiles", "a memory and a width of at least 1",
           std::to_string(memory) + " and " + std::to_string(d));
  }
  const Index cols = ceil_div(memory, 4 * d);
  return {std::min(cols, d), cols};
}

Traffic plain_traffic(Index n, Index m, Index d) {
  require_sizes(n, m, d);
  return {n * d + 2 * m * d + 2 * n * m, 2 * n * m + n * d};
}

Traffic least_traffic(Index n, Index m, Index d) {
  require_sizes(n, m, d);
  return {n * d + 2 * m * d, n * d};
}

Traffic tiled_traffic(Index n, Index m, Index d, const TileForm& form) {
  require_sizes(n, m, d);
  require_form(form);
  if (form.causal) return Walk{n, m, d, form}.visit([](const TileStep&) {});
  const Index rows = ceil_div(n, form.sizes.rows), cols = ceil_div(m, form.sizes.cols);
  if (form.order == TileOrder::keys_outside) {
    return {2 * m * d + cols * n * (2 * d + 2), (cols + 1) * n * (d + 2)};
  }
  return {n * d + rows * 2 * m * d, n * (d + 1)};
}

TiledAttention tiled_attention(const MatrixD& Q, const MatrixD& K, const MatrixD& V,
                               const TileForm& form, const Cancel& cancel) {
  require_sizes(Q.rows(), K.rows(), Q.cols());
  require_form(form);
  if (K.cols() != Q.cols() || V.cols() != Q.cols() || V.rows() != K.rows()) {
    refuse("tiled_attention", "keys and values as wide as the queries",
           shape_text(K) + " and " + shape_text(V));
  }
  const Walk walk{Q.rows(), K.rows(), Q.cols(), form};
  Rows rows{VectorD::Constant(walk.n, kNothing), VectorD::Zero(walk.n),
            MatrixD::Zero(walk.n, walk.d)};
  TiledAttention done;
  done.traffic = walk.visit([&](TileStep& tile) {
    cancel.poll();
    work(walk, Q, K, V, tile, rows);
    done.steps.push_back(tile);
  });
  done.output = rows.accumulated;
  for (Index i = 0; i < walk.n; ++i) {
    if (rows.sum(i) > 0) done.output.row(i) /= rows.sum(i);
  }
  return done;
}

}  // namespace core
