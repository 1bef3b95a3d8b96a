#include "core/mask/top_k.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "core/mask/patterns/patterns.h"

namespace top_k_test {

using core::Index;
using core::Matrix;
using core::SparseMask;

TEST_CASE("top k by hand: ties to the lower key, NaN last") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  Matrix scores(4, 5);
  scores << 1, 3, 3, 3, 2,          //
      nan, -infinity, nan, 0, nan,  //
      5, 4, 3, 2, 1,                //
      0, 0, 0, 0, 0;
  core::BoolMatrix want(4, 5);
  want << 0, 1, 1, 0, 0,  //
      0, 1, 0, 1, 0,      //
      1, 1, 0, 0, 0,      //
      1, 1, 0, 0, 0;
  CHECK(core::top_k(scores, 2).dense() == want);
  CHECK(core::top_k(scores, 9).kept() == 20);
  CHECK(core::top_k(scores, 0).kept() == 0);
  CHECK_THROWS_WITH(core::top_k(scores, -1), "top k: expected k of at least 0, got -1");
}

TEST_CASE("each row keeps k keys and none outside is better; threads do not matter") {
  std::mt19937 engine(2);
  const Index n = 600, m = 90, k = 13;
  Matrix scores(n, m);
  for (Index i = 0; i < scores.size(); ++i) {
    scores.data()[i] = static_cast<float>(engine() % 50);  // many ties
  }
  const SparseMask among = core::pattern::causal(n, m);
  core::TopKOptions options;
  options.threads = 1;
  const SparseMask one = core::top_k(scores, k, options);
  options.threads = 3;
  CHECK(one.same_pairs(core::top_k(scores, k, options)));
  options.among = &among;
  const SparseMask chosen = core::top_k(scores, k, options);
  for (const SparseMask* mask : {&one, &chosen}) {
    for (Index i = 0; i < n; ++i) {
      const auto open = [&](Index j) { return mask == &one || among.allowed(i, j); };
      Index available = 0;
      for (Index j = 0; j < m; ++j) available += open(j);
      CHECK(mask->kept(i) == std::min(k, available));
      for (Index j = 0; j < m; ++j) {
        if (!mask->allowed(i, j)) continue;
        CHECK(open(j));
        for (Index other = 0; other < m; ++other) {
          if (!open(other) || mask->allowed(i, other)) continue;
          const bool beaten =
              scores(i, j) > scores(i, other) || (scores(i, j) == scores(i, other) && j < other);
          if (!beaten) FAIL("row " << i << " keeps " << j << " and not " << other);
        }
      }
    }
  }
}

TEST_CASE("rows are asked for one by one, and a cancelled choice stops") {
  Index asked = 0;
  const auto scores = [&](Index i, std::span<float> row) {
    ++asked;
    for (std::size_t j = 0; j < row.size(); ++j)
      row[j] = -std::abs(static_cast<float>(j) - static_cast<float>(i));
  };
  core::TopKOptions options;
  options.threads = 1;
  CHECK(core::top_k(40, 40, 1, scores, options).same_pairs(core::pattern::local(40, 0)));
  CHECK(asked == 40);
  std::stop_source source;
  source.request_stop();
  CHECK_THROWS_AS(core::top_k(40, 40, 1, scores, options, core::Cancel(source.get_token())),
                  core::Cancelled);
}

}  // namespace top_k_test
