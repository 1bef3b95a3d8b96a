// What tests of the lab of decoding share.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "app/labs/decoding/page.h"
#include "trying.h"

namespace decoding_rig {

using namespace lab::decoding;  // NOLINT: the box under test
using namespace lab::trying;
using core::Index, core::VectorD;

using Made = Trial<Parameters>;
inline Made made(const param::Values& values) { return lab::trying::made<Parameters>(values); }
inline Made preset(std::string_view id) { return lab::trying::preset<Parameters>("decoding", id); }

inline std::string text_of(const Model& model, Way way) {
  const Text* text = model.text_of(way);
  REQUIRE(text);
  return model.source->name(text->ids);
}

inline double p_of(const Model& model, Way way) { return std::exp(model.text_of(way)->sum); }

inline Index kept(const Model& model, Index stage) {
  return (model.distribution(stage).probabilities.array() > 0).count();
}

}  // namespace decoding_rig
