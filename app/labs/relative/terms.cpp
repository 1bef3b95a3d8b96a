#include <algorithm>
#include <vector>

#include "app/labs/relative/scheme.h"

namespace lab::relative {
namespace {

// Products of a query with the table's rows that its keys read; each row is met once.
void query_rows(const VectorD& q, const Term& term, Index first, Index count, double* out) {
  const Index a = term.row_of(first), b = term.row_of(first + count - 1);
  const Index low = std::min(a, b), high = std::max(a, b);
  const VectorD products = term.rows->middleRows(low, high - low + 1) * q;
  for (Index k = 0; k < count; ++k) {
    out[k] = term.factor * products(term.row_of(first + k) - low);
  }
}

}  // namespace

void term_row(const Content& content, const Term& term, Index i, Index j0, Index count,
              double* out) {
  Eigen::Map<VectorD> row(out, count);
  switch (term.kind) {
    case Term::Kind::content:
      row.noalias() =
          term.factor * (content.K.middleRows(j0, count) * content.Q.row(i).transpose());
      return;
    case Term::Kind::query_rows:
      return query_rows(content.Q.row(i).transpose(), term, j0 - i, count, out);
    case Term::Kind::key_rows:
      for (Index k = 0; k < count; ++k) {
        out[k] = term.factor * content.K.row(j0 + k).dot(term.rows->row(term.row_of(j0 + k - i)));
      }
      return;
    case Term::Kind::key_vector:
      row.noalias() = term.factor * (content.K.middleRows(j0, count) * term.vector);
      return;
    case Term::Kind::relative:
      for (Index k = 0; k < count; ++k) out[k] = term.factor * term.number(j0 + k - i);
      return;
    case Term::Kind::key_place:
      for (Index k = 0; k < count; ++k) out[k] = term.factor * term.number(j0 + k);
      return;
  }
}

double term_value(const Content& content, const Term& term, Index i, Index j) {
  double value = 0;
  term_row(content, term, i, j, 1, &value);
  return value;
}

std::optional<Factors> term_factors(const Content& content, const Term& term, Index i, Index j) {
  using figure::Role;
  switch (term.kind) {
    case Term::Kind::content:
      return Factors{content.Q.row(i).transpose(), content.K.row(j).transpose(), Role::query,
                     Role::key};
    case Term::Kind::query_rows:
      return Factors{content.Q.row(i).transpose(), term.rows->row(term.row_of(j - i)).transpose(),
                     Role::query};
    case Term::Kind::key_rows:
      return Factors{term.rows->row(term.row_of(j - i)).transpose(), content.K.row(j).transpose(),
                     Role::text, Role::key};
    case Term::Kind::key_vector:
      return Factors{term.vector, content.K.row(j).transpose(), Role::text, Role::key};
    case Term::Kind::relative:
      // Term (d): v with the projected sinusoid; other numbers are no products.
      if (!term.rows) return std::nullopt;
      return Factors{term.vector, term.rows->row(content.n() - 1 + j - i).transpose()};
    case Term::Kind::key_place:
      break;
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
  const core::Matrix g = (s.W * X).cast<float>();  // (R W) x = R (W x)
  MatrixD curves(2 * reach + 1, X.cols());
  core::Matrix table;
  for (Index first = 0; first <= reach; first += kStretch) {
    cancel.poll();
    const Index count = std::min(kStretch, reach + 1 - first);
    core::sinusoidal_table_into(table, count, s.width, s.options, first);
    const core::Matrix sines = table.leftCols(half) * g.topRows(half);
    const core::Matrix cosines = table.rightCols(half) * g.bottomRows(half);
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
