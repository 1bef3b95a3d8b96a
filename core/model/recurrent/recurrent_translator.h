// Sequence to sequence with recurrent networks: an encoder reads the source; a decoder writes the
// target and attends to the encoder's states (Bahdanau, Cho and Bengio 2015), or has one fixed
// context (Cho et al. 2014; Sutskever, Vinyals and Le 2014).
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/recurrent/recurrent_decoder.h"

namespace core::model {

struct RecurrentTranslator {
  // The decoder's initial states.
  enum class Begin {
    last,    // the encoder's last states, layer by layer
    affine,  // tanh(W [last forward; last backward] + b) of its top layer, with a W for each layer,
             // and for an LSTM one each for states and cells
  };
  struct Form {
    Index source_words = 0, target_words = 0, embedding = 16;
    Index encoder_hidden = 32;
    Recurrent::Form encoder = {.both_ways = true};
    RecurrentDecoder::Form decoder = {};  // the encoder has the same cell
    Begin begin = Begin::affine;
    bool reads_padding = false;  // the encoder reads padding as words; attention never does

    bool operator==(const Form&) const = default;
  };
  Form form;
  Slot source, target;  // embeddings, initial values N(0, 0.5)
  Recurrent encoder;
  std::vector<Linear> begin_states, begin_cells;  // of Begin::affine
  RecurrentDecoder decoder;

  // InputError when the form contradicts itself.
  static RecurrentTranslator declare(const Scope& scope, Form form);

  // What the decoder needs of the encoder.
  template <class S>
  struct Encoded {
    Recurred<S> read;
    Memory<S> memory;
    Decoded<S> start;
  };
  // ids (sequences.rows()), alive as long as the pass. Names "encoder.states" and what Recurrent
  // names.
  template <class S>
  Encoded<S> encode(Tape<S>& tape, const std::int32_t* ids, const Sequences& sequences) const;

  // Teacher forcing: the logits (batch length, target_words) after each of the target's inputs,
  // ids (batch, length). Names what the decoder names, under "decoder".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Encoded<S>& encoded, const std::int32_t* ids,
                       Index length) const;

  // One token of each sequence, greedy or forced: ids (batch), alive as long as the pass.
  template <class S>
  struct Next {
    Decoded<S> decoded;
    Tensor<S> logits, probabilities;  // (batch, target_words)
  };
  template <class S>
  Next<S> step(Tape<S>& tape, const Encoded<S>& encoded, const Decoded<S>& before,
               const std::int32_t* ids) const;
};

// The likeliest word after each step, begun with `first`: (batch, steps).
template <class S>
std::vector<std::int32_t> greedy(Tape<S>& tape, const RecurrentTranslator& net,
                                 const RecurrentTranslator::Encoded<S>& encoded, std::int32_t first,
                                 Index steps);

}  // namespace core::model
