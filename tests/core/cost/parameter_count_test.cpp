#include "core/cost/parameter_count.h"

#include <doctest/doctest.h>

namespace parameter_count_test {

TEST_CASE("parameters by hand") {
  // d = 2, d_ff = 3: four matrices of 2 x 2 with biases; 2 x 3 + 3 and 3 x 2 + 2; norms of 4.
  CHECK(core::multi_head_parameters(2) == 24);
  CHECK(core::feed_forward_parameters(2, 3) == 17);
  CHECK(core::layer_norm_parameters(2) == 4);
  CHECK(core::encoder_layer_parameters(2, 3) == 24 + 17 + 8);
  CHECK(core::decoder_layer_parameters(2, 3) == 48 + 17 + 12);
}

TEST_CASE("GPT-2's closed form: V d + ctx d + L (12 d^2 + 13 d) + 2 d") {
  for (const core::GptSize& size : {core::kGpt2Small, core::kGpt2Medium, core::kGpt2Large,
                                    core::kGpt2Xl, core::GptSize{5, 3, 2, 1}}) {
    const auto d = size.d;
    CHECK(core::gpt2_parameters(size) ==
          size.vocabulary * d + size.context * d + size.layers * (12 * d * d + 13 * d) + 2 * d);
  }
  CHECK_THROWS_WITH(core::multi_head_parameters(0),
                    "parameter count: expected d from 1 to 1048576, got 0");
}

}  // namespace parameter_count_test
