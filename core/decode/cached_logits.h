// The logits of the token after a text, asked for again and again.
#pragma once

#include <memory>
#include <vector>

#include "core/decode/cached_decoder.h"

namespace core::decode {

// Keeps what it read of the last text: of one that begins as that did only the rest is read. Not
// for several threads at once.
class CachedLogits {
 public:
  // InputError as CachedDecoder says.
  explicit CachedLogits(std::shared_ptr<const PackedDecoder> weights, int threads = 1)
      : decoder_(std::move(weights), {.threads = threads}) {}

  // (vocabulary); those of model::Decoder's whole pass, within rounding. InputError without tokens,
  // for tokens that the model has not, and for more than it has places for.
  VectorD operator()(const std::vector<std::int32_t>& ids);

 private:
  CachedDecoder decoder_;
  std::vector<std::int32_t> read_;
};

}  // namespace core::decode
