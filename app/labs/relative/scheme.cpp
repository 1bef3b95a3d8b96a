#include "app/labs/relative/scheme.h"

#include <algorithm>
#include <cmath>

#include "app/labs/relative/learned.h"
#include "core/position/alibi.h"
#include "core/position/transformer_xl.h"

namespace lab::relative {
namespace {

LearnedSpec learned_spec(const Parameters& p) { return {p.seed, p.size, p.smooth}; }

std::shared_ptr<const MatrixD> shared(MatrixD matrix) {
  return std::make_shared<const MatrixD>(std::move(matrix));
}

void add_shaw(const Parameters& p, double scale, Scheme& scheme) {
  const Index k = p.clip, d = p.width;
  scheme.keys = shared(learned_sides(k, k, d, Learned::shaw_key, learned_spec(p)));
  if (p.values)
    scheme.values = shared(learned_sides(k, k, d, Learned::shaw_value, learned_spec(p)));
  scheme.row_of = [k](Index relative) { return clipped_row(relative, k); };
  Term term{TermId::shaw, Term::Kind::query_rows, scale};
  term.rows = scheme.keys;
  term.row_of = scheme.row_of;
  scheme.terms.push_back(std::move(term));
  scheme.learned = static_cast<double>((2 * k + 1) * d * (p.values ? 2 : 1));
}

Sinusoids make_sinusoids(const Parameters& p, const Content& content) {
  Sinusoids s;
  LearnedSpec spec = learned_spec(p);
  s.width = sinusoid_width(p);
  s.options = {.base = p.base, .layout = core::SinusoidalLayout::concatenated};
  const bool published = p.form == PositionForm::published;
  const Index d = published ? content.d() : kModelWidth;
  s.u = learned_rows(1, d, Learned::bias_u, spec).row(0).transpose();
  s.v = learned_rows(1, d, Learned::bias_v, spec).row(0).transpose();
  if (published) {
    s.W = learned_matrix(s.width, content.d(), Learned::position_matrix, spec);
  } else {
    s.W = content.W_k;
    s.u = (content.W_q.transpose() * s.u).eval();
    s.v = (content.W_q.transpose() * s.v).eval();
  }
  const Index n = content.n();
  if (n == 0) return s;
  // Rows of i - j from n - 1 down, which is j - i from -(n - 1) up.
  s.by_relative = shared(core::relative_sinusoids(n, -(n - 1), s.width, s.options) * s.W);
  return s;
}

void add_xl(const Parameters& p, const Content& content, double scale, Scheme& scheme) {
  scheme.sinusoids = make_sinusoids(p, content);
  const Sinusoids& s = *scheme.sinusoids;
  const Index last = content.n() - 1;
  if (p.xl_position) {
    Term b{TermId::xl_position, Term::Kind::query_rows, scale};
    b.rows = s.by_relative;
    b.row_of = [last](Index relative) { return last + relative; };
    scheme.terms.push_back(std::move(b));
  }
  if (p.xl_key) {
    Term c{TermId::xl_key, Term::Kind::key_vector, scale};
    c.vector = s.u;
    scheme.terms.push_back(std::move(c));
  }
  if (p.xl_bias) {
    Term d{TermId::xl_bias, Term::Kind::relative, scale};
    const auto along = std::make_shared<const VectorD>(
        content.n() > 0 ? VectorD(*s.by_relative * s.v) : VectorD());
    d.number = [along, last](Index relative) {
      return along->size() > 0 ? (*along)(last + relative) : 0;
    };
    d.rows = s.by_relative;
    d.vector = s.v;
    scheme.terms.push_back(std::move(d));
  }
  const double d_k = static_cast<double>(content.d());
  scheme.learned = p.form == PositionForm::published ? d_k * (static_cast<double>(s.width) + 2)
                                                     : 2.0 * kModelWidth;
}

// A straight fall from bucket to bucket on each side, and random numbers.
VectorD bucket_scalars(const Parameters& p) {
  const bool two_sides = p.t5_direction == T5Direction::bidirectional;
  const Index side = two_sides ? p.buckets / 2 : p.buckets;
  VectorD scalars(p.buckets);
  for (Index begin = 0; begin < p.buckets; begin += side) {
    const auto which = begin == 0 ? Learned::t5_before : Learned::t5_after;
    const VectorD noise = learned_rows(side, 1, which, learned_spec(p)).col(0);
    for (Index b = 0; b < side; ++b) {
      scalars(begin + b) = noise(b) - p.t5_fall * static_cast<double>(b);
    }
  }
  return scalars;
}

void add_t5(const Parameters& p, Scheme& scheme) {
  scheme.buckets.emplace(bucket_spec(p, p.t5_direction == T5Direction::bidirectional));
  scheme.scalars = bucket_scalars(p);
  scheme.learned += static_cast<double>(p.buckets);
  Term term{TermId::t5, Term::Kind::relative, 1};
  term.number = [buckets = *scheme.buckets, scalars = scheme.scalars](Index relative) {
    return scalars(buckets(relative));
  };
  if (p.scheme == SchemeName::t5) scheme.row_of = *scheme.buckets;
  scheme.terms.push_back(std::move(term));
}

void add_deberta(const Parameters& p, double scale, Scheme& scheme) {
  const Index k = p.span, d = p.width;
  // Row delta stands for query minus key delta - k, from -k to k - 1.
  scheme.keys = shared(learned_sides(k, k - 1, d, Learned::deberta_key, learned_spec(p)));
  scheme.queries = shared(learned_sides(k, k - 1, d, Learned::deberta_query, learned_spec(p)));
  scheme.row_of = [k](Index relative) { return deberta_row(-relative, k); };
  if (p.content_to_position) {
    Term term{TermId::content_to_position, Term::Kind::query_rows, scale};
    term.rows = scheme.keys;
    term.row_of = scheme.row_of;
    scheme.terms.push_back(std::move(term));
  }
  if (p.position_to_content) {
    Term term{TermId::position_to_content, Term::Kind::key_rows, scale};
    term.rows = scheme.queries;
    term.row_of = [k](Index relative) { return deberta_row(relative, k); };
    scheme.terms.push_back(std::move(term));
  }
  scheme.learned = static_cast<double>(2 * 2 * k * d);
}

void add_alibi(const Parameters& p, Scheme& scheme) {
  scheme.slopes = core::alibi_slopes(p.heads, p.rule);
  scheme.slope = scheme.slopes(std::clamp(p.head, 1, p.heads) - 1);
  const bool by_key = p.alibi_bias == AlibiBias::key_only;
  Term term{TermId::alibi, by_key ? Term::Kind::key_place : Term::Kind::relative, 1};
  const double slope = scheme.slope;
  term.number = [slope, by_key](Index at) {
    return slope * static_cast<double>(by_key ? at : -std::abs(at));
  };
  scheme.terms.push_back(std::move(term));
}

void add_urpe(const Parameters& p, Index n, Scheme& scheme) {
  const Index reach = std::max<Index>(n, 1) - 1;
  scheme.after = std::make_shared<const VectorD>(urpe_factors(p, reach));
  scheme.learned += static_cast<double>(2 * reach + 1);
}

// Writes down what every pair of the sequence reads.
void prepare(const Content& content, bool sinusoids, Term& term) {
  const Index reach = std::max<Index>(content.n(), 1) - 1;
  if (term.kind == Term::Kind::relative) {
    term.near = std::make_shared<const VectorD>(
        VectorD::NullaryExpr(2 * reach + 1, [&](Index k) { return term.number(k - reach); }));
  }
  const bool by_query = term.kind == Term::Kind::query_rows;
  if ((!by_query && term.kind != Term::Kind::key_rows) || sinusoids || content.n() == 0) return;
  std::vector<Index> rows;
  for (Index r = -reach; r <= reach; ++r) rows.push_back(term.row_of(r));
  term.near_rows = std::make_shared<const std::vector<Index>>(std::move(rows));
  term.products = shared((by_query ? content.Q : content.K) * term.rows->transpose());
}

}  // namespace

MatrixD Sinusoids::rows(const VectorD& relative) const {
  return core::sinusoidal_rows(-relative, width, options);
}

core::T5BucketSpec bucket_spec(const Parameters& p, bool bidirectional) {
  return {bidirectional, p.buckets, p.max_distance};
}

VectorD urpe_factors(const Parameters& p, Index reach) {
  LearnedSpec spec = learned_spec(p);
  spec.size *= kUrpeNoise;
  const VectorD noise = learned_sides(reach, reach, 1, Learned::urpe, spec).col(0);
  return VectorD::NullaryExpr(2 * reach + 1, [&](Index k) {
    return std::exp(-p.urpe_fall * static_cast<double>(std::abs(k - reach))) * (1 + noise(k));
  });
}

Index deberta_row(Index query_minus_key, Index k) {
  return std::clamp<Index>(query_minus_key + k, 0, 2 * k - 1);
}

Index clipped_row(Index relative, Index k) { return std::clamp<Index>(relative, -k, k) + k; }

Scheme make_scheme(const Parameters& p, const Content& content) {
  const double d = static_cast<double>(p.width);
  const double scale = 1 / std::sqrt(p.scheme == SchemeName::deberta ? 3 * d : d);
  Scheme scheme;
  const bool undivided = p.scheme == SchemeName::t5 && !p.folded;
  scheme.terms.push_back({TermId::content, Term::Kind::content, undivided ? 1 : scale});
  if (p.scheme == SchemeName::shaw) add_shaw(p, scale, scheme);
  if (is_xl(p)) add_xl(p, content, scale, scheme);
  if (p.scheme == SchemeName::deberta) add_deberta(p, scale, scheme);
  if (uses_t5(p)) add_t5(p, scheme);
  if (uses_alibi(p)) add_alibi(p, scheme);
  if (p.scheme == SchemeName::urpe) add_urpe(p, content.n(), scheme);
  for (Term& term : scheme.terms) prepare(content, scheme.sinusoids.has_value(), term);
  return scheme;
}

}  // namespace lab::relative
