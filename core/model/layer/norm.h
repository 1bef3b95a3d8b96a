// Layer norm, RMS norm and batch norm.
#pragma once

#include "core/model/learning/tape.h"

namespace core::model {

// Each row: y = (x - mean) / sqrt(variance + epsilon) * gain + shift, with the variance of the row
// itself, divided by its length (Ba, Kiros and Hinton 2016, equation 3). Not `centered`: mean 0 and
// no shift (Zhang and Sennrich 2019, equation 4).
template <class S>
struct NormStep {
  Tensor<S> x, gain, shift, y;
  S *mean, *scale;  // (rows): the mean, and 1 / sqrt(variance + epsilon)
  S epsilon;
  bool centered;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

template <class S>
Tensor<S> layer_norm(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain,
                     const Tensor<S>& shift, S epsilon);
template <class S>
Tensor<S> rms_norm(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain, S epsilon);

struct LayerNorm {
  Slot gain, shift;
  double epsilon = 1e-5;

  static LayerNorm declare(const Scope& scope, Index width) {
    return {scope.declare("gain", 1, width, Start::ones(), false),
            scope.declare("shift", 1, width, Start::zeros(), false)};
  }
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x) const {
    return layer_norm(tape, x, tape.parameter(gain), tape.parameter(shift),
                      static_cast<S>(epsilon));
  }
};

struct RmsNorm {
  Slot gain;
  double epsilon = 1e-5;

  static RmsNorm declare(const Scope& scope, Index width) {
    return {scope.declare("gain", 1, width, Start::ones(), false)};
  }
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x) const {
    return rms_norm(tape, x, tape.parameter(gain), static_cast<S>(epsilon));
  }
};

// Each column over all rows: y = (x - mean) / sqrt(variance + epsilon) * gain + shift with the
// batch's own mean and (biased) variance (Ioffe and Szegedy 2015, algorithm 1). For comparison:
// outside of training, too, it uses the batch's statistics.
template <class S>
struct BatchNormStep {
  Tensor<S> x, gain, shift, y;
  S *mean, *scale;  // (cols)
  S epsilon;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

template <class S>
Tensor<S> batch_norm(Tape<S>& tape, const Tensor<S>& x, const Tensor<S>& gain,
                     const Tensor<S>& shift, S epsilon);

}  // namespace core::model
