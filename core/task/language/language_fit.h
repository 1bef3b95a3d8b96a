// Training a language model, step by step. Which windows a step learns from and what is dropped
// follow from the seed and the number of the step, so that a training that goes on from a kept
// state, with any number of threads, ends with the same bits as one that was never interrupted.
#pragma once

#include <vector>

#include "core/model/learning/optimizer.h"
#include "core/model/learning/parts.h"
#include "core/task/language/language_model.h"
#include "core/task/language/packed_text.h"

namespace core::task {

struct LanguageOptions {
  model::OptimizerOptions optimizer = {.beta2 = 0.95, .decay = 0.1, .clip = 1};
  model::Schedule schedule = {.kind = model::Schedule::Kind::steady,
                              .rate = 1.5e-3,
                              .warmup = 100,
                              .steps = 1000,
                              .last = 0.01};
  Index batch = 16;  // windows of a step
  std::uint64_t seed = 0;

  bool operator==(const LanguageOptions&) const = default;
};

// Where a training stands.
struct LanguageState {
  std::vector<float> values;          // the parameters, in the order of their layout
  model::Optimizer<float> optimizer;  // its steps() are those that were made
  double loss = 0;                    // of the last step's batch, before the step; in nats a token
  double gradient_norm = 0;           // before clipping
};

class LanguageFit {
 public:
  // The text's windows are as long as the form's context or shorter; its ids lie in the vocabulary.
  LanguageFit(const LanguageForm& form, const LanguageOptions& options, PackedText text);

  const LanguageModel& model() const { return model_; }
  const LanguageOptions& options() const { return options_; }
  const PackedText& text() const { return text_; }
  LanguageState begin() const;
  // threads: 0 = all cores; their number changes no bit.
  void step(LanguageState& state, int threads);

 private:
  LanguageModel model_;
  LanguageOptions options_;
  PackedText text_;
  model::Parts parts_;
  std::vector<std::int32_t> ids_, next_;  // (batch, window)
};

// How well held-out texts are guessed.
struct LanguageScore {
  double bits = 0;   // -log2 of the probabilities of all tokens that were guessed
  Index tokens = 0;  // of them
  Index bytes = 0;   // that they stand for
  double bits_per_byte() const { return bits / static_cast<double>(bytes); }
};

// The texts stand one after another, in this order, as in a PackedText, and windows of the form's
// context move over them by half of it: each guess sees at least half a context, but for those of
// the first half, which are not counted. bytes_of: of each id; the separator stands for one, the
// line end of a file of lines. At most `most` windows, evenly spread, 0: all.
LanguageScore score(const LanguageModel& model, const float* values,
                    const std::vector<TokenText>& texts, std::int32_t separator,
                    const std::vector<Index>& bytes_of, Index most, int threads);

}  // namespace core::task
