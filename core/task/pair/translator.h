// A model that reads a text and writes another, whatever it is made of, and how well it does.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/model/encoder_decoder.h"
#include "core/model/learning/parts.h"
#include "core/model/recurrent/recurrent_translator.h"
#include "core/task/pair/pair_batch.h"

namespace core::task {

// The vocabulary's size comes from the task.
struct TranslatorForm {
  enum class Kind { transformer, recurrent };
  Kind kind = Kind::transformer;
  model::EncoderDecoderForm transformer = {};
  model::RecurrentTranslator::Form recurrent = {};

  bool operator==(const TranslatorForm&) const = default;
};

class Translator {
 public:
  Translator(const TranslatorForm& form, Index vocabulary);

  const model::Layout& layout() const { return layout_; }

  // Logits of the token after each written one, (rows of the target, vocabulary).
  template <class S>
  model::Tensor<S> logits(model::Tape<S>& tape, const PairBatch& batch) const;

 private:
  model::Layout layout_;
  TranslatorForm::Kind kind_;
  model::EncoderDecoder transformer_;     // of its kind
  model::RecurrentTranslator recurrent_;  // likewise
};

// A task with a model for it, and room to compute in: everything but the numbers that are learned.
struct PairModel {
  PairTask task;  // of an own list that is not at hand, without its pairs
  Vocabulary vocabulary;
  Translator translator;
  mutable model::ObjectPool<model::Tape<float>> tapes = {};

  PairModel(PairTask of, const TranslatorForm& form, std::vector<std::string> symbols)
      : task(std::move(of)), vocabulary(std::move(symbols)), translator(form, vocabulary.size()) {}

  Encoded encoded(const Pair& pair) const { return encode(task, vocabulary, pair); }
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

// values: the parameters of the model's layout, here and below.
Score score(const PairModel& model, const float* values, const std::vector<Encoded>& pairs,
            int threads);

// What a model writes by itself, the likeliest token each time: ids up to its end or `most` of
// them, without the end. `source` with its end.
std::vector<std::int32_t> write(const PairModel& model, const float* values,
                                const std::vector<std::int32_t>& source, Index most);

// One pass over a source, with its end, and what is written after it, with names.
struct Looked {
  model::Trace<float> trace;
  Matrix probabilities;  // (written + 1, vocabulary): of the token after each
};
Looked look(const PairModel& model, const float* values, const Encoded& pair);

}  // namespace core::task
