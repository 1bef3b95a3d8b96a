// How much worse a published decoder guesses texts when its heads see less or say nothing, and
// whether the tokens that heads look at are those that count.
#pragma once

#include <vector>

#include "core/checkpoint/over_texts/texts.h"

namespace core::checkpoint {

// A query sees the last `window` keys, itself among them ("alone"), or the first token as well: an
// attention sink beside a sliding window (Xiao et al. 2023, section 3). Places stay those in the
// text. Losses in nats a token.
struct WindowLoss {
  Index window = 0;
  double alone = 0, with_first = 0;
};
struct WindowLosses {
  double whole = 0;  // all keys
  std::vector<WindowLoss> windows = {};
};
WindowLosses window_losses(const Model& model, const std::vector<TokenText>& texts,
                           const std::vector<Index>& windows, int threads = 0,
                           const Cancel& cancel = {});

// (layers, heads): by how much the loss rises, in nats a token, with the output of that head alone
// set to 0.
MatrixD ablated_losses(const Model& model, const std::vector<TokenText>& texts, int threads = 0,
                       const Cancel& cancel = {});

// Whether attention explains (Jain and Wallace 2019, section 4.2: leave one out). Behind the last
// token of each text: how far the distribution of the next token moves (total variation) when
// nobody may look at one of the tokens before, and the weight that a head gives that token; by how
// far the two rise together over those tokens, as Spearman's rho. The first token, which is no
// word, and the last are left out.
struct Explained {
  MatrixD rho;              // (layers, heads): the mean over texts
  double mean_weights = 0;  // of the weights of all heads, averaged
  Index texts = 0;          // that have at least three tokens between
};
Explained attention_explains(const Model& model, const std::vector<TokenText>& texts,
                             int threads = 0, const Cancel& cancel = {});

}  // namespace core::checkpoint
