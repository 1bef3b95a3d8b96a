// A model that reads a text and writes another, whatever it is made of, and how well it does.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/encoder_decoder.h"
#include "core/model/parts.h"
#include "core/task/pair_batch.h"

namespace core::task {

// The vocabulary's size comes from the task.
struct TranslatorForm {
  model::EncoderDecoderForm transformer;

  bool operator==(const TranslatorForm&) const = default;
};

class Translator {
 public:
  Translator(const TranslatorForm& form, Index vocabulary);

  const model::Layout& layout() const { return layout_; }
  const model::EncoderDecoder& transformer() const { return transformer_; }

  // Of the token after each written one, (rows of the target, vocabulary).
  template <class S>
  model::Tensor<S> logits(model::Tape<S>& tape, const PairBatch& batch) const;

 private:
  model::Layout layout_;
  model::EncoderDecoder transformer_;
};

// How much of what is to be written a model has right, told what stands before each token: a text
// is right when each of its tokens and its end are, which is when writing it alone would be.
struct Score {
  Index pairs = 0, right = 0;
  Index tokens = 0, tokens_right = 0;
  double loss = 0;  // mean over tokens

  double accuracy() const { return share(right, pairs); }
  double token_accuracy() const { return share(tokens_right, tokens); }

 private:
  static double share(Index part, Index all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
  }
};

using Tapes = model::Lent<model::Tape<float>>;

Score score(const Translator& translator, const float* values, const std::vector<Encoded>& pairs,
            Tapes& tapes, int threads);

// What a model writes by itself, the likeliest token each time: ids up to its end or `most` of
// them, without the end.
std::vector<std::int32_t> write(const Translator& translator, const float* values,
                                const std::vector<std::int32_t>& source, Index most, Tapes& tapes);

// One pass over a source, with its end, and what is written after it, with names.
struct Looked {
  model::Trace<float> trace;
  Matrix probabilities;  // (written + 1, vocabulary): of the token after each
};
Looked look(const Translator& translator, const float* values,
            const std::vector<std::int32_t>& source, const std::vector<std::int32_t>& written,
            Tapes& tapes);

}  // namespace core::task
