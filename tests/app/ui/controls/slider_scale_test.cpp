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

}  // namespace slider_scale_test
