// What tests of this lab share.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "app/labs/relative/page.h"
#include "core/position/curve.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/deberta.h"
#include "core/position/relative/shaw.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/relative/urpe.h"
#include "trying.h"

namespace relative_rig {

using namespace lab::relative;
using namespace lab::trying;
using core::Index;

using Made = Trial<Parameters>;
inline Made preset(std::string_view id) { return lab::trying::preset<Parameters>("relative", id); }

inline std::optional<core::Mask> mask_of(const Model& model) {
  if (!model.pairs->causal) return std::nullopt;
  return core::Mask::causal(model.n(), model.n());
}

// Every score and weight of the lab against those of a plain function.
inline void check_attention(const Model& model, const core::MatrixD& scores,
                            const core::MatrixD& weights) {
  for (Index i = 0; i < model.n(); ++i) {
    for (Index j = 0; j < model.n(); ++j) {
      const float score = model.sources->scores->value(i, j);
      const float weight = model.sources->weights->value(i, j);
      if (j >= model.pairs->seen(i)) {
        CHECK(core::is_masked(score));
        CHECK(core::is_masked(weight));
        continue;
      }
      // Rounded once to float.
      CHECK(double(score) == doctest::Approx(scores(i, j)).epsilon(1e-6).scale(1));
      CHECK(double(weight) == doctest::Approx(weights(i, j)).epsilon(1e-6).scale(1));
    }
  }
}

inline const std::vector<Variant> kAllVariants{
    Variant::shaw,    Variant::transformer_xl, Variant::xlnet, Variant::t5,
    Variant::deberta, Variant::urpe,           Variant::alibi};

}  // namespace relative_rig
