#include "core/model/encoder_decoder.h"

#include <cmath>

namespace core::model {
namespace {

template <class S>
Tensor<S> embedded(Tape<S>& tape, const EncoderDecoder& model, const std::int32_t* ids,
                   const Sequences& sequences) {
  const double factor =
      model.form.scaled ? std::sqrt(static_cast<double>(model.form.layer.d_model)) : 1.0;
  return embedding(tape, tape.parameter(model.embedding), ids, sequences.rows(),
                   static_cast<S>(factor));
}

}  // namespace

EncoderDecoder EncoderDecoder::declare(const Scope& scope, const EncoderDecoderForm& form) {
  const Index d = form.layer.d_model;
  const double root = std::sqrt(static_cast<double>(d));
  // Rows enter with a standard deviation of 0.5, multiplied by sqrt(d) or not.
  const double deviation = form.scaled ? 0.5 / root : 0.5;
  EncoderDecoder model;
  model.form = form;
  model.embedding = scope.declare("embedding", form.vocabulary, d, Start::normal(deviation), false);
  model.encoder = TransformerStack::declare(scope.at("encoder"), form.layer, form.encoder_layers,
                                            false, false, form.positions);
  model.decoder = TransformerStack::declare(scope.at("decoder"), form.layer, form.decoder_layers,
                                            true, true, form.positions);
  // Each word has one frequency for both sides.
  model.encoder.added.frequency = model.decoder.added.frequency =
      word_frequencies(scope, form.vocabulary, d, form.positions);
  if (!form.tied) {
    model.output =
        Linear::declare(scope.at("output"), d, form.vocabulary, Start::normal(0.5 / root), true);
  }
  return model;
}

template <class S>
Tensor<S> EncoderDecoder::encode(Tape<S>& tape, const std::int32_t* ids,
                                 const Sequences& source) const {
  const typename Tape<S>::Named name(tape, "encoder");
  return encoder(tape, embedded(tape, *this, ids, source), ids, source, {});
}

template <class S>
Tensor<S> EncoderDecoder::decode(Tape<S>& tape, const Tensor<S>& memory, const Sequences& source,
                                 const std::int32_t* ids, const Sequences& target) const {
  const typename Tape<S>::Named name(tape, "decoder");
  const Tensor<S> out = decoder(tape, embedded(tape, *this, ids, target), ids, target,
                                {.causal = true}, memory, source);
  const Tensor<S> logits =
      form.tied ? linear(tape, out, tape.parameter(embedding), {}, true) : output(tape, out);
  tape.name("logits", logits, target);
  return logits;
}

template Tensor<float> EncoderDecoder::encode(Tape<float>&, const std::int32_t*,
                                              const Sequences&) const;
template Tensor<double> EncoderDecoder::encode(Tape<double>&, const std::int32_t*,
                                               const Sequences&) const;
template Tensor<float> EncoderDecoder::decode(Tape<float>&, const Tensor<float>&, const Sequences&,
                                              const std::int32_t*, const Sequences&) const;
template Tensor<double> EncoderDecoder::decode(Tape<double>&, const Tensor<double>&,
                                               const Sequences&, const std::int32_t*,
                                               const Sequences&) const;

}  // namespace core::model
