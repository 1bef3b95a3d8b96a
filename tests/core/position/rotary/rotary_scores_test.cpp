#include "core/position/rotary/rotary_scores.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stop_token>

#include "core/position/rotary/rotary_decay.h"
#include "position/draw.h"

namespace rotary_scores_test {

using core::Index;
using core::MatrixD;
using core::Pool;
using core::RotaryPairing;
using core::VectorD;

namespace {

core::RotaryScores some_scores() {
  return core::rotary_scores(draw::vector(12, 1), draw::vector(12, 2), core::frequencies(8, 500));
}

// The pooled cell, looked up in the whole matrix.
double pooled(const core::RotaryScores& scores, const core::RotaryScoreTile& tile, Index row,
              Index col) {
  const Index side = Index{1} << tile.level;
  double largest = 0, sum = 0, count = 0;
  for (Index m = row * side; m < std::min(tile.n, (row + 1) * side); ++m) {
    for (Index n = col * side; n < std::min(tile.n, (col + 1) * side); ++n) {
      const double score = core::score_at(scores, static_cast<double>(m - n));
      if (std::abs(score) > std::abs(largest)) largest = score;
      sum += score;
      count += 1;
    }
  }
  return tile.pool == Pool::max ? largest : sum / count;
}

}  // namespace

TEST_CASE("By hand: q = (1, 2, 5), k = (3, 4, 7) with one pair of one radian a position") {
  const VectorD q{{1, 2, 5}}, k{{3, 4, 7}};
  const auto scores = core::rotary_scores(q, k, VectorD::Constant(1, 1.0));
  // h = (1 + 2i)(3 - 4i) = 11 + 2i, and 5 * 7 stands still.
  CHECK(scores.re(0) == 11);
  CHECK(scores.im(0) == 2);
  CHECK(scores.still == 35);
  CHECK(core::score_at(scores, 0) == 46);
  CHECK(core::score_at(scores, 3) ==
        doctest::Approx(35 + 11 * std::cos(3) - 2 * std::sin(3)).epsilon(1e-15));
}

TEST_CASE("Scores are those of turned vectors, part of whose columns may stay") {
  const VectorD q = draw::vector(12, 3), k = draw::vector(12, 4);
  const VectorD theta = core::frequencies(8, 10000);
  for (const auto pairing : {RotaryPairing::neighbors, RotaryPairing::halves}) {
    const auto scores = core::rotary_scores(q, k, theta, pairing);
    const VectorD places{{90, 31}};
    const core::RotaryTableD table = core::rotary_angles(places, theta);
    MatrixD both(2, 12);
    both << q.transpose(), k.transpose();
    const MatrixD rotated = core::rotated(both, table, pairing);
    CHECK(std::abs(rotated.row(0).dot(rotated.row(1)) - core::score_at(scores, 59)) < 1e-13);
    CHECK(core::score_terms(scores, 59).sum() + scores.still == core::score_at(scores, 59));
  }
}

TEST_CASE("Runs of distances are the single scores, and the curve of rotary_decay") {
  const VectorD q = draw::vector(64, 5), k = draw::vector(64, 6), theta = core::frequencies(64);
  const auto scores = core::rotary_scores(q, k, theta);
  const double size = (scores.re.array().square() + scores.im.array().square()).sqrt().sum();
  const VectorD run = core::score_run(scores, -700, 1700);
  const VectorD curve = core::rotary_score_curve(q, k, theta, 999);
  for (Index k2 = 0; k2 < run.size(); ++k2) {
    const double single = core::score_at(scores, static_cast<double>(k2 - 700));
    CHECK(std::abs(run(k2) - single) < 1e-13 * size);
    if (k2 >= 700) CHECK(std::abs(run(k2) - curve(k2 - 700)) < 1e-13 * size);
  }
  const auto range = core::score_range(scores, -700, 1700);
  CHECK(range.lo == run.minCoeff());
  CHECK(range.hi == run.maxCoeff());
  CHECK(core::score_run(scores, 5, 0).size() == 0);
}

TEST_CASE("With xPos the terms are those of its tables") {
  const VectorD q = draw::vector(8, 7), k = draw::vector(8, 8), theta = core::frequencies(8);
  const core::XposOptions options{.gamma = 0.3, .scale_base = 40};
  const auto scores = core::with_xpos(core::rotary_scores(q, k, theta), options);
  const core::XposTables tables = core::xpos_tables(VectorD{{75, 20}}, theta, options);
  MatrixD both(2, 8);
  both << q.transpose(), k.transpose();
  const double expected =
      core::rotated(both, tables.query).row(0).dot(core::rotated(both, tables.key).row(1));
  CHECK(std::abs(core::score_at(scores, 55) - expected) < 1e-13);
  CHECK(std::abs(core::score_run(scores, 0, 100)(55) - expected) < 1e-12);
}

TEST_CASE("Tiles are the pooled cells of the whole matrix") {
  const auto scores = some_scores();
  for (const Pool pool : {Pool::max, Pool::mean}) {
    for (const int level : {0, 1, 3}) {
      core::RotaryScoreTile tile{.n = 45, .level = level, .region = {}, .pool = pool};
      const Index cells = (45 + (1 << level) - 1) >> level;
      tile.region = {1, 2, cells - 1, cells - 2};
      const core::Matrix made = core::rotary_score_tile(scores, tile, 2);
      for (Index r = 0; r < made.rows(); ++r) {
        for (Index c = 0; c < made.cols(); ++c) {
          // Rounded to float once; scores are of size 10.
          CHECK(std::abs(static_cast<double>(made(r, c)) - pooled(scores, tile, r + 1, c + 2)) <
                2e-6);
        }
      }
    }
  }
}

TEST_CASE("What makes no sense is refused, and a tile can be cancelled") {
  const VectorD theta = core::frequencies(4), q = VectorD::Ones(4);
  CHECK_THROWS_AS(core::rotary_scores(VectorD::Ones(3), VectorD::Ones(3), theta), core::InputError);
  CHECK_THROWS_AS(core::rotary_scores(q, VectorD::Ones(6), theta), core::InputError);
  CHECK_THROWS_AS(core::rotary_scores(q, q, VectorD()), core::InputError);
  const auto scores = core::rotary_scores(q, q, theta);
  CHECK_THROWS_AS(core::score_run(scores, 0, -1), core::InputError);
  CHECK_THROWS_AS(core::score_range(scores, 0, 0), core::InputError);
  CHECK_THROWS_AS(core::with_xpos(scores, {.gamma = 0.4, .scale_base = 0}), core::InputError);
  core::RotaryScoreTile tile{.n = 8, .level = 0, .region = {0, 0, 9, 1}, .pool = Pool::max};
  CHECK_THROWS_AS(core::rotary_score_tile(scores, tile), core::InputError);
  tile.region = {0, 0, 8, 8};
  CHECK_THROWS_AS(core::rotary_score_tile(core::with_xpos(scores), tile), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(core::rotary_score_tile(scores, tile, 1, core::Cancel(stop.get_token())),
                  core::Cancelled);
}

}  // namespace rotary_scores_test
