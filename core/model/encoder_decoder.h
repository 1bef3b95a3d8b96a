// The Transformer as it was published: an encoder that reads one sequence, a decoder that writes
// another and looks at what was read (Vaswani et al. 2017, figure 1).
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
