#include "core/position/learned/moved_tokens.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/position/checks.h"
#include "core/random.h"

namespace core {
namespace {

double change(const MatrixD& after, const MatrixD& before) {
  return (after - before).cwiseAbs().maxCoeff();
}

}  // namespace

std::vector<Index> token_order(Permutation how, Index n, Index a, Index b, std::uint64_t seed) {
  position::require_at_least("token_order", "a number of tokens", 1, n);
  if (std::min(a, b) < 0 || std::max(a, b) >= n) {
    refuse("token_order", "tokens from 0 to " + std::to_string(n - 1),
           std::to_string(a) + " and " + std::to_string(b));
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto at = [&](Index k) -> Index& { return order[static_cast<std::size_t>(k)]; };
  switch (how) {
    case Permutation::reverse: std::reverse(order.begin(), order.end()); break;
    case Permutation::swap: std::swap(at(a), at(b)); break;
    case Permutation::rotate: std::rotate(order.begin(), order.end() - 1, order.end()); break;
    case Permutation::shuffle: {
      Random random(stream_seed(seed, 77));
      for (Index k = n - 1; k > 0; --k) {
        std::swap(at(k), at(random.below(static_cast<std::uint32_t>(k + 1))));
      }
    }
  }
  return order;
}

Index MovedTokens::place(Index home) const {
  return std::find(order.begin(), order.end(), home) - order.begin();
}

MovedTokens move_tokens(const AbsoluteScores& of, std::vector<Index> order, bool with_positions) {
  std::vector<Index> homes(static_cast<std::size_t>(of.n()));
  std::iota(homes.begin(), homes.end(), Index{0});
  if (!std::is_permutation(order.begin(), order.end(), homes.begin(), homes.end())) {
    refuse("move_tokens", "a permutation of " + std::to_string(of.n()) + " tokens", "another list");
  }
  MovedTokens moved;
  moved.order = std::move(order);
  const auto every_column = Eigen::seqN(0, of.X.cols());  // Eigen 5 calls "all" otherwise
  const MatrixD tokens = of.X(moved.order, every_column);
  const MatrixD positions = with_positions ? of.P : MatrixD::Zero(of.n(), of.P.cols());
  moved.before = of.weights_of(of.X, positions);
  moved.after = of.weights_of(tokens, positions);
  moved.after_at_home = moved.before;
  moved.after_at_home(moved.order, moved.order) = moved.after;
  moved.output_before = moved.before * of.X;
  moved.output_after = moved.output_before;
  moved.output_after(moved.order, every_column) = moved.after * tokens;
  moved.weight_change = change(moved.after_at_home, moved.before);
  moved.output_change = change(moved.output_after, moved.output_before);
  moved.pooled_change =
      change(moved.output_after.colwise().mean(), moved.output_before.colwise().mean());
  return moved;
}

}  // namespace core
