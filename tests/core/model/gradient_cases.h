// Every layer says here how it is tried; gradient_test.cpp then holds its backward pass against
// differences, for every parameter and every input, by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/model/learning/tape.h"

namespace model_test {

using core::Index;
using core::MatrixD;
using core::model::Layout;
using core::model::Pass;
using core::model::Scope;
using core::model::Tape;
using core::model::Tensor;

// Shapes of the inputs that have gradients.
using Shapes = std::vector<std::pair<Index, Index>>;

template <class S>
using Inputs = std::vector<Tensor<S>>;

// A model of one layer: it is declared, and then computes its output from inputs, in double and in
// float.
struct GradientCase {
  std::string name;
  Shapes shapes;
  std::function<void(const Scope&)> declare;
  std::function<Tensor<double>(Tape<double>&, const Inputs<double>&)> in_double;
  std::function<Tensor<float>(Tape<float>&, const Inputs<float>&)> in_float;
  Pass pass = {};
};

std::vector<GradientCase>& gradient_cases();

struct Registered {
  explicit Registered(GradientCase one) { gradient_cases().push_back(std::move(one)); }
};

// Of what computes from inputs alone: forward(tape, inputs).
template <class Fn>
Registered layer(const std::string& name, const Shapes& shapes, Fn forward, const Pass& pass = {}) {
  return Registered({name, shapes, [](const Scope&) {},
                     [forward](Tape<double>& t, const Inputs<double>& x) { return forward(t, x); },
                     [forward](Tape<float>& t, const Inputs<float>& x) { return forward(t, x); },
                     pass});
}

// Of what has parameters: declare(scope) gives what forward(tape, inputs, declared) computes with.
template <class Declare, class Fn>
Registered layer(const std::string& name, const Shapes& shapes, Declare declare, Fn forward,
                 const Pass& pass) {
  using Declared = decltype(declare(std::declval<const Scope&>()));
  const auto declared = std::make_shared<Declared>();
  return Registered(
      {name, shapes, [=](const Scope& scope) { *declared = declare(scope); },
       [=](Tape<double>& t, const Inputs<double>& x) { return forward(t, x, *declared); },
       [=](Tape<float>& t, const Inputs<float>& x) { return forward(t, x, *declared); }, pass});
}

}  // namespace model_test
