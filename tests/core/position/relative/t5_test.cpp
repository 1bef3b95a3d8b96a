#include "core/position/relative/t5.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "position/draw.h"

namespace t5_test {

using core::Index;
using core::MatrixD;
using core::T5Buckets;
using core::T5BucketSpec;

TEST_CASE("T5 buckets: by hand, 32 buckets in both directions, 128") {
  const T5Buckets buckets{T5BucketSpec{}};
  CHECK(buckets.max_exact() == 8);
  CHECK(buckets(0) == 0);
  CHECK(buckets(-1) == 1);
  CHECK(buckets(1) == 17);
  CHECK(buckets(-7) == 7);
  CHECK(buckets(-8) == 8);
  CHECK(buckets(-11) == 8);
  CHECK(buckets(-12) == 9);  // 8 * 16^(1/8) = 11.3
  CHECK(buckets(-15) == 9);
  CHECK(buckets(-16) == 10);  // 8 * 16^(2/8) = 16, a border exactly
  CHECK(buckets(-127) == 15);
  CHECK(buckets(-100000) == 15);
  CHECK(buckets(100000) == 31);
}

TEST_CASE("T5 buckets never fall with the distance, fill their range, and treat sides alike") {
  for (const T5BucketSpec spec :
       {T5BucketSpec{true, 32, 128}, T5BucketSpec{true, 6, 40}, T5BucketSpec{false, 32, 128},
        T5BucketSpec{false, 2, 3}, T5BucketSpec{false, 300, 100000}}) {
    const T5Buckets buckets(spec);
    const Index half = spec.buckets / 2;
    for (Index t = 1; t <= 2 * spec.max_distance; ++t) {
      CHECK(buckets(-t) >= buckets(-t + 1));
      if (spec.bidirectional) CHECK(buckets(t) == buckets(-t) + half);
      if (!spec.bidirectional) CHECK(buckets(t) == 0);
      if (t > 400) t += 97;
    }
    const Index last = spec.bidirectional ? half - 1 : spec.buckets - 1;
    CHECK(buckets(-spec.max_distance) == last);
    CHECK(buckets.first_distances().size() == static_cast<size_t>(last + 1));
  }
}

TEST_CASE("T5 buckets by logarithms are those by whole numbers, away from borders") {
  for (const bool bidirectional : {true, false}) {
    const T5BucketSpec spec{bidirectional, 32, 128};
    const T5Buckets exact(spec);
    for (Index r = -300; r <= 300; ++r) {
      // The borders of this specification that are whole numbers are powers of two, which double
      // and float logarithms hit.
      CHECK(core::t5_bucket_by_logarithm<double>(spec, r) == exact(r));
      CHECK(core::t5_bucket_by_logarithm<float>(spec, r) == exact(r));
    }
  }
  // 5 * (160 / 5)^(1/5) = 10, but 5 ln 2 / ln 32 is 0.9999999999999999: why whole numbers.
  const T5BucketSpec spec{false, 10, 160};
  CHECK(T5Buckets(spec)(-10) == 6);
  CHECK(core::t5_bucket_by_logarithm<double>(spec, -10) == 5);
}

TEST_CASE("T5 attention: the bias is looked up by bucket, and scores are not scaled") {
  const MatrixD Q = draw::matrix(4, 3, 1), K = draw::matrix(4, 3, 2), V = draw::matrix(4, 2, 3);
  const MatrixD table = draw::matrix(32, 2, 4);
  const T5Buckets t5{T5BucketSpec{}};
  const core::IndexMatrix buckets = t5(core::relative_positions(4, 4));
  const MatrixD bias = core::t5_bias(table, 1, buckets);
  CHECK(bias(0, 3) == table(16 + 3, 1));
  CHECK(bias(3, 0) == table(3, 1));
  const auto attended = core::t5_attention(Q, K, V, bias);
  CHECK(attended.scores(0, 3) == doctest::Approx(Q.row(0).dot(K.row(3)) + bias(0, 3)));
}

TEST_CASE("T5 refuses nonsense in a sentence") {
  CHECK_THROWS_AS(T5Buckets(T5BucketSpec{true, 7, 128}), core::InputError);
  CHECK_THROWS_AS(T5Buckets(T5BucketSpec{true, 2, 128}), core::InputError);
  CHECK_THROWS_AS(T5Buckets(T5BucketSpec{false, 0, 128}), core::InputError);
  CHECK_THROWS_AS(T5Buckets(T5BucketSpec{false, 5000, 10000}), core::InputError);
  CHECK_THROWS_WITH_AS(T5Buckets(T5BucketSpec{false, 32, 16}),
                       "T5Buckets: expected a largest distance above 16 and at most 2^31, got 16",
                       core::InputError);
  const MatrixD table = MatrixD::Zero(4, 2);
  const core::IndexMatrix bucket = core::IndexMatrix::Constant(1, 1, 4);
  CHECK_THROWS_AS(core::t5_bias(table, 2, bucket), core::InputError);
  CHECK_THROWS_AS(core::t5_bias(table, -1, bucket), core::InputError);
  CHECK_THROWS_AS(core::t5_bias(table, 0, bucket), core::InputError);
  CHECK_THROWS_AS(core::t5_attention(table, table, table, table), core::InputError);
}

TEST_CASE("Which distances share the last bucket of their side") {
  const T5Buckets both({.bidirectional = true, .buckets = 8, .max_distance = 10});
  CHECK(both.side() == 4);
  const Index last = both.first_distances().back();
  for (Index r = -12; r <= 12; ++r) CHECK(both.shares_last(r) == (std::abs(r) >= last));
  // For keys before the query alone; those ahead are all in one.
  const T5Buckets before({.bidirectional = false, .buckets = 8, .max_distance = 10});
  CHECK(before.side() == 8);
  CHECK(before.shares_last(3));
  CHECK_FALSE(before.shares_last(-3));
  CHECK(before.shares_last(-10));
}

}  // namespace t5_test
