#include "app/labs/relative/scheme.h"
#include "app/labs/shared/parts.h"
#include "core/position/learned/smooth_rows.h"
#include "core/position/relative/transformer_xl.h"
#include "core/random_matrix.h"

namespace lab::relative {
namespace {

// Learned numbers are drawn at random here. What each table says of a distance does not depend on
// how many rows there are.
enum class Learned : std::uint64_t {
  shaw_key = 101,
  shaw_value,
  position_matrix,
  bias_u,
  bias_v,
  t5_before,
  t5_after,
  deberta_key,
  deberta_query,
  urpe
};

core::SmoothRows learned(Learned which, const SchemeKnobs& p) {
  return {static_cast<std::uint64_t>(p.seed), static_cast<std::uint64_t>(which), p.size, p.smooth};
}

core::SharedRows learned_sides(Index before, Index after, Index d, Learned which,
                               const SchemeKnobs& p) {
  return std::make_shared<const MatrixD>(core::smooth_sides(before, after, d, learned(which, p)));
}

VectorD learned_vector(Index d, Learned which, const SchemeKnobs& p) {
  return core::smooth_rows(1, d, learned(which, p)).row(0).transpose();
}

void add_shaw(const SchemeKnobs& p, Index d, double scale, Scheme& scheme) {
  const Index k = p.clip;
  scheme.keys = learned_sides(k, k, d, Learned::shaw_key, p);
  if (p.values) scheme.values = learned_sides(k, k, d, Learned::shaw_value, p);
  scheme.terms.push_back(core::shaw_term(scheme.keys, scale));
  scheme.row_of = scheme.terms.back().row_of;
  scheme.learned = to_double((2 * k + 1) * d * (p.values ? 2 : 1));
}

Sinusoids make_sinusoids(const SchemeKnobs& p, const Content& content) {
  const bool published = p.form == PositionForm::published;
  const Index d = published ? content.d() : kModelWidth;
  Sinusoids s{.width = p.position_width(),
              .options = {.base = p.base, .layout = core::SinusoidalLayout::concatenated},
              .W = content.W_k,
              .u = learned_vector(d, Learned::bias_u, p),
              .v = learned_vector(d, Learned::bias_v, p)};
  if (!published) {
    s.u = (content.W_q.transpose() * s.u).eval();
    s.v = (content.W_q.transpose() * s.v).eval();
    return s;
  }
  core::Random random(core::stream_seed(static_cast<std::uint64_t>(p.seed),
                                        8 * static_cast<std::uint64_t>(Learned::position_matrix)));
  s.W = core::gaussian_matrix(s.width, d, p.size / std::sqrt(to_double(s.width)), random);
  return s;
}

void add_xl(const SchemeKnobs& p, const Content& content, double scale, Scheme& scheme) {
  scheme.sinusoids = make_sinusoids(p, content);
  const Sinusoids& s = *scheme.sinusoids;
  // Rows of i - j from n - 1 down, which is j - i from -(n - 1) up.
  const Index n = content.n();
  const auto positions =
      std::make_shared<const MatrixD>(core::relative_sinusoids(n, 1 - n, s.width, s.options) * s.W);
  if (p.xl_position) scheme.terms.push_back(core::xl_position_term(positions, scale));
  if (p.xl_key) scheme.terms.push_back(core::xl_key_term(s.u, scale));
  if (p.xl_bias) scheme.terms.push_back(core::xl_bias_term(positions, s.v, scale));
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
    const VectorD noise = core::smooth_rows(side, 1, learned(which, p)).col(0);
    for (Index b = 0; b < side; ++b) scalars(begin + b) = noise(b) - p.t5_fall * to_double(b);
  }
  return scalars;
}

void add_t5(const SchemeKnobs& p, Scheme& scheme) {
  scheme.buckets.emplace(bucket_spec(p, p.t5_direction));
  scheme.scalars = bucket_scalars(p);
  scheme.learned += p.buckets;
  if (p.is(SchemeName::t5)) scheme.row_of = *scheme.buckets;
  scheme.terms.push_back(core::t5_term(*scheme.buckets, scheme.scalars));
}

void add_deberta(const SchemeKnobs& p, Index d, double scale, Scheme& scheme) {
  const Index k = p.span;
  // Row delta stands for query minus key delta - k, from -k to k - 1.
  scheme.keys = learned_sides(k, k - 1, d, Learned::deberta_key, p);
  scheme.queries = learned_sides(k, k - 1, d, Learned::deberta_query, p);
  const Term to_position = core::content_to_position_term(scheme.keys, scale);
  scheme.row_of = to_position.row_of;
  if (p.content_to_position) scheme.terms.push_back(to_position);
  if (p.position_to_content) {
    scheme.terms.push_back(core::position_to_content_term(scheme.queries, scale));
  }
  // One table P for all heads, and what projects it in this one.
  const int projected = p.content_to_position + p.position_to_content;
  if (projected > 0) scheme.learned = to_double((2 * k + projected * d) * kModelWidth);
}

void add_alibi(const SchemeKnobs& p, Scheme& scheme) {
  scheme.slopes = core::alibi_slopes(p.heads, p.rule);
  scheme.slope = scheme.slopes(std::clamp(p.head, 1, p.heads) - 1);
  scheme.terms.push_back(core::alibi_term(scheme.slope, p.by_key()));
}

}  // namespace

MatrixD Sinusoids::rows(const VectorD& relative) const {
  return core::sinusoidal_rows(-relative, width, options);
}

core::T5BucketSpec bucket_spec(const SchemeKnobs& p, T5Direction direction) {
  return {direction == T5Direction::bidirectional, p.buckets, p.max_distance};
}

VectorD urpe_factors(const SchemeKnobs& p, Index reach) {
  core::SmoothRows how = learned(Learned::urpe, p);
  how.deviation *= 0.1;
  const VectorD noise = core::smooth_sides(reach, reach, 1, how).col(0);
  return VectorD::NullaryExpr(2 * reach + 1, [&](Index k) {
    return std::exp(-p.urpe_fall * to_double(std::abs(k - reach))) * (1 + noise(k));
  });
}

Scheme make_scheme(const std::shared_ptr<const Content>& content, const SchemeKnobs& p,
                   const Run& /*run*/) {
  const Index n = content->n(), d = content->d();
  const double scale = 1 / std::sqrt(to_double(p.is(SchemeName::deberta) ? 3 * d : d));
  const bool undivided = p.is(SchemeName::t5) && !p.folded;
  Scheme scheme;
  scheme.of = scheme.content = content;
  scheme.causal = p.causal();
  scheme.knobs = p;
  scheme.terms.push_back(core::content_term(undivided ? 1 : scale));
  if (p.is(SchemeName::shaw)) add_shaw(p, d, scale, scheme);
  if (p.is_xl()) add_xl(p, *content, scale, scheme);
  if (p.is(SchemeName::deberta)) add_deberta(p, d, scale, scheme);
  if (p.uses_t5()) add_t5(p, scheme);
  if (p.uses_alibi()) add_alibi(p, scheme);
  if (p.is(SchemeName::urpe)) {
    scheme.after = std::make_shared<const VectorD>(urpe_factors(p, n - 1));
    scheme.learned += to_double(2 * n - 1);
  }
  for (Term& term : scheme.terms) core::prepare(*content, term);
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

}  // namespace lab::relative
