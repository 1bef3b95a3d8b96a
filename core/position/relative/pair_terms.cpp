#include "core/position/relative/pair_terms.h"

#include <cstdlib>
#include <utility>

#include "core/position/checks.h"
#include "core/position/relative/deberta.h"

namespace core {
namespace {

using Id = PairTerm::Id;
using Kind = PairTerm::Kind;

// Each cell picks the product with the table's row of its distance.
MatrixD picked(const PairTerm& term, const Block& block) {
  const bool by_query = term.kind == Kind::query_rows;
  const auto reach = static_cast<Index>(term.near_rows->size() / 2);
  MatrixD cells(block.rows, block.cols);
  for (Index a = 0; a < block.rows; ++a) {
    const Index i = block.i0 + a;
    const Index* row = term.near_rows->data() + (reach + block.j0 - i);
    for (Index b = 0; b < block.cols; ++b) {
      cells(a, b) = (*term.products)(by_query ? i : block.j0 + b, row[b]);
    }
  }
  return cells;
}

// Products of queries with the rows of all distances in the block, each row shifted into place.
MatrixD shifted(const QueryKeys& of, const PairTerm& term, const Block& block) {
  const Index first = term.row_of(block.j0 - (block.i0 + block.rows - 1));
  const MatrixD products = of.Q.middleRows(block.i0, block.rows) *
                           term.rows->middleRows(first, block.rows + block.cols - 1).transpose();
  MatrixD cells(block.rows, block.cols);
  for (Index a = 0; a < block.rows; ++a) {
    cells.row(a) = products.row(a).segment(block.rows - 1 - a, block.cols);
  }
  return cells;
}

MatrixD along_diagonals(const VectorD& near, const Block& block) {
  MatrixD cells(block.rows, block.cols);
  for (Index a = 0; a < block.rows; ++a) {
    const Index first = near.size() / 2 + block.j0 - (block.i0 + a);
    cells.row(a) = near.segment(first, block.cols).transpose();
  }
  return cells;
}

MatrixD undivided(const QueryKeys& of, const PairTerm& term, const Block& block) {
  const auto K = of.K.middleRows(block.j0, block.cols);
  switch (term.kind) {
    case Kind::content: return of.Q.middleRows(block.i0, block.rows) * K.transpose();
    case Kind::query_rows: return term.row_each ? shifted(of, term, block) : picked(term, block);
    case Kind::key_rows: return picked(term, block);
    case Kind::key_vector: return (K * term.vector).transpose().replicate(block.rows, 1);
    case Kind::relative: return along_diagonals(*term.near, block);
    case Kind::key_place: break;
  }
  return MatrixD::NullaryExpr(block.rows, block.cols,
                              [&](Index, Index b) { return term.number(block.j0 + b); });
}

// The row of r in a table with a row for each r from -(n - 1) to n - 1.
std::function<Index(Index)> row_of_each(const SharedRows& rows) {
  return [last = rows->rows() / 2](Index relative) { return last + relative; };
}

}  // namespace

PairTerm content_term(double factor) { return {.factor = factor}; }

PairTerm shaw_term(SharedRows table, double factor) {
  const Index k = table->rows() / 2;
  return {.id = Id::shaw,
          .kind = Kind::query_rows,
          .factor = factor,
          .rows = std::move(table),
          .row_of = [k](Index relative) { return clipped_row(relative, k); }};
}

PairTerm xl_position_term(const SharedRows& positions, double factor) {
  return {.id = Id::xl_position,
          .kind = Kind::query_rows,
          .factor = factor,
          .rows = positions,
          .row_of = row_of_each(positions),
          .row_each = true};
}

PairTerm xl_key_term(VectorD u, double factor) {
  return {.id = Id::xl_key, .kind = Kind::key_vector, .factor = factor, .vector = std::move(u)};
}

PairTerm xl_bias_term(const SharedRows& positions, const VectorD& v, double factor) {
  const auto along = std::make_shared<const VectorD>(*positions * v);
  const auto number = [along](Index relative) { return (*along)(along->size() / 2 + relative); };
  return {.id = Id::xl_bias,
          .kind = Kind::relative,
          .factor = factor,
          .rows = positions,
          .row_of = row_of_each(positions),
          .number = number,
          .vector = std::move(v),
          .row_each = true};
}

PairTerm content_to_position_term(SharedRows keys, double factor) {
  const Index k = keys->rows() / 2;
  return {.id = Id::content_to_position,
          .kind = Kind::query_rows,
          .factor = factor,
          .rows = std::move(keys),
          .row_of = [k](Index relative) { return deberta_row(-relative, k); }};
}

PairTerm position_to_content_term(SharedRows queries, double factor) {
  const Index k = queries->rows() / 2;
  return {.id = Id::position_to_content,
          .kind = Kind::key_rows,
          .factor = factor,
          .rows = std::move(queries),
          .row_of = [k](Index relative) { return deberta_row(relative, k); }};
}

PairTerm t5_term(T5Buckets buckets, VectorD scalars) {
  position::require_shape("t5_term", "scalars", scalars, buckets.spec().buckets, 1);
  return {.id = Id::t5,
          .kind = Kind::relative,
          .number = [buckets = std::move(buckets), scalars = std::move(scalars)](Index relative) {
            return scalars(buckets(relative));
          }};
}

PairTerm alibi_term(double slope, bool key_only) {
  return {.id = Id::alibi,
          .kind = key_only ? Kind::key_place : Kind::relative,
          .number = [slope, key_only](Index at) {
            return slope * static_cast<double>(key_only ? at : -std::abs(at));
          }};
}

void prepare(const QueryKeys& of, PairTerm& term) {
  const Index reach = of.n() - 1;
  if (term.kind == Kind::relative) {
    term.near = std::make_shared<const VectorD>(
        VectorD::NullaryExpr(2 * reach + 1, [&](Index k) { return term.number(k - reach); }));
  }
  if (!term.rows) return;
  if (term.row_each) {
    position::require_shape("prepare", "a row for each distance", *term.rows, 2 * reach + 1,
                            of.d());
    return;
  }
  position::require_shape("prepare", "a table", *term.rows, term.rows->rows(), of.d());
  std::vector<Index> rows;
  for (Index r = -reach; r <= reach; ++r) rows.push_back(term.row_of(r));
  term.near_rows = std::make_shared<const std::vector<Index>>(std::move(rows));
  term.products = std::make_shared<const MatrixD>((term.kind == Kind::query_rows ? of.Q : of.K) *
                                                  term.rows->transpose());
}

MatrixD term_block(const QueryKeys& of, const PairTerm& term, const Block& block) {
  return term.factor * undivided(of, term, block);
}

double term_value(const QueryKeys& of, const PairTerm& term, Index i, Index j) {
  return term_block(of, term, {i, 1, j, 1})(0, 0);
}

TermVectors term_vectors(const QueryKeys& of, const PairTerm& term, Index i, Index j) {
  const VectorD q = of.Q.row(i).transpose(), k = of.K.row(j).transpose();
  VectorD row;
  if (term.rows) row = term.rows->row(term.row_of(j - i)).transpose();
  switch (term.id) {
    case Id::content: return {"q", "k", q, k};
    case Id::shaw: return {"q", "a", q, row};
    case Id::xl_position: return {"q", "r", q, row};
    case Id::xl_key: return {"u", "k", term.vector, k};
    case Id::xl_bias: return {"v", "r", term.vector, row};
    case Id::content_to_position: return {"q", "k_δ", q, row};
    case Id::position_to_content: return {"q_δ", "k", row, k};
    case Id::t5:
    case Id::alibi: break;
  }
  return {};
}

VectorD term_curve(const QueryKeys& of, const PairTerm& term, Index i, Index j, Index reach) {
  const Index count = 2 * reach + 1;
  if (term.kind == Kind::relative) {
    return VectorD::NullaryExpr(count,
                                [&](Index r) { return term.factor * term.number(r - reach); });
  }
  const VectorD x =
      term.kind == Kind::query_rows ? of.Q.row(i).transpose() : of.K.row(j).transpose();
  const VectorD products = *term.rows * x;
  return VectorD::NullaryExpr(
      count, [&](Index r) { return term.factor * products(term.row_of(r - reach)); });
}

}  // namespace core
