// The Transformer as published (Vaswani et al. 2017, figure 1): an encoder reads one sequence; a
// decoder writes another and attends to the encoder's output.
#pragma once

#include <cstdint>

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

struct EncoderDecoder {
  EncoderDecoderForm form;
  Slot embedding;
  TransformerStack encoder, decoder;
  Linear output;  // declared where it is not tied

  static EncoderDecoder declare(const Scope& scope, const EncoderDecoderForm& form);

  // The encoder's output for the source.
  template <class S>
  Tensor<S> encode(Tape<S>& tape, const std::int32_t* ids, const Sequences& source) const;
  // Logits of the next token at each position of the target, (rows, vocabulary). Names "logits".
  template <class S>
  Tensor<S> decode(Tape<S>& tape, const Tensor<S>& memory, const Sequences& source,
                   const std::int32_t* ids, const Sequences& target) const;
};

}  // namespace core::model
