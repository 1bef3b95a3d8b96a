#include "core/model/layer/activation.h"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "core/model/layer/vectors.h"
#include "core/random.h"

namespace core::model {
namespace {

template <class S>
S logistic(S x) {
  return 1 / (1 + std::exp(-x));
}

template <class S>
S normal_distribution(S x) {
  return S(0.5) * (1 + std::erf(x / std::numbers::sqrt2_v<S>));
}

template <class S>
S normal_density(S x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<S> / std::numbers::sqrt2_v<S>;
}

// Twice the approximation's inner u: then (1 + tanh) / 2 is its logistic function.
template <class S>
S inner(S x) {
  const S c = 2 * std::sqrt(2 / std::numbers::pi_v<S>);
  return c * (x + S(0.044715) * x * x * x);
}

template <class S>
S inner_derivative(S x) {
  const S c = 2 * std::sqrt(2 / std::numbers::pi_v<S>);
  return c * (1 + 3 * S(0.044715) * x * x);
}

template <class S>
S value(Activation function, S x) {
  switch (function) {
    case Activation::relu: return x > 0 ? x : S{0};
    case Activation::gelu: return x * normal_distribution(x);
    case Activation::gelu_tanh: return x * logistic(inner(x));
    case Activation::silu: return x * logistic(x);
    case Activation::tanh: return std::tanh(x);
    case Activation::sigmoid: return logistic(x);
  }
  return x;
}

template <class S>
S derivative(Activation function, S x) {
  switch (function) {
    case Activation::relu: return x > 0 ? S{1} : S{0};
    case Activation::gelu: return normal_distribution(x) + x * normal_density(x);
    case Activation::gelu_tanh: {
      const S s = logistic(inner(x));
      return s + x * s * (1 - s) * inner_derivative(x);
    }
    case Activation::silu: {
      const S s = logistic(x);
      return s + x * s * (1 - s);
    }
    case Activation::tanh: {
      const S t = std::tanh(x);
      return 1 - t * t;
    }
    case Activation::sigmoid: {
      const S s = logistic(x);
      return s * (1 - s);
    }
  }
  return 1;
}

}  // namespace

template <class S>
void ActivationStep<S>::forward(Tape<S>&) const {
  if constexpr (std::is_same_v<S, float>) {
    const kernels::Table& table = kernels::table();
    switch (function) {
      case Activation::relu: return table.relu(x.value, x.size(), y.value);
      case Activation::gelu_tanh: return table.gelu_tanh(x.value, x.size(), y.value);
      case Activation::silu: return table.silu(x.value, x.size(), y.value);
      case Activation::tanh: return table.tanh(x.value, x.size(), y.value);
      case Activation::sigmoid: return table.sigmoid(x.value, x.size(), y.value);
      case Activation::gelu: break;
    }
  }
  for (Index i = 0; i < x.size(); ++i) y.value[i] = value(function, x.value[i]);
}

template <class S>
void ActivationStep<S>::backward(Tape<S>&) const {
  if (!x.gradient) return;
  if constexpr (std::is_same_v<S, float>) {
    const kernels::Table& table = kernels::table();
    switch (function) {
      case Activation::relu: return table.relu_backward(x.value, y.gradient, x.size(), x.gradient);
      case Activation::gelu_tanh:
        return table.gelu_tanh_backward(x.value, y.gradient, x.size(), x.gradient);
      case Activation::silu: return table.silu_backward(x.value, y.gradient, x.size(), x.gradient);
      default: break;
    }
  }
  for (Index i = 0; i < x.size(); ++i) {
    x.gradient[i] += y.gradient[i] * derivative(function, x.value[i]);
  }
}

template <class S>
void ReluOverStep<S>::forward(Tape<S>&) const {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().relu(x.value, x.size(), x.value);
  } else {
    for (Index i = 0; i < x.size(); ++i) x.value[i] = value(Activation::relu, x.value[i]);
  }
}

// Numbers that were above 0 still are, and no others.
template <class S>
void ReluOverStep<S>::backward(Tape<S>&) const {
  if (!x.gradient) return;
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().relu_over_backward(x.value, x.size(), x.gradient);
  } else {
    for (Index i = 0; i < x.size(); ++i) x.gradient[i] *= derivative(Activation::relu, x.value[i]);
  }
}

template <class S>
void AddStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < a.size(); ++i) y.value[i] = a.value[i] + b.value[i];
}

template <class S>
void AddStep<S>::backward(Tape<S>&) const {
  if (a.gradient) add(y.gradient, y.size(), a.gradient);
  if (b.gradient) add(y.gradient, y.size(), b.gradient);
}

template <class S>
void AddOverStep<S>::forward(Tape<S>&) const {
  add(a.value, a.size(), y.value);
}

template <class S>
void AddOverStep<S>::backward(Tape<S>&) const {
  if (a.gradient) add(y.gradient, y.size(), a.gradient);
}

template <class S>
void GateStep<S>::forward(Tape<S>&) const {
  for (Index i = 0; i < a.size(); ++i) y.value[i] = a.value[i] * b.value[i];
}

template <class S>
void GateStep<S>::backward(Tape<S>&) const {
  if (a.gradient) add_product(y.gradient, b.value, y.size(), a.gradient);
  if (b.gradient) add_product(y.gradient, a.value, y.size(), b.gradient);
}

namespace {

// to = from, or to += from, times the mask.
template <class S, class Put>
void drop(const DropoutStep<S>& step, std::uint64_t seed, const S* from, Put put) {
  const std::uint64_t stream = stream_seed(seed, step.mask);
  const auto limit = static_cast<std::uint64_t>(static_cast<double>(step.rate) * 0x1p64);
  const S kept = 1 / (1 - step.rate);
  for (Index i = 0; i < step.x.size(); ++i) {
    const std::uint64_t random = mix64(stream + static_cast<std::uint64_t>(i));
    put(i, random < limit ? S{0} : from[i] * kept);
  }
}

}  // namespace

template <class S>
void DropoutStep<S>::forward(Tape<S>& tape) const {
  drop(*this, tape.pass().dropout, x.value, [&](Index i, S now) { y.value[i] = now; });
}

template <class S>
void DropoutStep<S>::backward(Tape<S>& tape) const {
  if (!x.gradient) return;
  drop(*this, tape.pass().dropout, y.gradient, [&](Index i, S now) { x.gradient[i] += now; });
}

#define ATTNSCOPE_INSTANTIATE(S)     \
  template struct ActivationStep<S>; \
  template struct ReluOverStep<S>;   \
  template struct AddStep<S>;        \
  template struct AddOverStep<S>;    \
  template struct GateStep<S>;       \
  template struct DropoutStep<S>;
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
