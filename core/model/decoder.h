// A decoder alone, which reads what it has written: the model of GPT (Radford et al. 2018, section
// 3.1, after Liu et al. 2018). With GELU, the norm first, learned positions and a tied output
// without a bias it is GPT-2 (Radford et al. 2019, section 2.3).
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
  SharedValue<MaskPattern> sees = {};  // who looks at what; none: at all that stands before

  bool operator==(const DecoderForm&) const = default;
};

// Begins so that tokens enter with the deviation 0.5 and the logits of a normed row have about 0.5,
// too. Where one embedding without a factor serves both ends the logits decide, and tokens enter
// with 0.5 / sqrt(d_model): learned positions should then begin no larger
// (PositionForm::deviation).
struct Decoder {
  DecoderForm form;
  Slot embedding;  // (vocabulary, d_model)
  TransformerStack stack;
  Linear output;  // its weight is not declared where it is tied

  // Names "embedding", "decoder.", "output." and of complex positions "frequency".
  static Decoder declare(const Scope& scope, const DecoderForm& form);

  // The logits of the token after each, (rows, vocabulary), by what it sees up to it in its own
  // sequence; with a mask (length, length) by what that allows instead of the form. ids (rows) lie
  // in [0, vocabulary), those of padding, too, and live as long as the pass. InputError for other
  // ids, for sequences longer than the positions say and for a mask of another shape. The trace has
  // the names of a stack and "logits" under "decoder.", as a decoder's with an encoder.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const std::int32_t* ids, const Sequences& sequences,
                       const Mask* mask = nullptr) const;

  // The output layer of rows that the stack has let out, (rows, d_model).
  template <class S>
  Tensor<S> logits(Tape<S>& tape, const Tensor<S>& out) const;
  // The logits that rows of the residual stream would give were no layer left: the last norm, where
  // there is one, and the output layer ("logit lens", nostalgebraist 2020).
  template <class S>
  Tensor<S> lens(Tape<S>& tape, const Tensor<S>& residual) const;
};

}  // namespace core::model
