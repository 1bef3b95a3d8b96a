#include "core/position/sinusoidal/sinusoidal_similarity.h"

#include <doctest/doctest.h>

#include <cmath>
#include <stop_token>

#include "core/position/curve.h"
#include "core/position/sinusoidal/sinusoidal.h"

namespace sinusoidal_similarity_test {

using core::Index;
using core::MatrixD;
using core::VectorD;

TEST_CASE("Products and distances of encodings are those of the table, at any place") {
  const VectorD theta = core::frequencies(16);
  const MatrixD table = core::sinusoidal_table(60, 16);
  const VectorD dot = core::dot_product_curve(theta, 20);
  for (Index p = 0; p < 40; p += 13) {
    for (Index t = 0; t <= 20; ++t) {
      // Sixteen terms of at most 1, each within an ulp or two of double.
      CHECK(std::abs(table.row(p).dot(table.row(p + t)) - dot(t)) < 1e-14);
      const double distance = (table.row(p + t) - table.row(p)).norm();
      CHECK(std::abs(core::encoding_distance(theta, static_cast<double>(t)) - distance) < 1e-14);
    }
  }
  const MatrixD similar = core::similarity_matrix(theta, 21);
  CHECK(similar == MatrixD(similar.transpose()));
  CHECK((similar - table.topRows(21) * table.topRows(21).transpose()).cwiseAbs().maxCoeff() <
        1e-14);
}

TEST_CASE("The product oscillates: where it first rises") {
  const auto first_rise = [](Index d) {
    return *core::curve_facts(core::dot_product_curve(core::frequencies(d), 100)).first_rise;
  };
  CHECK(first_rise(8) == 4);
  CHECK(first_rise(64) == 6);
  CHECK(first_rise(128) == 12);
  CHECK(first_rise(512) == 44);
}

TEST_CASE("One frequency nearly repeats at multiples of 2 pi: 44 and 710") {
  const VectorD fastest = VectorD::Ones(1);
  const auto lags = core::closest_lags(fastest, 1000, 3);
  REQUIRE(lags.size() == 3);
  CHECK(lags[0].lag == 710);
  CHECK(lags[0].distance == doctest::Approx(2 * std::abs(std::sin(355.0))).epsilon(1e-14));
  CHECK(lags[1].lag == 333);
  CHECK(core::closest_lags(fastest, 50, 1).front().lag == 44);
  CHECK(core::closest_lags(fastest, 2, 9).size() == 2);
  // With all frequencies together neighbours are closest.
  CHECK(core::closest_lags(core::frequencies(128), 1000, 1).front().lag == 1);
}

TEST_CASE("The smallest separation never rises with the length") {
  const VectorD least = core::smallest_separation(VectorD::Ones(1), 800);
  REQUIRE(least.size() == 799);
  CHECK(least(0) == core::encoding_distance(VectorD::Ones(1), 1));
  for (Index l = 1; l < least.size(); ++l) CHECK(least(l) <= least(l - 1));
  CHECK(least(708) > least(709));  // 711 positions are the first with two 710 apart
}

TEST_CASE("Similarities refuse nonsense in a sentence") {
  const VectorD theta = VectorD::Ones(1);
  CHECK_THROWS_AS(core::dot_product_curve(VectorD(), 3), core::InputError);
  CHECK_THROWS_AS(core::dot_product_curve(theta, -1), core::InputError);
  CHECK_THROWS_AS(core::similarity_matrix(theta, -1), core::InputError);
  CHECK_THROWS_AS(core::closest_lags(theta, 0, 1), core::InputError);
  CHECK_THROWS_AS(core::closest_lags(theta, 1, -1), core::InputError);
  CHECK_THROWS_AS(core::smallest_separation(theta, 1), core::InputError);
}

TEST_CASE("The closest lags so far are where the smallest separation falls") {
  for (const Index d : {2, 4, 16}) {
    const VectorD theta = core::frequencies(d, 100);
    const VectorD least = core::smallest_separation(theta, 3000);
    const auto records = core::closest_so_far(theta, 2999);
    REQUIRE_FALSE(records.empty());
    CHECK(records.front().lag == 1);
    std::size_t k = 0;
    for (Index length = 2; length <= 3000; ++length) {
      if (k + 1 < records.size() && records[k + 1].lag <= length - 1) ++k;
      CHECK(records[k].distance == doctest::Approx(least(length - 2)).epsilon(1e-12));
    }
  }
  const auto fastest = core::closest_so_far(VectorD::Ones(1), 1000);
  CHECK(fastest.back().lag == 710);
  CHECK(fastest.back().distance == doctest::Approx(2 * std::abs(std::sin(355.0))).epsilon(1e-12));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(core::closest_so_far(VectorD::Ones(1), 100000, core::Cancel(stop.get_token())),
                  core::Cancelled);
  CHECK_THROWS_AS(core::closest_so_far(VectorD(), 10), core::InputError);
  CHECK_THROWS_AS(core::closest_so_far(VectorD::Ones(1), 0), core::InputError);
}

TEST_CASE("The first lag closer than a threshold is the one that a plain search finds") {
  for (const Index d : {2, 4, 8}) {
    for (const double base : {1.0, 30.0, 10000.0}) {
      const VectorD theta = core::frequencies(d, base);
      for (const double threshold : {1e-4, 0.02, 0.3, 1.0, 2.5, 9.0}) {
        std::optional<Index> plain;
        for (Index t = 1; t <= 4000 && !plain; ++t) {
          if (core::encoding_distance(theta, static_cast<double>(t)) < threshold) plain = t;
        }
        const auto found = core::first_closer(theta, threshold, 4000);
        CHECK(found.has_value() == plain.has_value());
        if (found && plain) CHECK(found->lag == *plain);
      }
    }
  }
  CHECK(core::first_closer(VectorD::Ones(1), 0.02, 100)->lag == 44);
  CHECK_THROWS_AS(core::first_closer(VectorD::Ones(1), 0, 10), core::InputError);
}

}  // namespace sinusoidal_similarity_test
