#include "core/position/relative/pair_terms.h"

#include <doctest/doctest.h>

#include "core/position/relative/alibi.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/pair_scores.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/relative/urpe.h"
#include "position/draw.h"

namespace pair_terms_test {

using core::Block;
using core::Index;
using core::MatrixD;
using core::PairTerm;
using core::SharedRows;
using core::VectorD;

constexpr Index kTokens = 9, kWidth = 4;

core::QueryKeys drawn() {
  return {draw::matrix(kTokens, kWidth, 1), draw::matrix(kTokens, kWidth, 2)};
}

SharedRows rows(Index count, std::uint64_t seed) {
  return std::make_shared<const MatrixD>(draw::matrix(count, kWidth, seed));
}

MatrixD whole(const core::QueryKeys& of, PairTerm term) {
  core::prepare(of, term);
  return core::term_block(of, term, {0, of.n(), 0, of.n()});
}

// The plain version of each scheme's term.
void check(const PairTerm& made, const MatrixD& plain) {
  const core::QueryKeys of = drawn();
  PairTerm term = made;
  core::prepare(of, term);
  const MatrixD all = core::term_block(of, term, {0, of.n(), 0, of.n()});
  CHECK(all.isApprox(plain, 1e-12));
  // A block of it, a pair of it, and the vectors whose product the pair is.
  const Block part{2, 3, 4, 5};
  CHECK(core::term_block(of, term, part).isApprox(plain.block(2, 4, 3, 5), 1e-12));
  CHECK(core::term_value(of, term, 7, 1) == doctest::Approx(plain(7, 1)));
  const core::TermVectors apart = core::term_vectors(of, term, 7, 1);
  CHECK((apart.left.size() == 0) ==
        (term.id == PairTerm::Id::t5 || term.id == PairTerm::Id::alibi));
  if (apart.left.size() > 0) {
    CHECK(term.factor * apart.left.dot(apart.right) == doctest::Approx(plain(7, 1)));
  }
  if (!term.by_distance()) return;
  // As if the pair's vectors stood so far apart: the row of the query, the column of the key.
  const VectorD curve = core::term_curve(of, term, 4, 4, 4);
  for (Index r = -4; r <= 4; ++r) {
    const bool by_key = term.kind == PairTerm::Kind::key_rows;
    CHECK(curve(r + 4) == doctest::Approx(by_key ? plain(4 - r, 4) : plain(4, 4 + r)));
  }
}

TEST_CASE("Each scheme's terms are those of its plain version") {
  const auto [Q, K] = drawn();
  check(core::content_term(0.5), 0.5 * Q * K.transpose());
  const SharedRows a = rows(5, 3);
  check(core::shaw_term(a, 0.25),
        0.25 * core::shaw_attention(Q, K, MatrixD(kTokens, 0), {*a, {}}).position);
  const SharedRows R = rows(2 * kTokens - 1, 4);
  const VectorD u = draw::vector(kWidth, 5), v = draw::vector(kWidth, 6);
  const core::RelativeTerms xl = core::relative_terms(Q, K, *R, u, v);
  check(core::xl_position_term(R, 1), xl.content_position);
  check(core::xl_key_term(u, 1), xl.content_bias);
  check(core::xl_bias_term(R, v, 1), xl.position_bias);
  const SharedRows Kr = rows(6, 7), Qr = rows(6, 8);
  const core::DebertaTerms deberta = core::deberta_terms(Q, K, *Kr, *Qr);
  check(core::content_to_position_term(Kr, 1), deberta.content_to_position);
  check(core::position_to_content_term(Qr, 1), deberta.position_to_content);
  const core::T5Buckets buckets({.buckets = 8, .max_distance = 6});
  const VectorD scalars = draw::vector(8, 9);
  check(core::t5_term(buckets, scalars),
        core::t5_bias(scalars, 0, buckets(core::relative_positions(kTokens, kTokens))));
  check(core::alibi_term(0.3, false),
        core::alibi_bias(0.3, kTokens, kTokens, core::AlibiForm::symmetric));
  check(core::alibi_term(0.3, true),
        core::alibi_bias(0.3, kTokens, kTokens, core::AlibiForm::key_only));
}

TEST_CASE("Tables of another shape are refused") {
  const core::QueryKeys of = drawn();
  PairTerm narrow = core::shaw_term(std::make_shared<const MatrixD>(MatrixD::Ones(5, 3)), 1);
  CHECK_THROWS_AS(core::prepare(of, narrow), core::InputError);
  PairTerm few = core::xl_position_term(rows(2 * kTokens - 3, 4), 1);
  CHECK_THROWS_AS(core::prepare(of, few), core::InputError);
  CHECK_THROWS_AS(core::t5_term(core::T5Buckets({.buckets = 8, .max_distance = 6}), VectorD(7)),
                  core::InputError);
}

TEST_CASE("One row of a table, by hand") {
  CHECK(core::clipped_row(-7, 3) == 0);
  CHECK(core::clipped_row(2, 3) == 5);
  CHECK(core::deberta_row(-9, 4) == 0);
  CHECK(core::deberta_row(4, 4) == 7);
  CHECK(core::deberta_row(1, 4) == 5);
}

// --- the sum of terms, and what softmax makes of it

core::PairScores scheme(bool causal, bool with_factors) {
  core::PairScores scores;
  const auto of = std::make_shared<const core::QueryKeys>(drawn());
  scores.of = of;
  scores.causal = causal;
  scores.terms = {core::content_term(0.5), core::shaw_term(rows(5, 3), 0.5)};
  for (PairTerm& term : scores.terms) core::prepare(*of, term);
  if (with_factors) {
    scores.after = std::make_shared<const VectorD>(draw::vector(2 * kTokens - 1, 11));
  }
  return scores;
}

TEST_CASE("Weights by blocks are those of the plain softmax, times c") {
  const Index n = kTokens;
  for (const bool causal : {false, true}) {
    const core::PairScores scores = scheme(causal, true);
    const core::PairSurvey survey = core::survey_pairs(scores, 2);
    const MatrixD sum = whole(*scores.of, scores.terms[0]) + whole(*scores.of, scores.terms[1]);
    CHECK(scores.sum({0, n, 0, n}).isApprox(sum, 1e-12));
    const auto mask = causal ? core::Mask::causal(n, n) : core::Mask::none(n, n);
    // Toeplitz counts i - j, `after` the other way.
    const core::UrpeAttention plain =
        core::urpe_attention(sum, scores.after->reverse(), MatrixD::Identity(n, n), mask);
    const MatrixD weights = core::pair_weights(scores, survey, {0, n, 0, n});
    const MatrixD after = core::final_weights(scores, survey, {0, n, 0, n});
    const MatrixD before = core::plain_weights(scores, survey, {0, n, 0, n});
    const MatrixD content =
        core::attend_scored(scores.plain({0, n, 0, n}), MatrixD::Identity(n, n), mask).weights;
    double moved = 0;
    for (Index i = 0; i < n; ++i) {
      const core::PairRow row = core::pair_row(scores, i);
      for (Index j = 0; j < scores.seen(i); ++j) {
        CHECK(weights(i, j) == doctest::Approx(plain.softmax(i, j)));
        CHECK(after(i, j) == doctest::Approx(plain.product(i, j)));
        CHECK(before(i, j) == doctest::Approx(content(i, j)));
        CHECK(core::weight_change(scores, survey, {i, 1, j, 1})(0, 0) ==
              doctest::Approx(plain.product(i, j) - content(i, j)));
        CHECK(row.weights[std::size_t(j)] == doctest::Approx(plain.softmax(i, j)));
        CHECK(row.after[std::size_t(j)] == doctest::Approx(plain.product(i, j)));
        CHECK(row.scores[std::size_t(j)] == doctest::Approx(sum(i, j)));
        moved += std::abs(plain.product(i, j) - content(i, j)) / 2;
      }
      CHECK(survey.row_sum(i) == doctest::Approx(plain.product.row(i).sum()));
      CHECK(row.weights[std::size_t(row.strongest)] ==
            doctest::Approx(plain.softmax.row(i).maxCoeff()));
    }
    CHECK(survey.moved == doctest::Approx(moved / double(n)));
    CHECK(survey.largest_weight == doctest::Approx(plain.softmax.maxCoeff()));
    CHECK(survey.largest_plain == doctest::Approx(content.maxCoeff()));
    CHECK(survey.largest_after == doctest::Approx(plain.product.cwiseAbs().maxCoeff()));
    CHECK(survey.least_after == doctest::Approx(plain.product.minCoeff()));
    CHECK(survey.largest_term[1] ==
          doctest::Approx(whole(*scores.of, scores.terms[1]).cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("The survey is the same for any number of threads, and stops") {
  core::PairScores scores = scheme(true, false);
  const auto many = std::make_shared<const core::QueryKeys>(
      core::QueryKeys{draw::matrix(200, kWidth, 1), draw::matrix(200, kWidth, 2)});
  scores.of = many;
  for (PairTerm& term : scores.terms) core::prepare(*many, term);
  const core::PairSurvey one = core::survey_pairs(scores, 1), three = core::survey_pairs(scores, 3);
  CHECK(one.moved == three.moved);
  CHECK(one.sum == three.sum);
  CHECK(one.row_sum.size() == 0);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(core::survey_pairs(scores, 1, core::Cancel(stop.get_token())), core::Cancelled);
}

TEST_CASE("Curves of projected sinusoids are the rows of R times W times x") {
  const MatrixD W = draw::matrix(6, kWidth, 21), X = draw::matrix(kWidth, 2, 22);
  const core::SinusoidalOptions options{.layout = core::SinusoidalLayout::concatenated};
  const MatrixD curves = core::relative_sinusoid_curves(W, X, 5000, options);
  REQUIRE(curves.rows() == 10001);
  for (const Index r : {-5000, -4096, -1, 0, 1, 4095, 5000}) {
    const MatrixD R = core::sinusoidal_rows(VectorD::Constant(1, -double(r)), 6, options);
    for (Index c = 0; c < 2; ++c) {
      // R and the products are in float.
      CHECK(std::abs(curves(r + 5000, c) - (R * W * X)(0, c)) < 1e-5);
    }
  }
  CHECK_THROWS_AS(core::relative_sinusoid_curves(W, X, 9, {}), core::InputError);
  CHECK_THROWS_AS(core::relative_sinusoid_curves(W, X, -1, options), core::InputError);
  CHECK_THROWS_AS(core::relative_sinusoid_curves(X, X, 9, options), core::InputError);
}

}  // namespace pair_terms_test
