// Texts one after another, in another order in each epoch, cut into windows of one length: what a
// language model learns from, as published ones do.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace core::task {

using TokenText = std::vector<std::int32_t>;

class PackedText {
 public:
  // texts: tokens of each, without the separator, which stands before each and after the last one.
  // InputError where all of it is shorter than a window and the token after it.
  PackedText(std::vector<TokenText> texts, std::int32_t separator, Index window,
             std::uint64_t seed);

  Index window() const { return window_; }
  // How many an epoch has, with separators.
  Index tokens() const { return tokens_; }
  // Follows from texts, separator and seed, and is hardly ever that of others.
  std::uint64_t hash() const { return hash_; }
  Index windows() const { return (tokens_ - 1) / window_; }
  // Window `number` of all epochs, counted on from one to the next: window + 1 tokens, of which the
  // last is what follows. It follows from the seed and the number alone; those of the same epoch
  // are quick to find. Not to be called from several threads at once.
  const std::int32_t* at(Index number);

 private:
  void arrange(Index epoch);

  std::vector<TokenText> texts_;
  std::int32_t separator_;
  Index window_, tokens_ = 0, epoch_ = -1;
  std::uint64_t seed_, hash_;
  std::vector<std::int32_t> stream_;  // of the epoch
};

}  // namespace core::task
