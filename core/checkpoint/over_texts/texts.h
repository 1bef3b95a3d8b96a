// Many short texts, each read by itself by a published decoder: how well it guesses them, as it is
// or changed.
#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/tokenizer.h"

namespace core::checkpoint {

using TokenText = std::vector<std::int32_t>;

// Each with the tokenizer's template around it, of which the first `most` tokens.
std::vector<TokenText> token_texts(const subword::Tokenizer& tokenizer,
                                   const std::vector<std::string>& texts, Index most,
                                   const Cancel& cancel = {});

// Over all tokens but the first of each text.
struct TextLoss {
  double nats = 0;                      // their sum
  std::vector<double> of_text = {};     // the sum of each text
  std::vector<std::int32_t> said = {};  // the likeliest at each, text after text
  Index tokens() const { return static_cast<Index>(said.size()); }
  double mean() const { return tokens() > 0 ? nats / static_cast<double>(tokens()) : 0; }
};
// `options`: what is changed; what they keep and their threads are set here. The same bits with any
// number of threads. InputError as Model::forward.
TextLoss text_loss(const Model& model, const std::vector<TokenText>& texts,
                   const ForwardOptions<float>& options = {}, int threads = 0,
                   const Cancel& cancel = {});
// The nats of one text by its logits (n, vocabulary), as TextLoss counts them.
double text_nats(const Matrix& logits, const TokenText& ids);
// The share of tokens at which another next token is likeliest.
double changed_share(const TextLoss& before, const TextLoss& after);

// Bits for each byte of what was guessed.
double bits_per_byte(const TextLoss& loss, const std::vector<TokenText>& texts,
                     const subword::Tokenizer& tokenizer);

}  // namespace core::checkpoint
