#include "app/labs/relative/scores.h"
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

core::SmoothRows learned(Learned which, const ScoreKnobs& p) {
  return {static_cast<std::uint64_t>(p.seed), static_cast<std::uint64_t>(which), p.size, p.smooth};
}

core::SharedRows learned_sides(Index before, Index after, Index d, Learned which,
                               const ScoreKnobs& p) {
  return std::make_shared<const MatrixD>(core::smooth_sides(before, after, d, learned(which, p)));
}

VectorD learned_vector(Index d, Learned which, const ScoreKnobs& p) {
  return core::smooth_rows(1, d, learned(which, p)).row(0).transpose();
}

void add_shaw(const ScoreKnobs& p, Index d, double scale, RelativeScores& scores) {
  const Index k = p.clip;
  scores.keys = learned_sides(k, k, d, Learned::shaw_key, p);
  if (p.values) scores.values = learned_sides(k, k, d, Learned::shaw_value, p);
  scores.terms.push_back(core::shaw_term(scores.keys, scale));
  scores.row_of = scores.terms.back().row_of;
  scores.learned = to_double((2 * k + 1) * d * (p.values ? 2 : 1));
}

Sinusoids make_sinusoids(const ScoreKnobs& p, const Content& content) {
  const bool published = p.form == PositionMatrix::published;
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

void add_xl(const ScoreKnobs& p, const Content& content, double scale, RelativeScores& scores) {
  scores.sinusoids = make_sinusoids(p, content);
  const Sinusoids& s = *scores.sinusoids;
  // Rows of i - j from n - 1 down, which is j - i from -(n - 1) up.
  const Index n = content.n();
  const auto positions =
      std::make_shared<const MatrixD>(core::relative_sinusoids(n, 1 - n, s.width, s.options) * s.W);
  if (p.xl_position) scores.terms.push_back(core::xl_position_term(positions, scale));
  if (p.xl_key) scores.terms.push_back(core::xl_key_term(s.u, scale));
  if (p.xl_bias) scores.terms.push_back(core::xl_bias_term(positions, s.v, scale));
  scores.learned = p.form == PositionMatrix::published
                       ? to_double(content.d()) * (to_double(s.width) + 2)
                       : 2.0 * kModelWidth;
}

// A straight fall from bucket to bucket on each side, and random numbers.
VectorD bucket_scalars(const ScoreKnobs& p) {
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

void add_t5(const ScoreKnobs& p, RelativeScores& scores) {
  scores.buckets.emplace(bucket_spec(p, p.t5_direction));
  scores.scalars = bucket_scalars(p);
  scores.learned += p.buckets;
  if (p.is(Variant::t5)) scores.row_of = *scores.buckets;
  scores.terms.push_back(core::t5_term(*scores.buckets, scores.scalars));
}

void add_deberta(const ScoreKnobs& p, Index d, double scale, RelativeScores& scores) {
  const Index k = p.span;
  // Row delta stands for query minus key delta - k, from -k to k - 1.
  scores.keys = learned_sides(k, k - 1, d, Learned::deberta_key, p);
  scores.queries = learned_sides(k, k - 1, d, Learned::deberta_query, p);
  const Term to_position = core::content_to_position_term(scores.keys, scale);
  scores.row_of = to_position.row_of;
  if (p.content_to_position) scores.terms.push_back(to_position);
  if (p.position_to_content) {
    scores.terms.push_back(core::position_to_content_term(scores.queries, scale));
  }
  // One table P for all heads, and what projects it in this one.
  const int projected = p.content_to_position + p.position_to_content;
  if (projected > 0) scores.learned = to_double((2 * k + projected * d) * kModelWidth);
}

void add_alibi(const ScoreKnobs& p, RelativeScores& scores) {
  scores.slopes = core::alibi_slopes(p.heads, p.rule);
  scores.slope = scores.slopes(std::clamp(p.head, 1, p.heads) - 1);
  scores.terms.push_back(core::alibi_term(scores.slope, p.by_key()));
}

}  // namespace

MatrixD Sinusoids::rows(const VectorD& relative) const {
  return core::sinusoidal_rows(-relative, width, options);
}

core::T5BucketSpec bucket_spec(const ScoreKnobs& p, T5Direction direction) {
  return {direction == T5Direction::bidirectional, p.buckets, p.max_distance};
}

VectorD urpe_factors(const ScoreKnobs& p, Index reach) {
  core::SmoothRows how = learned(Learned::urpe, p);
  how.deviation *= 0.1;
  const VectorD noise = core::smooth_sides(reach, reach, 1, how).col(0);
  return VectorD::NullaryExpr(2 * reach + 1, [&](Index k) {
    return std::exp(-p.urpe_fall * to_double(std::abs(k - reach))) * (1 + noise(k));
  });
}

RelativeScores make_scores(const std::shared_ptr<const Content>& content, const ScoreKnobs& p,
                           const Run& /*run*/) {
  const Index n = content->n(), d = content->d();
  const double scale = 1 / std::sqrt(to_double(p.is(Variant::deberta) ? 3 * d : d));
  const bool undivided = p.is(Variant::t5) && !p.folded;
  RelativeScores scores;
  scores.of = scores.content = content;
  scores.causal = p.causal();
  scores.knobs = p;
  scores.terms.push_back(core::content_term(undivided ? 1 : scale));
  if (p.is(Variant::shaw)) add_shaw(p, d, scale, scores);
  if (p.is_xl()) add_xl(p, *content, scale, scores);
  if (p.is(Variant::deberta)) add_deberta(p, d, scale, scores);
  if (p.uses_t5()) add_t5(p, scores);
  if (p.uses_alibi()) add_alibi(p, scores);
  if (p.is(Variant::urpe)) {
    scores.after = std::make_shared<const VectorD>(urpe_factors(p, n - 1));
    scores.learned += to_double(2 * n - 1);
  }
  for (Term& term : scores.terms) core::prepare(*content, term);
  return scores;
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
