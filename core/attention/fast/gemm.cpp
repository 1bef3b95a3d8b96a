#include "core/attention/fast/gemm.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

using kernels::Table;

// Depth of B used at a time: a packed piece of it stays in the second cache, from where it comes as
// fast as it is used, and every number of C is read and written once for that depth.
constexpr Index kDepth = 256;
// Rows of A that stay in the second cache while all of B passes by.
constexpr Index kRows = 540;
constexpr Index kFewestPieceRows = 96;

Index depth_of(const Product& p) {
  return p.packed ? p.packed->rows() : p.panels ? p.panels->rows() : p.b->rows();
}

Index cols_of(const Product& p) {
  return p.packed ? p.packed->cols() : p.panels ? p.panels->cols() : p.b->cols();
}

void check(const Product& product, const Table& table) {
  const Index depth = depth_of(product), cols = cols_of(product);
  if (product.a->cols() != depth) {
    throw InputError("multiply: expected as many columns on the left as rows on the right, got " +
                     shape_text(*product.a) + " and " + shape_text(depth, cols));
  }
  if (product.packed && product.packed->table() != &table) {
    refuse("multiply", "a matrix packed for the kernels that multiply", "one for others");
  }
  if (product.bias && product.bias->size() != cols) {
    throw InputError("multiply: expected a bias of " + std::to_string(cols) + " numbers, got " +
                     std::to_string(product.bias->size()));
  }
}

// Some rows of one product times one panel of B.
struct Piece {
  const Product* product;
  Index row, rows, col, cols;
};

void cut(const Product& product, Index rows_each, Index width, std::vector<Piece>& pieces) {
  const Index rows = product.c->rows(), cols = product.c->cols();
  for (Index row = 0; row < rows; row += rows_each) {
    for (Index col = 0; col < cols; col += width) {
      pieces.push_back(
          {&product, row, std::min(rows_each, rows - row), col, std::min(width, cols - col)});
    }
  }
}

std::vector<Piece> cut(std::span<const Product> products, Index width, int threads) {
  std::vector<Piece> pieces;
  for (Index rows = kRows;; rows /= 2) {
    pieces.clear();
    for (const Product& product : products) cut(product, rows, width, pieces);
    const bool enough = static_cast<int>(pieces.size()) >= 4 * threads || threads == 1;
    if (enough || rows / 2 < kFewestPieceRows) return pieces;
  }
}

// The rows [row, row + depth) of B's columns as a panel: in `panel`, unless they lie packed
// already.
const float* panel_of(const Product& product, const Table& table, Index row, Index depth,
                      const Piece& piece, float* panel, FloatBuffer& room) {
  if (product.packed) return product.packed->panel(row, piece.col);
  if (product.panels) {
    product.panels->pack(table, row, depth, piece.col, piece.cols, panel, room);
  } else {
    const Index cols = product.b->cols();
    table.pack_columns(product.b->data() + row * cols + piece.col, cols, depth, piece.cols, panel);
  }
  return panel;
}

// The kernel writes whole vectors, so a narrow piece goes through `edge` (rows x width).
void compute(const Piece& piece, const Table& table, float* panel, float* edge, FloatBuffer& room) {
  const Product& product = *piece.product;
  Matrix& c = *product.c;
  const bool narrow = piece.cols < table.width;
  float* to = narrow ? edge : c.data() + piece.row * c.cols() + piece.col;
  const Index stride = narrow ? table.width : c.cols();
  const Index depth = product.a->cols();
  // Without a bias the first sums are written, not added.
  const bool begun = product.bias || depth == 0;
  for (Index i = 0; begun && i < piece.rows; ++i) {
    float* row = to + i * stride;
    for (Index j = 0; j < piece.cols; ++j)
      row[j] = product.bias ? (*product.bias)[piece.col + j] : 0;
  }
  for (Index k = 0; k < depth; k += kDepth) {
    const Index now = std::min(kDepth, depth - k);
    const float* b = panel_of(product, table, k, now, piece, panel, room);
    table.multiply(product.a->data() + piece.row * depth + k, depth, piece.rows, b, piece.cols, now,
                   to, stride, begun || k > 0);
  }
  if (!narrow) return;
  for (Index i = 0; i < piece.rows; ++i) {
    std::copy_n(edge + i * stride, piece.cols, c.data() + (piece.row + i) * c.cols() + piece.col);
  }
}

}  // namespace

PackedMatrix::PackedMatrix(const Matrix& b, int threads, Isa isa)
    : table_(&kernels_for(isa)), rows_(b.rows()), cols_(b.cols()) {
  const Index width = table_->width, panels = (cols_ + width - 1) / width;
  float* to = panels_.reserve(panels * width * rows_);
  parallel_for(rows_ == 0 ? 0 : panels, thread_count(threads), [&](Index p, int) {
    const Index col = p * width;
    table_->pack_columns(b.data() + col, cols_, rows_, std::min(width, cols_ - col),
                         to + col * rows_);
  });
}

void multiply_into(std::span<const Product> products, int threads, const Cancel& cancel, Isa isa) {
  const Table& table = kernels_for(isa);
  const int workers = thread_count(threads);
  for (const Product& product : products) check(product, table);
  for (const Product& product : products) product.c->resize(product.a->rows(), cols_of(product));
  const std::vector<Piece> pieces = cut(products, table.width, workers);
  std::vector<FloatBuffer> scratch(static_cast<std::size_t>(workers)), rooms(scratch.size());
  parallel_for(static_cast<Index>(pieces.size()), workers, [&](Index i, int worker) {
    cancel.poll();
    float* panel =
        scratch[static_cast<std::size_t>(worker)].reserve((kDepth + kRows) * table.width);
    compute(pieces[static_cast<std::size_t>(i)], table, panel, panel + kDepth * table.width,
            rooms[static_cast<std::size_t>(worker)]);
  });
}

Matrix multiply(const Matrix& a, const Matrix& b, const Vector* bias, int threads) {
  Matrix c;
  const Product product{&a, &b, bias, &c};
  multiply_into({&product, 1}, threads);
  return c;
}

}  // namespace core
