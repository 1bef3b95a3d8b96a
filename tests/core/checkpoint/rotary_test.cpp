// How the frequencies of published models are stretched, by hand.
#include "core/checkpoint/rotary.h"

#include <cmath>
#include <numbers>

#include "checkpoint/variant.h"
#include "core/position/frequency.h"

namespace rotary_test {

using namespace checkpoint_test;
using namespace core::checkpoint;
using core::Index, core::VectorD;

namespace {

Rotary rotary_of(const std::string& name) { return *opened(name)->facts().positions.rotary; }

}  // namespace

TEST_SUITE_BEGIN("rotary of published models");

TEST_CASE("linear divides, dynamic has another base beyond the context") {
  const VectorD plain = core::frequencies(4, 10000);
  const Rotary linear = rotary_of("llama-linear");
  CHECK(linear.scaling == RopeScaling::linear);
  CHECK((linear.frequencies(1) * 2.5 - plain).cwiseAbs().maxCoeff() < 1e-15);
  const Rotary dynamic = rotary_of("llama-dynamic");
  CHECK(dynamic.depends_on_length());
  CHECK(dynamic.frequencies(8) == plain);
  // base 10000 (2 12/8 - 1)^(4/2) = 40000: theta_1 = 1/200.
  CHECK(dynamic.frequencies(12)[0] == 1);
  CHECK(dynamic.frequencies(12)[1] == doctest::Approx(1.0 / 200).epsilon(1e-14));
}

TEST_CASE("llama3: fast pairs stay, slow ones are divided, one between is mixed") {
  const Rotary r = rotary_of("llama3");
  CHECK(r.scaling == RopeScaling::llama3);
  const VectorD plain = core::frequencies(8, 10000), f = r.frequencies(100);
  // Turns within 64 tokens: 10.2, 1.019, 0.1, 0.01.
  CHECK(f[0] == doctest::Approx(plain[0]).epsilon(1e-15));
  const double turns = 64 * plain[1] / (2 * std::numbers::pi), a = (turns - 1) / 3;
  CHECK(f[1] == doctest::Approx((1 - a) * plain[1] / 8 + a * plain[1]).epsilon(1e-14));
  CHECK(f[2] == doctest::Approx(plain[2] / 8).epsilon(1e-15));
  CHECK(r.frequencies(1) == f);
}

TEST_CASE("yarn: the multiplier, and a ramp whose ends need not be whole") {
  const Rotary r = rotary_of("llama-yarn");
  CHECK(r.multiplier == doctest::Approx(0.1 * std::log(4) + 1).epsilon(1e-15));
  const Rotary v5 = rotary_of("llama-yarn-v5");
  CHECK(v5.base == 1000);
  CHECK_FALSE(v5.whole_ends);
  CHECK(v5.multiplier ==
        doctest::Approx((0.09 * std::log(6) + 1) / (0.04 * std::log(6) + 1)).epsilon(1e-15));
  Rotary whole = v5;
  whole.whole_ends = true;
  CHECK((whole.frequencies(1) - v5.frequencies(1)).cwiseAbs().maxCoeff() > 1e-4);
  // By hand: the ramp goes from dim(1) to dim(0.1), dim(t) = 16 ln(8 / (2 pi t)) / (2 ln 1000).
  const auto dim = [](double t) {
    return 16 * std::log(8 / (2 * std::numbers::pi * t)) / (2 * std::log(1000));
  };
  const VectorD plain = core::frequencies(16, 1000);
  for (Index i = 0; i < 8; ++i) {
    const double ramp =
        std::clamp((static_cast<double>(i) - dim(1)) / (dim(0.1) - dim(1)), 0.0, 1.0);
    CHECK(v5.frequencies(1)[i] ==
          doctest::Approx(plain[i] * (1 - ramp) + plain[i] / 6 * ramp).epsilon(1e-13));
  }
  Variant null("llama-yarn");
  null.config("\"factor\": 4.0", "\"factor\": null");
  CHECK(open_model(null.path())->facts().positions.rotary->factor == 4);  // 32 / 8
}

TEST_CASE("longrope: a factor for each pair, others beyond the original context") {
  Variant variant("llama-linear");
  variant.config("{\n    \"factor\": 2.5,\n    \"type\": \"linear\"\n  }",
                 R"({"type": "longrope", "short_factor": [1, 2], "long_factor": [4, 8],
                     "original_max_position_embeddings": 16})");
  const Rotary r = *open_model(variant.path())->facts().positions.rotary;
  const VectorD plain = core::frequencies(4, 10000);
  CHECK(r.factor == 4);                                                   // 64 / 16
  CHECK(r.multiplier == doctest::Approx(std::sqrt(1.5)).epsilon(1e-15));  // ln 4 / ln 16 = 1/2
  CHECK(r.frequencies(16)[0] == plain[0]);
  CHECK(r.frequencies(16)[1] == doctest::Approx(plain[1] / 2).epsilon(1e-15));
  CHECK(r.frequencies(17)[0] == doctest::Approx(plain[0] / 4).epsilon(1e-15));
  CHECK(r.frequencies(17)[1] == doctest::Approx(plain[1] / 8).epsilon(1e-15));
}

TEST_CASE("which scalings change short texts") {
  for (const char* name : {"llama-linear", "llama3", "llama-yarn", "llama-dynamic"}) {
    CAPTURE(name);
    const Rotary r = rotary_of(name);
    Rotary plain = r;
    plain.scaling = RopeScaling::none;
    const bool changes = (r.frequencies(1) - plain.frequencies(1)).cwiseAbs().maxCoeff() > 0;
    CHECK(changes == (r.scaling != RopeScaling::dynamic));
    CHECK((r.frequencies(r.context) == r.frequencies(1)));
  }
  Variant variant("llama-linear");
  variant.config("{\n    \"factor\": 2.5,\n    \"type\": \"linear\"\n  }",
                 R"({"type": "longrope", "short_factor": [1, 2], "long_factor": [4, 8],
                     "original_max_position_embeddings": 16})");
  const Rotary longrope = *open_model(variant.path())->facts().positions.rotary;
  CHECK(longrope.frequencies(1)[1] < core::frequencies(4, 10000)[1]);
  CHECK(longrope.multiplier > 1);
}

TEST_CASE("every scaling has the word that files write") {
  CHECK(rope_scaling_word(RopeScaling::none) == "default");
  CHECK(rope_scaling_word(RopeScaling::longrope) == "longrope");
}

TEST_SUITE_END();

}  // namespace rotary_test
