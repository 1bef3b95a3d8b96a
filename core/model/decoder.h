// A decoder-only Transformer, which reads what it has written: the model of GPT (Radford et al.
// 2018, section 3.1, after Liu et al. 2018). With GELU, norms before each part, learned positions
// and a tied output without bias it is GPT-2 (Radford et al. 2019, section 2.3).
#pragma once

#include <cstdint>

#include "core/model/mask_pattern.h"
#include "core/model/transformer.h"
#include "core/shared_value.h"

namespace core::model {

struct DecoderForm {
  Index vocabulary = 0;
  TransformerForm layer = {.norm_first = true};
  Index layers = 1;
  PositionForm positions = {.scheme = Scheme::rotary};
  bool tied = false;        // the output layer is the embedding (Press and Wolf 2017)
  bool output_bias = true;  // of the output layer, tied or not
  bool scaled = false;      // embeddings times sqrt(d_model) (Vaswani et al. 2017, section 3.4)
  SharedValue<MaskPattern> sees = {};  // who attends to whom; none: to all up to itself

  bool operator==(const DecoderForm&) const = default;
};

// Initial values: embedded tokens have a standard deviation of 0.5, and so have the logits of a
// normalized row. Where a tied embedding without a factor serves both ends, the logits decide, and
// embedded tokens have 0.5 / sqrt(d_model); learned positions should then start no larger
// (PositionForm::deviation).
struct Decoder {
  DecoderForm form;
  Slot embedding;  // (vocabulary, d_model)
  TransformerStack stack;
  Linear output;  // its weight is not declared where it is tied to the embedding

  // Names "embedding", "decoder.", "output." and of complex positions "frequency".
  static Decoder declare(const Scope& scope, const DecoderForm& form);

  // Logits of the next token at each position, (rows, vocabulary), from the tokens up to it in its
  // own sequence; a mask (length, length) replaces that of the form. ids (rows), those of padding
  // too, lie in [0, vocabulary) and live as long as the pass. InputError for other ids, for
  // sequences longer than the positions allow and for a mask of another shape. The trace has the
  // names of a stack and "logits" under "decoder.", as in an encoder-decoder.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const std::int32_t* ids, const Sequences& sequences,
                       const Mask* mask = nullptr) const;

  // The output layer, for rows that the stack returned, (rows, d_model).
  template <class S>
  Tensor<S> logits(Tape<S>& tape, const Tensor<S>& out) const;
  // The logits of rows of the residual stream if no layer followed: the last norm, where there is
  // one, and the output layer ("logit lens", nostalgebraist 2020).
  template <class S>
  Tensor<S> lens(Tape<S>& tape, const Tensor<S>& residual) const;
};

}  // namespace core::model
