#include "core/model/decoder.h"

#include <cmath>

namespace core::model {

Decoder Decoder::declare(const Scope& scope, const DecoderForm& form) {
  const Index d = form.layer.d_model;
  const double root = std::sqrt(static_cast<double>(d));
  const Start narrow = Start::normal(0.5 / root);
  const Start start = form.tied || form.scaled ? narrow : Start::normal(0.5);
  Decoder model;
  model.form = form;
  model.embedding = scope.declare("embedding", form.vocabulary, d, start, false);
  model.stack = TransformerStack::declare(scope.at("decoder"), form.layer, form.layers, false, true,
                                          form.positions);
  model.stack.added.frequency = word_frequencies(scope, form.vocabulary, d, form.positions);
  if (!form.tied) {
    model.output =
        Linear::declare(scope.at("output"), d, form.vocabulary, narrow, form.output_bias);
  } else if (form.output_bias) {
    model.output.bias =
        scope.at("output").declare("bias", 1, form.vocabulary, Start::zeros(), false);
  }
  return model;
}

template <class S>
Tensor<S> Decoder::operator()(Tape<S>& tape, const std::int32_t* ids, const Sequences& sequences,
                              const Mask* mask) const {
  const typename Tape<S>::Named name(tape, "decoder");
  const double factor = form.scaled ? std::sqrt(static_cast<double>(form.layer.d_model)) : 1.0;
  const Tensor<S> tokens = model::embedding(tape, tape.parameter(embedding), ids, sequences.rows(),
                                            static_cast<S>(factor));
  const Mask* sees = mask || !form.sees ? mask : &form.sees->of(sequences.length);
  const Tensor<S> out =
      stack(tape, tokens, ids, sequences, {.causal = sees == nullptr, .mask = sees});
  const Tensor<S> made = logits(tape, out);
  tape.name("logits", made, sequences);
  return made;
}

template <class S>
Tensor<S> Decoder::logits(Tape<S>& tape, const Tensor<S>& out) const {
  const Tensor<S> bias = form.output_bias ? tape.parameter(output.bias) : Tensor<S>{};
  return linear(tape, out, tape.parameter(form.tied ? embedding : output.weight), bias, form.tied);
}

template <class S>
Tensor<S> Decoder::lens(Tape<S>& tape, const Tensor<S>& residual) const {
  return logits(tape, stack.norms_last ? stack.last(tape, residual) : residual);
}

#define ATTNSCOPE_INSTANTIATE(S)                                                          \
  template Tensor<S> Decoder::operator()(Tape<S>&, const std::int32_t*, const Sequences&, \
                                         const Mask*) const;                              \
  template Tensor<S> Decoder::logits(Tape<S>&, const Tensor<S>&) const;                   \
  template Tensor<S> Decoder::lens(Tape<S>&, const Tensor<S>&) const;
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
