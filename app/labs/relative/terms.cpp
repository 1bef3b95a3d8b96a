#include "app/labs/relative/scheme.h"

namespace lab::relative {
namespace {

// Each cell picks its product with the table's row.
MatrixD picked(const Term& term, const Block& block, bool by_query) {
  const std::vector<Index>& rows = *term.near_rows;
  const auto reach = static_cast<Index>(rows.size() / 2);
  MatrixD cells(block.rows, block.cols);
  for (Index a = 0; a < block.rows; ++a) {
    const Index i = block.i0 + a;
    const Index* row = rows.data() + (reach + block.j0 - i);
    for (Index b = 0; b < block.cols; ++b) {
      cells(a, b) = (*term.products)(by_query ? i : block.j0 + b, row[b]);
    }
  }
  return cells;
}

// Queries with the rows of all distances that the block spans, and each row shifted into place.
MatrixD shifted(const Content& content, const Term& term, const Block& block) {
  const Index first = term.row_of(block.j0 - (block.i0 + block.rows - 1));
  const MatrixD products = content.Q.middleRows(block.i0, block.rows) *
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

MatrixD undivided(const Content& content, const Term& term, const Block& block) {
  const auto K = content.K.middleRows(block.j0, block.cols);
  switch (term.kind) {
    case Term::Kind::content: return content.Q.middleRows(block.i0, block.rows) * K.transpose();
    case Term::Kind::query_rows:
      return term.products ? picked(term, block, true) : shifted(content, term, block);
    case Term::Kind::key_rows: return picked(term, block, false);
    case Term::Kind::key_vector: return (K * term.vector).transpose().replicate(block.rows, 1);
    case Term::Kind::relative: return along_diagonals(*term.near, block);
    case Term::Kind::key_place: break;
  }
  return MatrixD::NullaryExpr(block.rows, block.cols,
                              [&](Index, Index b) { return term.number(block.j0 + b); });
}

}  // namespace

MatrixD term_block(const Content& content, const Term& term, const Block& block) {
  return term.factor * undivided(content, term, block);
}

double term_value(const Content& content, const Term& term, Index i, Index j) {
  return term_block(content, term, {i, 1, j, 1})(0, 0);
}

std::optional<Factors> term_factors(const Content& content, const Term& term, Index i, Index j) {
  const VectorD q = content.Q.row(i).transpose(), k = content.K.row(j).transpose();
  const auto row = [&] { return VectorD(term.rows->row(term.row_of(j - i)).transpose()); };
  switch (term.id) {
    case TermId::content: return Factors{"q", "k", q, k};
    case TermId::shaw: return Factors{"q", "a", q, row()};
    case TermId::xl_position: return Factors{"q", "r", q, row()};
    case TermId::xl_key: return Factors{"u", "k", term.vector, k};
    case TermId::xl_bias: return Factors{"v", "r", term.vector, row()};
    case TermId::content_to_position: return Factors{"q", "k_δ", q, row()};
    case TermId::position_to_content: return Factors{"q_δ", "k", row(), k};
    case TermId::t5:
    case TermId::alibi: break;
  }
  return std::nullopt;
}

bool depends_on_distance(const Term& term) {
  return term.kind == Term::Kind::query_rows || term.kind == Term::Kind::key_rows ||
         term.kind == Term::Kind::relative;
}

MatrixD sinusoid_curves(const Sinusoids& s, const MatrixD& X, Index reach,
                        const core::Cancel& cancel) {
  constexpr Index kStretch = 4096;
  const Index half = s.width / 2;
  const Matrix g = (s.W * X).cast<float>();  // (R W) x = R (W x)
  MatrixD curves(2 * reach + 1, X.cols());
  Matrix table;
  for (Index first = 0; first <= reach; first += kStretch) {
    cancel.poll();
    const Index count = std::min(kStretch, reach + 1 - first);
    core::sinusoidal_table_into(table, count, s.width, s.options, first);
    const Matrix sines = table.leftCols(half) * g.topRows(half);
    const Matrix cosines = table.rightCols(half) * g.bottomRows(half);
    for (Index t = 0; t < count; ++t) {
      // A key t before the query has i - j = t; one t ahead has the sines turned over.
      curves.row(reach - first - t) = (sines.row(t) + cosines.row(t)).cast<double>();
      curves.row(reach + first + t) = (cosines.row(t) - sines.row(t)).cast<double>();
    }
  }
  return curves;
}

VectorD term_curve(const Content& content, const Term& term, Index i, Index j, Index reach) {
  const Index count = 2 * reach + 1;
  if (term.kind == Term::Kind::relative) {
    return VectorD::NullaryExpr(count,
                                [&](Index r) { return term.factor * term.number(r - reach); });
  }
  const VectorD x = term.kind == Term::Kind::query_rows ? content.Q.row(i).transpose()
                                                        : content.K.row(j).transpose();
  const VectorD products = *term.rows * x;
  return VectorD::NullaryExpr(
      count, [&](Index r) { return term.factor * products(term.row_of(r - reach)); });
}

}  // namespace lab::relative
