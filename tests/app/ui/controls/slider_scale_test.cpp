#include "app/ui/controls/slider_scale.h"

#include <doctest/doctest.h>

namespace slider_scale_test {

using param::Scale;
using ui::SliderScale;

TEST_CASE("a slider's place and value are each other's inverse, and its ends are exact") {
  for (const SliderScale& scale :
       {SliderScale{-4, 6, Scale::linear}, SliderScale{0.1, 10, Scale::log},
        SliderScale{0, 1e6, Scale::log}, SliderScale{1, 8192, Scale::log}}) {
    CHECK(scale.at(0) == scale.min);
    CHECK(scale.at(1) == scale.max);
    CHECK(scale.at(-1) == scale.min);
    CHECK(scale.at(2) == scale.max);
    double before = scale.min;
    for (int k = 1; k <= 100; ++k) {
      const double value = scale.at(k / 100.0);
      CHECK(value > before);
      CHECK(scale.share(value) == doctest::Approx(k / 100.0).epsilon(1e-12));
      before = value;
    }
  }
  CHECK(SliderScale{3, 3, Scale::linear}.share(3) == 0);
}

TEST_CASE("on a million positions from 0, a hundredth of the slider is no leap near 0") {
  const SliderScale positions{0, 1e6, Scale::log};
  CHECK(positions.at(0.01) < 0.2);
  CHECK(positions.share(100) == doctest::Approx(1.0 / 3).epsilon(0.01));
  // Each place is at most a seventh more than the one before.
  for (int k = 0; k < 100; ++k) {
    CHECK(1 + positions.at((k + 1) / 100.0) <= 1.15 * (1 + positions.at(k / 100.0)));
  }
}

TEST_CASE("a drag goes through round values, none of which its pixel does not ask for") {
  const double half = 0.5 / 150;
  for (const SliderScale& scale :
       {SliderScale{-4, 6, Scale::linear}, SliderScale{0.1, 10, Scale::log},
        SliderScale{0, 1e6, Scale::log}, SliderScale{1, 8192, Scale::log}}) {
    double before = scale.min;
    for (int k = 0; k <= 150; ++k) {
      const double value = scale.round_at(k / 150.0, half);
      CHECK(std::abs(scale.share(value) - k / 150.0) <= half + 1e-12);
      CHECK(value >= before);
      before = value;
    }
  }
  const auto passes = [&](const SliderScale& scale, double wanted) {
    bool found = false;
    for (int k = 0; k <= 150; ++k)
      found |= scale.round_at(k / 150.0, half) == doctest::Approx(wanted).epsilon(1e-12);
    return found;
  };
  for (int k = 0; k <= 13; ++k) CHECK(passes({1, 8192, Scale::log}, std::exp2(k)));
  for (int k = 2; k <= 7; ++k) CHECK(passes({1e2, 1e7, Scale::log}, std::pow(10, k)));
  for (const double v : {20.0, 50.0, 200.0, 5000.0, 20000.0})
    CHECK(passes({0, 1e6, Scale::log}, v));
  CHECK(passes({-4, 6, Scale::linear}, 0));
  CHECK(passes({-4, 6, Scale::linear}, 0.5));
  CHECK(SliderScale{1, 8192, Scale::log}.round_at(1.2, half) == 8192);
  CHECK(SliderScale{3, 3, Scale::linear}.round_at(0.5, half) == 3);
}

}  // namespace slider_scale_test
