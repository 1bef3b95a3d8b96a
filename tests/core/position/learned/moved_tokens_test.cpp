#include "core/position/learned/moved_tokens.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "position/draw.h"

namespace moved_tokens_test {

using core::Index;
using core::MatrixD;
using core::Permutation;
using Order = std::vector<Index>;

core::AbsoluteScores drawn() {
  const MatrixD W = draw::matrix(4, 3, 3);
  return core::absolute_scores(draw::matrix(5, 4, 1), draw::matrix(5, 4, 2), W, W,
                               core::Joining::added);
}

TEST_CASE("New orders, by hand") {
  CHECK(core::token_order(Permutation::reverse, 4, 0, 0, 1) == Order{3, 2, 1, 0});
  CHECK(core::token_order(Permutation::swap, 4, 1, 3, 1) == Order{0, 3, 2, 1});
  CHECK(core::token_order(Permutation::rotate, 4, 0, 0, 1) == Order{3, 0, 1, 2});
  Order shuffled = core::token_order(Permutation::shuffle, 30, 0, 0, 1);
  CHECK(shuffled != core::token_order(Permutation::shuffle, 30, 0, 0, 2));
  CHECK_FALSE(std::is_sorted(shuffled.begin(), shuffled.end()));
  std::sort(shuffled.begin(), shuffled.end());
  for (Index k = 0; k < 30; ++k) CHECK(shuffled[std::size_t(k)] == k);
  CHECK_THROWS_AS(core::token_order(Permutation::swap, 4, 1, 4, 1), core::InputError);
  CHECK_THROWS_AS(core::token_order(Permutation::reverse, 0, 0, 0, 1), core::InputError);
}

TEST_CASE("Without positions outputs move along, with positions they change") {
  const core::AbsoluteScores of = drawn();
  const Order order{3, 0, 4, 1, 2};
  const core::MovedTokens plain = core::move_tokens(of, order, false);
  CHECK(plain.weight_change < 1e-14);
  CHECK(plain.output_change < 1e-14);
  CHECK(plain.pooled_change < 1e-14);
  CHECK((plain.after - plain.before).cwiseAbs().maxCoeff() > 1e-2);  // nothing is put back
  CHECK(plain.before.isApprox(of.content_weights));
  for (Index k = 0; k < 5; ++k) CHECK(order[std::size_t(plain.place(k))] == k);
  CHECK(plain.after(plain.place(2), plain.place(4)) == plain.after_at_home(2, 4));
  const core::MovedTokens placed = core::move_tokens(of, order, true);
  CHECK(placed.before.isApprox(of.weights));
  CHECK(placed.output_before.isApprox(of.weights * of.X));
  CHECK(placed.weight_change > 1e-2);
  CHECK(placed.output_change > 1e-2);
  CHECK_THROWS_AS(core::move_tokens(of, {0, 1, 2, 3}, true), core::InputError);
  CHECK_THROWS_AS(core::move_tokens(of, {0, 1, 2, 3, 3}, true), core::InputError);
}

}  // namespace moved_tokens_test
