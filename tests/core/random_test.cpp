#include "core/random.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace random_test {

using core::Random;

TEST_CASE("SplitMix64 gives the published sequence of seed 1234567") {
  // The first numbers of Vigna's reference implementation.
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("Gaussian numbers have mean 0, variance 1 and the normal distribution function") {
  Random random(7);
  constexpr int kCount = 200000;
  double sum = 0, squares = 0;
  int below_one = 0, below_minus_two = 0;
  for (int k = 0; k < kCount; ++k) {
    const double x = random.gaussian();
    sum += x;
    squares += x * x;
    below_one += x < 1;
    below_minus_two += x < -2;
  }
  // Four standard errors of 200,000 draws: 4 / sqrt(200000) = 0.009, and sqrt(2) more for squares.
  CHECK(std::abs(sum / kCount) < 0.009);
  CHECK(std::abs(squares / kCount - 1) < 0.013);
  // 0.003 of the approximation and four standard errors of the counts.
  CHECK(std::abs(below_one / double(kCount) - 0.841345) < 0.003 + 0.0033);
  CHECK(std::abs(below_minus_two / double(kCount) - 0.022750) < 0.003 + 0.0014);
}

TEST_CASE("Neighbouring streams of one seed are uncorrelated") {
  constexpr int kCount = 50000;
  Random a(core::stream_seed(3, 1)), b(core::stream_seed(3, 2));
  double product = 0;
  for (int k = 0; k < kCount; ++k) product += a.gaussian() * b.gaussian();
  CHECK(std::abs(product / kCount) < 4 / std::sqrt(double(kCount)));
  CHECK(core::stream_seed(3, 1) != core::stream_seed(4, 1));
}

TEST_CASE(
    "Uniform numbers fill 0 to below 1, and whole numbers below a count are equally frequent") {
  Random random(1);
  std::vector<int> counts(7);
  for (int k = 0; k < 70000; ++k) {
    const double u = random.uniform();
    CHECK_MESSAGE((u >= 0 && u < 1), u);
    ++counts[random.below(7)];
  }
  for (const int count : counts) CHECK(std::abs(count - 10000) < 4 * 93);  // sd = sqrt(70000*6)/7
}

TEST_CASE("The hash of the empty text is the mixed offset basis of FNV-1a") {
  CHECK(core::hash64("") == core::mix64(0xcbf29ce484222325u));
  CHECK(core::hash64("a") == core::mix64(0xaf63dc4c8601ec8cu));  // FNV-1a of "a" as published
}

}  // namespace random_test
