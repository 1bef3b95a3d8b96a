#include "core/position/learned/learned_fit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stop_token>

#include "position/draw.h"

namespace learned_fit_test {

using core::Index;
using core::MatrixD;

namespace {

MatrixD falling(Index n) {
  return MatrixD::NullaryExpr(
      n, n, [](Index i, Index j) { return std::exp(-std::abs(static_cast<double>(i - j)) / 3); });
}

}  // namespace

TEST_CASE("One step worked by hand: two rows of one number") {
  // P = (1, 2), target = I: P P^T - T = (0 2; 2 3), times P: (4; 8). Step 4 rate / 2 = 0.2.
  const MatrixD initial{{1}, {2}};
  const auto fit = core::fit_positions(initial, MatrixD::Identity(2, 2), 1, 0.1);
  CHECK(fit.table(0, 0) == doctest::Approx(1 - 0.2 * 4).epsilon(1e-15));
  CHECK(fit.table(1, 0) == doctest::Approx(2 - 0.2 * 8).epsilon(1e-15));
  REQUIRE(fit.loss.size() == 2);
  CHECK(fit.loss[0] == (0 + 4 + 4 + 9) / 4.0);
  CHECK(fit.loss[1] == core::position_product_loss(fit.table, MatrixD::Identity(2, 2)));
}

TEST_CASE("A step goes down the gradient of the loss") {
  const MatrixD initial = draw::matrix(6, 4, 1);
  const MatrixD target = falling(5);
  const double rate = 1e-3, h = 1e-6;
  const auto fit = core::fit_positions(initial, target, 1, rate);
  for (Index r = 0; r < 6; ++r) {
    for (Index c = 0; c < 4; ++c) {
      MatrixD up = initial, down = initial;
      up(r, c) += h;
      down(r, c) -= h;
      const double slope =
          (core::position_product_loss(up, target) - core::position_product_loss(down, target)) /
          (2 * h);
      // Central differences of a quartic of size 1 are right to about 1e-10.
      CHECK(std::abs((initial(r, c) - fit.table(r, c)) / (rate * 4 * 5) - slope) < 1e-7);
    }
  }
}

TEST_CASE("Rows that no sequence reached keep what they were, bit for bit; the loss falls") {
  const MatrixD initial = draw::matrix(30, 8, 2);
  const auto fit = core::fit_positions(initial, falling(20), 100, 0.05);
  CHECK(MatrixD(fit.table.bottomRows(10)) == MatrixD(initial.bottomRows(10)));
  for (std::size_t k = 1; k < fit.loss.size(); ++k) CHECK(fit.loss[k] < fit.loss[k - 1]);
  CHECK(fit.loss.back() < fit.loss.front() / 10);
}

TEST_CASE("Learning positions refuses nonsense in a sentence, and can be cancelled") {
  const MatrixD two = draw::matrix(2, 3, 3);
  CHECK_THROWS_AS(core::fit_positions(two, falling(3), 1, 0.1), core::InputError);
  CHECK_THROWS_AS(core::fit_positions(two, MatrixD::Zero(2, 1), 1, 0.1), core::InputError);
  CHECK_THROWS_AS(core::fit_positions(two, falling(2), -1, 0.1), core::InputError);
  CHECK_THROWS_AS(core::fit_positions(two, falling(2), 1, 0), core::InputError);
  CHECK_THROWS_AS(core::fit_positions(two, falling(2), 500, 1e6), core::InputError);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(core::fit_positions(two, falling(2), 1, 0.1, core::Cancel(stop.get_token())),
                  core::Cancelled);
}

TEST_CASE("Likeness that falls with distance, and a rate at which learning it settles" *
          doctest::test_suite("long")) {
  CHECK(core::falling_likeness(7, 3).isApprox(falling(7)));  // by hand: exp(-|i - j| / 3)
  CHECK(core::falling_likeness(3, 2)(0, 2) == doctest::Approx(std::exp(-1.0)));
  CHECK(core::falling_likeness(1, 2)(0, 0) == 1);
  for (const Index d : {2, 16, 128}) {
    for (const Index seen : {1, 8, 60}) {
      for (const double reach : {0.5, 4.0, 64.0}) {
        const double rate = core::falling_likeness_rate(seen, d, reach);
        const core::LearnedFit fit = core::fit_positions(
            draw::matrix(seen, d, 5), core::falling_likeness(seen, reach), 60, rate);
        for (std::size_t k = 1; k < fit.loss.size(); ++k) CHECK(fit.loss[k] <= fit.loss[k - 1]);
      }
    }
  }
  CHECK_THROWS_AS(core::falling_likeness(0, 1), core::InputError);
  CHECK_THROWS_AS(core::falling_likeness(2, 0), core::InputError);
}

}  // namespace learned_fit_test
