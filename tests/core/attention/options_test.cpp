#include "core/attention/options.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "attention/naive.h"
#include "core/attention/attention.h"
#include "core/attention/fast/fast_multi_head.h"
#include "core/attention/fast/weight_tile.h"
#include "core/attention/multi_head.h"
#include "core/attention/sparse/sparse.h"
#include "core/attention/streaming/streaming.h"

namespace options_test {

using core::AttentionOptions;
using core::Matrix;

TEST_CASE("one set of options means the same to every version: no scale is 1 / sqrt(d_k)") {
  const Matrix Q = naive::random_matrix(7, 16, 1), K = naive::random_matrix(9, 16, 2);
  AttentionOptions given;
  given.scale = 0.25F;
  CHECK(AttentionOptions().scale_for(16) == 0.25F);
  CHECK(core::attend(Q, K, K).weights == core::attend(Q, K, K, given).weights);
  CHECK(core::attend_fast(Q, K, K, {}).output == core::attend_fast(Q, K, K, given).output);
  CHECK(core::stream_attention(Q, K, K, {}).row_max ==
        core::stream_attention(Q, K, K, given).row_max);
  const core::SparseMask every(7, 9);
  CHECK(core::attend_sparse(Q, K, K, every, {}).row_max ==
        core::attend_sparse(Q, K, K, every, given).row_max);
  const auto statistics = core::attend_fast(Q, K, K, given);
  const core::TileRequest all{.r1 = 7, .c1 = 9};
  CHECK(core::weight_tile(Q, K, {}, statistics.row_max, statistics.row_sum, all) ==
        core::weight_tile(Q, K, given, statistics.row_max, statistics.row_sum, all));
  // Sums of 16 and of 9 terms of size 1, rounded: some ulp of float.
  CHECK(core::attend_fast(Q, K, K, given)
            .output.isApprox(core::attend(Q, K, K, given).output, 1e-5F));
}

TEST_CASE("a scale of 0 or 1 is a scale") {
  const Matrix Q = naive::random_matrix(3, 4, 1), K = naive::random_matrix(5, 4, 2);
  for (const float scale : {0.F, 1.F}) {
    AttentionOptions options;
    options.scale = scale;
    CHECK(options.scale_for(4) == scale);
    const core::Attention got = core::attend_fast(Q, K, K, options);
    CHECK(naive::difference(got, {Q, K, K}, options) == "");
  }
  AttentionOptions options;
  CHECK_THROWS_AS(options.scale_for(0), core::InputError);
  options.scale = std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH_AS(options.scale_for(4), "attention: expected a finite scale, got inf",
                       core::InputError);
}

TEST_CASE("a layer's heads are those of its weights, in both versions") {
  const Matrix X = naive::random_matrix(5, 6, 1);
  core::MultiHeadWeights weights;
  weights.heads = 2;
  weights.W_q = weights.W_k = weights.W_v = weights.W_o = naive::random_matrix(6, 6, 3);
  const Matrix fast = core::multi_head_forward(X, X, weights, {}).output;
  // Sums of 6 terms of size up to 10, in two orders.
  CHECK(fast.isApprox(core::multi_head(X, weights).output, 1e-5F));
  AttentionOptions options;
  options.heads = 2;
  CHECK(core::multi_head_forward(X, X, weights, options).output == fast);
  options.heads = 3;
  const char* const sentence = "multi_head: expected the weights' 2 heads, got 3";
  CHECK_THROWS_WITH_AS(core::multi_head_forward(X, X, weights, options), sentence,
                       core::InputError);
  CHECK_THROWS_WITH_AS(core::multi_head(X, weights, options), sentence, core::InputError);
}

TEST_CASE("what a version cannot do is refused, never left out") {
  const Matrix Q = naive::random_matrix(3, 4, 1), K = naive::random_matrix(5, 4, 2);
  AttentionOptions options;
  options.empty_row = core::EmptyRow::nan;
  CHECK_NOTHROW(core::attend(Q, K, K, options));
  CHECK_THROWS_AS(core::attend_fast(Q, K, K, options), core::InputError);
  CHECK_THROWS_AS(core::stream_attention(Q, K, K, options), core::InputError);
  const core::SparseMask every(3, 5);
  CHECK_THROWS_AS(core::attend_sparse(Q, K, K, every, options), core::InputError);
  options = {};
  options.mask = core::Mask::none(3, 5);
  CHECK_NOTHROW(core::attend_fast(Q, K, K, options));
  CHECK_THROWS_WITH_AS(core::attend_sparse(Q, K, K, every, options),
                       "attention: expected a sparse mask only, got another in the options",
                       core::InputError);
  options = {};
  options.bias = {naive::shared(Matrix::Zero(3, 5))};
  CHECK_NOTHROW(core::attend_fast(Q, K, K, options));
  CHECK_THROWS_AS(core::attend_sparse(Q, K, K, every, options), core::InputError);
  options.bias = {nullptr};
  CHECK_THROWS_WITH_AS(core::attend_fast(Q, K, K, options),
                       "attention: expected a bias of 3 by 5, got none", core::InputError);
}

TEST_CASE("an empty mask is a mask, and fits nothing but empty inputs") {
  const Matrix Q = naive::random_matrix(3, 4, 1), K = naive::random_matrix(5, 4, 2);
  AttentionOptions options;
  options.mask = core::Mask::none(0, 0);
  CHECK_THROWS_WITH_AS(core::attend_fast(Q, K, K, options),
                       "attention: expected a mask of 3 by 5, got 0 by 0", core::InputError);
}

}  // namespace options_test
