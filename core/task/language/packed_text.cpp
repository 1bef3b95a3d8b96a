#include "core/task/language/packed_text.h"

#include <numeric>
#include <string>
#include <utility>

#include "core/random.h"
#include "core/refuse.h"
#include "core/task/language/shuffle.h"

namespace core::task {

PackedText::PackedText(std::vector<TokenText> texts, std::int32_t separator, Index window,
                       std::uint64_t seed)
    : texts_(std::move(texts)), separator_(separator), window_(window), seed_(seed) {
  tokens_ = 1;
  hash_ = stream_seed(seed, static_cast<std::uint64_t>(separator));
  for (const TokenText& text : texts_) {
    tokens_ += std::ssize(text) + 1;
    hash_ = stream_seed(hash_, text.size());
    for (const std::int32_t id : text) hash_ = mix64(hash_ + static_cast<std::uint64_t>(id) + 1);
  }
  if (window_ < 1 || tokens_ <= window_) {
    refuse("packed text", "more than " + std::to_string(window_) + " tokens",
           std::to_string(tokens_));
  }
}

void PackedText::arrange(Index epoch) {
  Random random(stream_seed(seed_, static_cast<std::uint64_t>(epoch)));
  std::vector<std::uint32_t> order(texts_.size());
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, random);
  stream_.clear();
  stream_.reserve(static_cast<std::size_t>(tokens_));
  stream_.push_back(separator_);
  for (const std::uint32_t k : order) {
    stream_.insert(stream_.end(), texts_[k].begin(), texts_[k].end());
    stream_.push_back(separator_);
  }
  epoch_ = epoch;
}

const std::int32_t* PackedText::at(Index number) {
  const Index epoch = number / windows();
  if (epoch != epoch_) arrange(epoch);
  return stream_.data() + number % windows() * window_;
}

}  // namespace core::task
