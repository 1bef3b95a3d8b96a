// The Transformer as it was published: an encoder that reads one sequence, a decoder that writes
// another and looks at what was read (Vaswani et al. 2017, figure 1).
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/positions.h"
#include "core/model/transformer.h"

namespace core::model {

struct EncoderDecoderForm {
  Index vocabulary = 0;  // of both sides
  TransformerForm layer;
  Index encoder_layers = 1, decoder_layers = 1;
  PositionForm positions = {.scheme = Scheme::sinusoidal};
  bool tied = true;    // the output layer is the embedding (section 3.4), without a bias
  bool scaled = true;  // embeddings times sqrt(d_model), as there

  bool operator==(const EncoderDecoderForm&) const = default;
};

// Layers over one kind of sequence.
struct TransformerStack {
  AddedPositions added;
  HeadPositions positions;
  std::vector<TransformerLayer> layers;
  LayerNorm last;  // where norms come first: the sums are not normed otherwise
  bool norms_last = false;

  static TransformerStack declare(const Scope& scope, const TransformerForm& form, Index layers,
                                  bool decodes, bool causal, const PositionForm& positions) {
    TransformerStack stack;
    stack.added = AddedPositions::declare(scope, form.d_model, positions);
    stack.positions =
        HeadPositions::declare(scope, form.heads, form.d_model / form.heads, causal, positions);
    for (Index k = 0; k < layers; ++k) {
      stack.layers.push_back(TransformerLayer::declare(scope.at(std::to_string(k)), form, decodes));
    }
    stack.norms_last = form.norm_first && form.normed;
    if (stack.norms_last) stack.last = LayerNorm::declare(scope.at("norm"), form.d_model);
    return stack;
  }

  // x: embeddings. Names "embedded", "placed" (with what is added for positions), the layers as
  // "0." and so on with "out", and "out".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences, bool causal,
                       const Tensor<S>& memory = {}, const Sequences& source = {}) const {
    tape.name("embedded", x, sequences);
    Tensor<S> now = added(tape, x, sequences);
    tape.name("placed", now, sequences);
    for (std::size_t k = 0; k < layers.size(); ++k) {
      const typename Tape<S>::Named name(tape, static_cast<Index>(k));
      now = layers[k].decode(tape, now, sequences, {.causal = causal, .positions = &positions},
                             memory, source);
      tape.name("out", now, sequences);
    }
    if (norms_last) now = last(tape, now);
    tape.name("out", now, sequences);
    return now;
  }
};

struct EncoderDecoder {
  EncoderDecoderForm form;
  Slot embedding;
  TransformerStack encoder, decoder;
  Linear output;  // where it is not tied

  static EncoderDecoder declare(const Scope& scope, const EncoderDecoderForm& form);

  // What the encoder makes of the source.
  template <class S>
  Tensor<S> encode(Tape<S>& tape, const std::int32_t* ids, const Sequences& source) const;
  // The logits of the token after each of the target's, (rows, vocabulary). Names "logits".
  template <class S>
  Tensor<S> decode(Tape<S>& tape, const Tensor<S>& memory, const Sequences& source,
                   const std::int32_t* ids, const Sequences& target) const;
};

}  // namespace core::model
