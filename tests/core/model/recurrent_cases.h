// What the tests of recurrent layers share: a batch of sequences of different lengths, and outputs
// side by side.
#pragma once

#include <algorithm>
#include <type_traits>

#include "model/gradient_cases.h"

namespace model_test {

using core::model::Sequences;

template <class In>
using Number = std::remove_pointer_t<decltype(std::declval<In>()[0].value)>;

inline constexpr Index kUsed[] = {4, 2, 3};
inline constexpr Sequences kThree{.batch = 3, .length = 4, .lengths = kUsed};

// All states and the last ones count: they are added up side by side.
template <class S>
struct BesideStep {
  Tensor<S> a, b, y;
  void forward(Tape<S>&) const {
    std::copy_n(a.value, a.size(), y.value);
    std::copy_n(b.value, b.size(), y.value + a.size());
  }
  void backward(Tape<S>&) const {
    for (Index i = 0; i < a.size(); ++i) a.gradient[i] += y.gradient[i];
    for (Index i = 0; i < b.size(); ++i) b.gradient[i] += y.gradient[a.size() + i];
  }
};

template <class S>
Tensor<S> beside(Tape<S>& tape, const Tensor<S>& a, const Tensor<S>& b) {
  const Tensor<S> y = tape.tensor(1, a.size() + b.size());
  tape.record("beside", BesideStep<S>{a, b, y});
  return y;
}

}  // namespace model_test
