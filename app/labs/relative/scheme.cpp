#include "app/labs/relative/scheme.h"
#include "app/labs/shared/parts.h"
#include "core/position/relative/transformer_xl.h"
#include "core/random.h"

namespace lab::relative {
namespace {

using Kind = Term::Kind;

LearnedSpec learned_spec(const SchemeKnobs& p) { return {p.seed, p.size, p.smooth}; }

std::shared_ptr<const MatrixD> shared(MatrixD matrix) {
  return std::make_shared<const MatrixD>(std::move(matrix));
}

void add_shaw(const SchemeKnobs& p, Index d, double scale, Scheme& scheme) {
  const Index k = p.clip;
  const auto table = [&](Learned which) {
    return shared(learned_sides(k, k, d, which, learned_spec(p)));
  };
  scheme.keys = table(Learned::shaw_key);
  if (p.values) scheme.values = table(Learned::shaw_value);
  scheme.row_of = [k](Index relative) { return clipped_row(relative, k); };
  scheme.terms.push_back(
      {TermId::shaw, Kind::query_rows, scale, scheme.keys, scheme.row_of, {}, {}});
  scheme.learned = to_double((2 * k + 1) * d * (p.values ? 2 : 1));
}

Sinusoids make_sinusoids(const SchemeKnobs& p, const Content& content) {
  Sinusoids s;
  const LearnedSpec spec = learned_spec(p);
  s.width = p.position_width();
  s.options = {.base = p.base, .layout = core::SinusoidalLayout::concatenated};
  const bool published = p.form == PositionForm::published;
  const Index n = content.n(), d = published ? content.d() : kModelWidth;
  s.u = learned_rows(1, d, Learned::bias_u, spec).row(0).transpose();
  s.v = learned_rows(1, d, Learned::bias_v, spec).row(0).transpose();
  if (published) {
    s.W = learned_matrix(s.width, content.d(), Learned::position_matrix, spec);
  } else {
    s.W = content.W_k;
    s.u = (content.W_q.transpose() * s.u).eval();
    s.v = (content.W_q.transpose() * s.v).eval();
  }
  // Rows of i - j from n - 1 down, which is j - i from -(n - 1) up.
  s.by_relative = shared(core::relative_sinusoids(n, -(n - 1), s.width, s.options) * s.W);
  return s;
}

void add_xl(const SchemeKnobs& p, const Content& content, double scale, Scheme& scheme) {
  scheme.sinusoids = make_sinusoids(p, content);
  const Sinusoids& s = *scheme.sinusoids;
  const Index last = content.n() - 1;
  const auto row = [last](Index relative) { return last + relative; };
  if (p.xl_position) {
    scheme.terms.push_back(
        {TermId::xl_position, Kind::query_rows, scale, s.by_relative, row, {}, {}});
  }
  if (p.xl_key) scheme.terms.push_back({TermId::xl_key, Kind::key_vector, scale, {}, {}, {}, s.u});
  if (p.xl_bias) {
    const auto along = std::make_shared<const VectorD>(*s.by_relative * s.v);
    const auto number = [along, last](Index relative) { return (*along)(last + relative); };
    scheme.terms.push_back(
        {TermId::xl_bias, Kind::relative, scale, s.by_relative, row, number, s.v});
  }
  scheme.learned = p.form == PositionForm::published
                       ? to_double(content.d()) * (to_double(s.width) + 2)
                       : 2.0 * kModelWidth;
}

// A straight fall from bucket to bucket on each side, and random numbers.
VectorD bucket_scalars(const SchemeKnobs& p) {
  const bool two_sides = p.t5_direction == T5Direction::bidirectional;
  const Index side = two_sides ? p.buckets / 2 : p.buckets;
  VectorD scalars(p.buckets);
  for (Index begin = 0; begin < p.buckets; begin += side) {
    const auto which = begin == 0 ? Learned::t5_before : Learned::t5_after;
    const VectorD noise = learned_rows(side, 1, which, learned_spec(p)).col(0);
    for (Index b = 0; b < side; ++b) scalars(begin + b) = noise(b) - p.t5_fall * to_double(b);
  }
  return scalars;
}

void add_t5(const SchemeKnobs& p, Scheme& scheme) {
  scheme.buckets.emplace(bucket_spec(p, p.t5_direction));
  scheme.scalars = bucket_scalars(p);
  scheme.learned += p.buckets;
  if (p.is(SchemeName::t5)) scheme.row_of = *scheme.buckets;
  const auto number = [buckets = *scheme.buckets, scalars = scheme.scalars](Index relative) {
    return scalars(buckets(relative));
  };
  scheme.terms.push_back({TermId::t5, Kind::relative, 1, {}, {}, number, {}});
}

void add_deberta(const SchemeKnobs& p, Index d, double scale, Scheme& scheme) {
  const Index k = p.span;
  // Row delta stands for query minus key delta - k, from -k to k - 1.
  scheme.keys = shared(learned_sides(k, k - 1, d, Learned::deberta_key, learned_spec(p)));
  scheme.queries = shared(learned_sides(k, k - 1, d, Learned::deberta_query, learned_spec(p)));
  scheme.row_of = [k](Index relative) { return deberta_row(-relative, k); };
  const auto row_from_key = [k](Index relative) { return deberta_row(relative, k); };
  if (p.content_to_position) {
    scheme.terms.push_back(
        {TermId::content_to_position, Kind::query_rows, scale, scheme.keys, scheme.row_of, {}, {}});
  }
  if (p.position_to_content) {
    scheme.terms.push_back(
        {TermId::position_to_content, Kind::key_rows, scale, scheme.queries, row_from_key, {}, {}});
  }
  // One table P for all heads, and what projects it in this one.
  const int projected = p.content_to_position + p.position_to_content;
  if (projected > 0) scheme.learned = to_double((2 * k + projected * d) * kModelWidth);
}

void add_alibi(const SchemeKnobs& p, Scheme& scheme) {
  scheme.slopes = core::alibi_slopes(p.heads, p.rule);
  scheme.slope = scheme.slopes(std::clamp(p.head, 1, p.heads) - 1);
  const auto number = [slope = scheme.slope, by_key = p.by_key()](Index at) {
    return slope * to_double(by_key ? at : -std::abs(at));
  };
  scheme.terms.push_back(
      {TermId::alibi, p.by_key() ? Kind::key_place : Kind::relative, 1, {}, {}, number, {}});
}

// Writes down what every pair of the sequence reads.
void prepare(const Content& content, bool sinusoids, Term& term) {
  const Index reach = content.n() - 1;
  if (term.kind == Kind::relative) {
    term.near = std::make_shared<const VectorD>(
        VectorD::NullaryExpr(2 * reach + 1, [&](Index k) { return term.number(k - reach); }));
  }
  const bool by_query = term.kind == Kind::query_rows;
  if ((!by_query && term.kind != Kind::key_rows) || sinusoids) return;
  std::vector<Index> rows;
  for (Index r = -reach; r <= reach; ++r) rows.push_back(term.row_of(r));
  term.near_rows = std::make_shared<const std::vector<Index>>(std::move(rows));
  term.products = shared((by_query ? content.Q : content.K) * term.rows->transpose());
}

core::Random stream(Learned which, int seed, int side) {
  const auto id = 8 * static_cast<std::uint64_t>(which) + static_cast<std::uint64_t>(side);
  return core::Random(core::stream_seed(static_cast<std::uint64_t>(seed), id));
}

// x(r) = rho x(r-1) + sqrt(1 - rho²) noise keeps the variance and correlates rows r apart by rho^r.
void walk(MatrixD& rows, core::Random random, double smooth) {
  const double rho = smooth > 0 ? std::exp(-1 / smooth) : 0;
  const double fresh = std::sqrt(1 - rho * rho);
  for (Index r = 1; r < rows.rows(); ++r) {
    for (Index c = 0; c < rows.cols(); ++c) {
      rows(r, c) = rho * rows(r - 1, c) + fresh * random.gaussian();
    }
  }
}

MatrixD started(Index count, Index d, Learned which, const LearnedSpec& spec, int side) {
  MatrixD rows(count, d);
  core::Random first = stream(which, spec.seed, 0);
  for (Index c = 0; c < d && count > 0; ++c) rows(0, c) = first.gaussian();
  walk(rows, stream(which, spec.seed, side), spec.smooth);
  return rows;
}

// Each cell picks its product with the table's row.
MatrixD picked(const Term& term, const Block& block, bool by_query) {
  const std::vector<Index>& rows = *term.near_rows;
  const auto reach = to_index(rows.size() / 2);
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

MatrixD Sinusoids::rows(const VectorD& relative) const {
  return core::sinusoidal_rows(-relative, width, options);
}

core::T5BucketSpec bucket_spec(const SchemeKnobs& p, T5Direction direction) {
  return {direction == T5Direction::bidirectional, p.buckets, p.max_distance};
}

VectorD urpe_factors(const SchemeKnobs& p, Index reach) {
  LearnedSpec spec = learned_spec(p);
  spec.size *= kUrpeNoise;
  const VectorD noise = learned_sides(reach, reach, 1, Learned::urpe, spec).col(0);
  return VectorD::NullaryExpr(2 * reach + 1, [&](Index k) {
    return std::exp(-p.urpe_fall * to_double(std::abs(k - reach))) * (1 + noise(k));
  });
}

Index deberta_row(Index query_minus_key, Index k) {
  return std::clamp<Index>(query_minus_key + k, 0, 2 * k - 1);
}

Index clipped_row(Index relative, Index k) { return std::clamp<Index>(relative, -k, k) + k; }

Scheme make_scheme(const SchemeKnobs& p, const Content& content) {
  const Index n = content.n(), d = content.d();
  const double scale = 1 / std::sqrt(to_double(p.is(SchemeName::deberta) ? 3 * d : d));
  const bool undivided = p.is(SchemeName::t5) && !p.folded;
  Scheme scheme;
  scheme.terms.push_back({TermId::content, Kind::content, undivided ? 1 : scale});
  if (p.is(SchemeName::shaw)) add_shaw(p, d, scale, scheme);
  if (p.is_xl()) add_xl(p, content, scale, scheme);
  if (p.is(SchemeName::deberta)) add_deberta(p, d, scale, scheme);
  if (p.uses_t5()) add_t5(p, scheme);
  if (p.uses_alibi()) add_alibi(p, scheme);
  if (p.is(SchemeName::urpe)) {
    scheme.after = std::make_shared<const VectorD>(urpe_factors(p, n - 1));
    scheme.learned += to_double(2 * n - 1);
  }
  for (Term& term : scheme.terms) prepare(content, scheme.sinusoids.has_value(), term);
  return scheme;
}

Content make_content(const std::shared_ptr<const Tokens>& tokens, int width, Projection projection,
                     int seed, const Run& /*run*/) {
  const MatrixD X = tokens->X.cast<double>();
  const auto drawn = [&](Stream stream) {
    return MatrixD(random_projection(kModelWidth, 1, width, seed, stream).cast<double>());
  };
  Content content;
  content.labels = tokens->labels;
  content.cut = tokens->cut;
  content.W_q = drawn(Stream::query);
  content.W_k = projection == Projection::tied ? content.W_q : drawn(Stream::key);
  content.Q = X * content.W_q;
  content.K = X * content.W_k;
  content.V = X * drawn(Stream::value);
  return content;
}

MatrixD learned_rows(Index count, Index d, Learned which, const LearnedSpec& spec) {
  return spec.size * started(count, d, which, spec, 1);
}

MatrixD learned_sides(Index before, Index after, Index d, Learned which, const LearnedSpec& spec) {
  MatrixD rows(before + 1 + after, d);
  rows.topRows(before + 1) = started(before + 1, d, which, spec, 2).colwise().reverse();
  rows.bottomRows(after + 1) = started(after + 1, d, which, spec, 1);
  return spec.size * rows;
}

MatrixD learned_matrix(Index rows, Index cols, Learned which, const LearnedSpec& spec) {
  core::Random random = stream(which, spec.seed, 0);
  const double deviation = spec.size / std::sqrt(to_double(rows));
  MatrixD matrix(rows, cols);
  for (Index k = 0; k < matrix.size(); ++k) matrix.data()[k] = deviation * random.gaussian();
  return matrix;
}

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
