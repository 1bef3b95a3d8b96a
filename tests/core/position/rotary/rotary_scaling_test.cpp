#include "core/position/rotary/rotary_scaling.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/position/frequency.h"

namespace rotary_scaling_test {

using core::DynamicNtk;
using core::Index;
using core::RotaryScaling;
using core::VectorD;

TEST_CASE("Interpolation divides every frequency, and is the same as dividing positions") {
  const VectorD theta = core::frequencies(8), scaled = core::interpolated_frequencies(8, 1e4, 4);
  for (Index i = 0; i < 4; ++i) CHECK(scaled(i) * 400 == doctest::Approx(theta(i) * 100));
}

TEST_CASE("NTK-aware: the first frequency stays, the last is divided by exactly s") {
  const VectorD theta = core::frequencies(64);
  const VectorD scaled = core::frequencies(64, core::ntk_aware_base(64, 1e4, 8));
  CHECK(scaled(0) == theta(0));
  CHECK(scaled(31) == doctest::Approx(theta(31) / 8).epsilon(1e-13));
}

TEST_CASE("Dynamic NTK: nothing happens within the trained length, and both forms meet at s = 1") {
  const auto base = [](double s, double length, DynamicNtk form) {
    return core::dynamic_ntk_base(64, 1e4, s, 2048, length, form);
  };
  CHECK(base(4, 2048, DynamicNtk::factor) == 1e4);
  CHECK(base(4, 100, DynamicNtk::factor) == 1e4);
  CHECK(base(4, 100, DynamicNtk::ratio) == 1e4);
  CHECK(base(1, 6144, DynamicNtk::factor) == doctest::Approx(base(1, 6144, DynamicNtk::ratio)));
  CHECK(base(4, 6144, DynamicNtk::ratio) == core::ntk_aware_base(64, 1e4, 3));
  CHECK(base(4, 6144, DynamicNtk::factor) ==
        doctest::Approx(core::ntk_aware_base(64, 1e4, 4 * 3 - 3)));
}

TEST_CASE("YaRN: fast pairs stay, slow pairs are interpolated, both variants between") {
  const RotaryScaling scaling{.d = 128, .base = 1e4, .trained_length = 4096, .s = 16};
  const core::YarnPaper paper = core::yarn_paper(scaling);
  const core::YarnCode code = core::yarn_code(scaling);
  CHECK(code.low == 20);
  CHECK(code.high == 46);
  const VectorD theta = core::frequencies(128);
  for (const VectorD* ramp : {&paper.ramp, &code.ramp}) {
    const VectorD& frequencies = ramp == &paper.ramp ? paper.frequencies : code.frequencies;
    for (Index i = 0; i < 64; ++i) {
      CHECK((*ramp)(i) >= 0);
      CHECK((*ramp)(i) <= (i == 0 ? 1 : (*ramp)(i - 1)));
      CHECK(frequencies(i) <= theta(i));
      CHECK(frequencies(i) >= theta(i) / 16 * (1 - 1e-15));
      if (paper.turns(i) > 32) CHECK((*ramp)(i) == 1);
      if (paper.turns(i) < 0.9) CHECK((*ramp)(i) == 0);
    }
  }
  // In the paper's ramp by hand: r = L / (2 pi) theta_i.
  const double r = 4096 * theta(30) / (2 * std::acos(-1.0));
  CHECK(paper.ramp(30) == doctest::Approx((r - 1) / 31).epsilon(1e-13));
  CHECK(code.ramp(33) == doctest::Approx(0.5).epsilon(1e-15));  // halfway from 20 to 46
}

TEST_CASE("YaRN's temperature: 0.1 ln s + 1, and nothing for s <= 1") {
  CHECK(core::yarn_attention_factor(16) == doctest::Approx(1.2772588722239782).epsilon(1e-15));
  CHECK(core::yarn_attention_factor(1) == 1);
  CHECK(core::yarn_attention_factor(0.5) == 1);
}

TEST_CASE("s <= 1 changes nothing") {
  const RotaryScaling scaling{.d = 16, .s = 1};
  const VectorD theta = core::frequencies(16);
  CHECK(core::interpolated_frequencies(16, 1e4, 0.5) == theta);
  CHECK(core::ntk_aware_base(16, 1e4, 0.5) == 1e4);
  CHECK((core::yarn_paper(scaling).frequencies - theta).cwiseAbs().maxCoeff() < 1e-16);
  CHECK((core::yarn_code(scaling).frequencies - theta).cwiseAbs().maxCoeff() < 1e-16);
}

TEST_CASE("Scaled frequencies refuse nonsense in a sentence") {
  CHECK_THROWS_AS(core::interpolated_frequencies(3, 1e4, 2), core::InputError);
  CHECK_THROWS_AS(core::interpolated_frequencies(8, 1e4, 0), core::InputError);
  CHECK_THROWS_AS(core::ntk_aware_base(2, 1e4, 2), core::InputError);  // d / (d - 2)
  CHECK_THROWS_AS(core::ntk_aware_base(8, -1, 2), core::InputError);
  CHECK_THROWS_AS(core::dynamic_ntk_base(8, 1e4, 2, 0, 5), core::InputError);
  CHECK_THROWS_AS(core::dynamic_ntk_base(8, 1e4, 2, 5, 0), core::InputError);
  CHECK_THROWS_WITH_AS(core::yarn_paper({.d = 8, .slow = 32, .fast = 1}),
                       "yarn_paper: expected more turns for fast pairs than for slow ones, 32, got "
                       "1",
                       core::InputError);
  CHECK_THROWS_AS(core::yarn_code({.d = 8, .base = 1}), core::InputError);
  CHECK_THROWS_AS(core::yarn_code({.d = 7}), core::InputError);
  CHECK_THROWS_AS(core::yarn_paper({.d = 8, .trained_length = -1}), core::InputError);
  CHECK_THROWS_AS(core::yarn_attention_factor(0), core::InputError);
}

}  // namespace rotary_scaling_test
