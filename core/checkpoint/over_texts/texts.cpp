#include "core/checkpoint/over_texts/texts.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.h"

namespace core::checkpoint {
namespace {

// How badly what follows a row was guessed, and the guess.
struct Guess {
  double nats = 0;
  std::int32_t said = 0;
};

Guess guess(const Eigen::Ref<const Eigen::RowVectorXf>& logits, std::int32_t next) {
  const Eigen::RowVectorXd z = logits.cast<double>();
  Index said = 0;
  const double most = z.maxCoeff(&said);
  return {std::log((z.array() - most).exp().sum()) + most - z(next),
          static_cast<std::int32_t>(said)};
}

// One for each token of a text but the last, by its logits (n, vocabulary).
std::vector<Guess> guesses(const Matrix& logits, const TokenText& ids) {
  std::vector<Guess> all;
  for (std::size_t t = 0; t + 1 < ids.size(); ++t) {
    all.push_back(guess(logits.row(static_cast<Index>(t)), ids[t + 1]));
  }
  return all;
}

double nats(const std::vector<Guess>& of_text) {
  double sum = 0;
  for (const Guess& one : of_text) sum += one.nats;
  return sum;
}

}  // namespace

double text_nats(const Matrix& logits, const TokenText& ids) { return nats(guesses(logits, ids)); }

std::vector<TokenText> token_texts(const subword::Tokenizer& tokenizer,
                                   const std::vector<std::string>& texts, Index most,
                                   const Cancel& cancel) {
  std::vector<TokenText> all;
  for (const std::string& text : texts) {
    cancel.poll();
    const auto encoding = tokenizer.around(tokenizer.encode(text, cancel));
    const std::size_t count = std::min(encoding.ids.size(), static_cast<std::size_t>(most));
    all.emplace_back(encoding.ids.begin(),
                     encoding.ids.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return all;
}

TextLoss text_loss(const Model& model, const std::vector<TokenText>& texts,
                   const ForwardOptions<float>& changed, int threads, const Cancel& cancel) {
  ForwardOptions<float> options = changed;
  options.keep_weights = options.keep_heads = options.keep_parts = options.keep_layers = false;
  options.logits = Logits::all;
  options.threads = 1;
  const Cancel quiet = cancel.without_progress();
  std::vector<std::vector<Guess>> all(texts.size());
  parallel_for(static_cast<Index>(texts.size()), threads, [&](Index k, int) {
    const TokenText& ids = texts[static_cast<std::size_t>(k)];
    const Matrix logits = model.forward({.tokens = ids}, options, quiet).logits;
    all[static_cast<std::size_t>(k)] = guesses(logits, ids);
  });
  TextLoss loss;
  for (const auto& of_text : all) {
    for (const Guess& one : of_text) loss.said.push_back(one.said);
    loss.of_text.push_back(nats(of_text));
    loss.nats += loss.of_text.back();
  }
  return loss;
}

double changed_share(const TextLoss& before, const TextLoss& after) {
  Index changed = 0;
  for (std::size_t t = 0; t < before.said.size(); ++t) changed += before.said[t] != after.said[t];
  return before.tokens() > 0 ? static_cast<double>(changed) / static_cast<double>(before.tokens())
                             : 0;
}

double bits_per_byte(const TextLoss& loss, const std::vector<TokenText>& texts,
                     const subword::Tokenizer& tokenizer) {
  std::size_t bytes = 0;
  for (const TokenText& ids : texts) {
    for (std::size_t t = 1; t < ids.size(); ++t) bytes += tokenizer.bytes(ids[t]).size();
  }
  return loss.nats / std::numbers::ln2 / static_cast<double>(bytes);
}

}  // namespace core::checkpoint
