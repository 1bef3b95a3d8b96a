// A published decoder as core/decode's cached decoder reads it: its weights in any format, and a
// cache that rounds, forgets and keeps the first tokens.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/decode/packed_decoder.h"

namespace core::checkpoint {

// Empty where a model can be laid out so; else what was expected: layers as in GPT-2 or LLaMA, a
// head, heads that share the whole width and see all before them, and rotations that do not depend
// on the text's length.
Message why_not_packed(const Model& model);

// Its form for texts of up to `longest` tokens; with a table of positions no more than it has rows.
// InputError where why_not_packed() says something.
model::DecoderForm decoder_form(const Model& model, Index longest);

// Logits, weights, keys and values are those of Model::forward, within rounding, where `stored` is
// float32 or the file's format. InputError likewise, and for formats as decode::stored_bytes()
// says.
decode::PackedDecoder packed(const Model& model, const Format& stored, Index longest,
                             const Cancel& cancel = {});

}  // namespace core::checkpoint
