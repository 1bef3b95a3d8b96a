#include "app/labs/relative/scheme.h"

#include "app/labs/shared/parts.h"
#include "core/position/transformer_xl.h"

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
  if (p.xl_key) {
    scheme.terms.push_back({TermId::xl_key, Kind::key_vector, scale, {}, {}, {}, s.u});
  }
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

}  // namespace lab::relative
