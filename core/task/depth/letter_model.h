// A small decoder that reads letters and predicts the next one, and the text it reads: small enough
// that stacks of any depth are compared while one waits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/transformer.h"

namespace core::task {

inline constexpr std::string_view kLetters = " \nabcdefghijklmnopqrstuvwxyzABHJLMPSTW.,?";
inline constexpr Index kLetterWindow = 48, kLetterBatch = 8;  // letters of a window, windows

// Rotary positions, an output layer of its own.
class LetterModel {
 public:
  // A stack of `layers` such layers. InputError for widths that heads cannot share.
  LetterModel(const model::TransformerForm& form, Index layers);

  const model::Layout& layout() const { return layout_; }
  // The sum of -log p of the next letter, in nats, over `batch` windows of kLetterWindow letters,
  // divided by `total`; 1 x 1. ids, next: (batch, kLetterWindow) in [0, kLetters.size()), alive as
  // long as the pass. Names of the trace as TransformerStack has them.
  model::Tensor<float> loss(model::Tape<float>& tape, const std::int32_t* ids,
                            const std::int32_t* next, Index batch, double total) const;

 private:
  model::Layout layout_;
  model::Slot embedding_;
  model::TransformerStack stack_;
  model::Linear output_;
};

// Width 32, 2 heads, feed-forward 64.
model::TransformerForm small_form(model::Activation activation = model::Activation::relu);

// Short English sentences with pronouns and verbs that agree, made of kLetters from a seed: whole
// sentences, at least so many letters.
std::string letter_text(std::size_t letters, std::uint64_t seed);

// The mean of -log p of a letter by how often each comes in the text, in nats: the loss of a model
// that knows nothing else. 0 for an empty text.
double letter_entropy(std::string_view text);

// kLetterBatch windows of a text from places that follow from the seed, one after another, and for
// each letter the next one. InputError for a text without room for a window and a letter more.
struct LetterWindows {
  std::vector<std::int32_t> ids, next;
};
LetterWindows draw_windows(const std::string& text, std::uint64_t seed);

}  // namespace core::task
