// What tests of this lab share.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>

#include "app/labs/position_compare/cost_text.h"
#include "app/labs/position_compare/model.h"
#include "app/labs/position_compare/page.h"
#include "core/position/relative/alibi.h"
#include "core/position/rotary/rotary_decay.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "trying.h"

namespace position_compare_rig {

using namespace lab::position_compare;  // NOLINT: the box under test
using core::Index;
using core::MatrixD;
using core::VectorD;
using namespace lab::trying;

inline const std::vector<Scheme> kAll(kCompared.begin(), kCompared.end());

using Made = Trial<Parameters>;
inline Made preset(std::string_view id) {
  return lab::trying::preset<Parameters>("position_compare", id);
}

// Equal tokens, so that only positions differ.
inline Made equal_tokens(Scheme first, Scheme second, int length) {
  Made made;
  made.p.scheme_1 = first;
  made.p.scheme_2 = second;
  made.p.scheme_3 = made.p.scheme_4 = kOff;
  made.p.input = lab::Input::repeated;
  made.p.period = 1;
  made.p.length = length;
  return made;
}

inline const MatrixD& scores(const Model& model, std::size_t k) {
  return model.schemes.at(k)->scored->scores;
}
inline const MatrixD& weights(const Model& model, std::size_t k) {
  return model.schemes.at(k)->scored->weights;
}

inline double rows_sum_error(const MatrixD& w) {
  return (w.rowwise().sum().array() - 1).abs().maxCoeff();
}

}  // namespace position_compare_rig
