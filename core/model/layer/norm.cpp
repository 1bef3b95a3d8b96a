#include "core/model/layer/norm.h"

#include <cmath>
#include <type_traits>

#include "core/model/kernels/kernels.h"

namespace core::model {
namespace {

template <class S>
NormStep<S> norm_step(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain,
                      const Tensor<S>& shift, S epsilon, bool centered) {
  return {x,
          gain,
          shift,
          tape.tensor(x.rows, x.cols),
          tape.template room<S>(x.rows),
          tape.template room<S>(x.rows),
          epsilon,
          centered};
}

kernels::Norm of(const NormStep<float>& s) {
  return {s.x.value,    s.x.rows,      s.x.cols,  s.centered, s.epsilon,
          s.gain.value, s.shift.value, s.y.value, s.mean,     s.scale};
}

}  // namespace

template <class S>
void NormStep<S>::forward(Tape<S>&) const {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().norm(of(*this));
  } else {
    for (Index i = 0; i < x.rows; ++i) {
      const auto row = x.matrix().row(i);
      mean[i] = centered ? row.mean() : S{0};
      scale[i] = 1 / std::sqrt((row.array() - mean[i]).square().mean() + epsilon);
      y.matrix().row(i) = ((row.array() - mean[i]) * scale[i] * gain.matrix().row(0).array());
      if (shift) y.matrix().row(i) += shift.matrix().row(0);
    }
  }
}

template <class S>
void NormStep<S>::backward(Tape<S>&) const {
  if constexpr (std::is_same_v<S, float>) {
    kernels::table().norm_backward(
        {of(*this), y.gradient, x.gradient, gain.gradient, shift ? shift.gradient : nullptr});
  } else {
    for (Index i = 0; i < x.rows; ++i) {
      const VectorOf<S> h = (x.matrix().row(i).array() - mean[i]) * scale[i];
      const VectorOf<S> dy = y.gradient_matrix().row(i);
      const VectorOf<S> g = dy.cwiseProduct(gain.matrix().row(0).transpose());
      if (gain.gradient) gain.gradient_matrix().row(0) += dy.cwiseProduct(h);
      if (shift && shift.gradient) shift.gradient_matrix().row(0) += dy;
      if (!x.gradient) continue;
      const S first = centered ? g.mean() : S{0}, second = g.dot(h) / static_cast<S>(x.cols);
      x.gradient_matrix().row(i).array() +=
          scale[i] * (g.array() - first - h.array() * second).transpose();
    }
  }
}

template <class S>
Tensor<S> layer_norm(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain,
                     const Tensor<S>& shift, S epsilon) {
  const NormStep<S> step = norm_step(tape, x, gain, shift, epsilon, true);
  tape.record("layer norm", step);
  return step.y;
}

template <class S>
Tensor<S> rms_norm(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain, S epsilon) {
  const NormStep<S> step = norm_step(tape, x, gain, Tensor<S>{}, epsilon, false);
  tape.record("RMS norm", step);
  return step.y;
}

template <class S>
void BatchNormStep<S>::forward(Tape<S>&) const {
  for (Index j = 0; j < x.cols; ++j) {
    const auto column = x.matrix().col(j).array();
    mean[j] = column.mean();
    scale[j] = 1 / std::sqrt((column - mean[j]).square().mean() + epsilon);
    y.matrix().col(j) = (column - mean[j]) * scale[j] * gain.value[j] + shift.value[j];
  }
}

template <class S>
void BatchNormStep<S>::backward(Tape<S>&) const {
  for (Index j = 0; j < x.cols; ++j) {
    const VectorOf<S> h = (x.matrix().col(j).array() - mean[j]) * scale[j];
    const VectorOf<S> dy = y.gradient_matrix().col(j);
    const S product = dy.dot(h);
    if (gain.gradient) gain.gradient[j] += product;
    if (shift.gradient) shift.gradient[j] += dy.sum();
    if (!x.gradient) continue;
    const S second = product / static_cast<S>(x.rows);
    x.gradient_matrix().col(j).array() +=
        scale[j] * gain.value[j] * (dy.array() - dy.mean() - h.array() * second);
  }
}

template <class S>
Tensor<S> batch_norm(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain,
                     const Tensor<S>& shift, S epsilon) {
  const BatchNormStep<S> step{x,
                              gain,
                              shift,
                              tape.tensor(x.rows, x.cols),
                              tape.template room<S>(x.cols),
                              tape.template room<S>(x.cols),
                              epsilon};
  tape.record("batch norm", step);
  return step.y;
}

#define ATTNSCOPE_INSTANTIATE(S)                                                                \
  template struct NormStep<S>;                                                                  \
  template struct BatchNormStep<S>;                                                             \
  template Tensor<S> layer_norm(Tape<S>&, const Tensor<S>&, const Tensor<S>&, const Tensor<S>&, \
                                S);                                                             \
  template Tensor<S> rms_norm(Tape<S>&, const Tensor<S>&, const Tensor<S>&, S);                 \
  template Tensor<S> batch_norm(Tape<S>&, const Tensor<S>&, const Tensor<S>&, const Tensor<S>&, S);
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
