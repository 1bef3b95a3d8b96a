// How large activations and gradients are along a stack of layers, at its start.
#pragma once

#include "app/labs/transformer/model.h"

namespace lab::transformer {

// A decoder alone: it reads letters and predicts the next one.
class LetterModel {
 public:
  LetterModel(const core::model::TransformerForm& form, Index layers);

  const core::model::Layout& layout() const { return layout_; }
  // The mean of -log of the next letter over `batch` windows of kWindow letters, 1 x 1.
  core::model::Tensor<float> loss(core::model::Tape<float>& tape, const std::int32_t* ids,
                                  const std::int32_t* next, Index batch, double total) const;

 private:
  core::model::Layout layout_;
  core::model::Slot embedding_;
  core::model::TransformerStack stack_;
  core::model::Linear output_;
};

// Small English sentences with pronouns and verbs that agree, made from a seed.
std::string letter_text(std::size_t letters, std::uint64_t seed);
inline constexpr std::string_view kLetters = " \nabcdefghijklmnopqrstuvwxyzABHJLMPSTW.,?";
inline constexpr Index kWindow = 48, kBatch = 8;

// Windows of a text from any place, one after another, and for each letter the next one.
struct Windows {
  std::vector<std::int32_t> ids, next;
};
Windows draw_windows(const std::string& text, std::uint64_t seed);

// What a variant is: where its norms stand, and whether it has residual lines.
struct Variant {
  NormPlace norm = NormPlace::after;
  bool residual = true;
  bool operator==(const Variant&) const = default;
};
inline constexpr std::array<Variant, 6> kVariants = {{{NormPlace::after, true},
                                                      {NormPlace::before, true},
                                                      {NormPlace::none, true},
                                                      {NormPlace::after, false},
                                                      {NormPlace::before, false},
                                                      {NormPlace::none, false}}};
core::model::TransformerForm varied(core::model::TransformerForm form, const Variant& variant);
// Width 32, 2 heads, feed-forward 64.
core::model::TransformerForm small_form(Activation activation = Activation::relu);

struct Depth {
  // After 0, 1, ... layers: root mean squares of activations and of gradients, and how much of an
  // activation differs from token to token: |x - mean over a window's tokens| / |x|.
  std::vector<double> forward, backward, apart;
  double loss = 0;
  double first = 0, last = 0;  // gradient norms of W_Q, W_K, W_V of the first and the last layer
};
// In the order of kVariants.
struct Depths {
  std::vector<Depth> all;
};
Depths depths_of(const core::model::TransformerForm& form, int layers, int seed, const Run& run);

}  // namespace lab::transformer
