// What the heads of a published decoder attended to for each token that it wrote.
#pragma once

#include <memory>
#include <vector>

#include "core/checkpoint/checkpoint.h"

namespace core::checkpoint {

// What was read and what was written after it: a token of each at least. Of an encoder and a
// decoder `encoded` is the encoder's text, and `cross` asks for the attention to it.
struct Continuation {
  std::vector<std::int32_t> encoded = {}, prompt = {}, written = {};
  bool cross = false;
  bool operator==(const Continuation&) const = default;

  // What the decoder was given: all but the last token.
  std::vector<std::int32_t> given() const;
  // What columns of the weights stand for.
  std::vector<std::int32_t> read() const { return cross ? encoded : given(); }
};

struct WrittenHeads {
  Index first = 0;  // of the tokens written: those before would be too much
  // By layer and head, (written from `first` on, read): row i is the attention of the last token
  // that was read before written token first + i, as the model computed it then; kMasked: not seen.
  std::vector<std::vector<Matrix>> weights;

  Index layers() const { return static_cast<Index>(weights.size()); }
  Index heads() const { return weights.empty() ? 0 : static_cast<Index>(weights[0].size()); }
  Index rows() const { return weights.empty() ? 0 : weights[0][0].rows(); }
};

// At most so many bytes of weights are kept, of the last tokens. threads: 0 = all cores. InputError
// as Generation.
WrittenHeads written_heads(const std::shared_ptr<const Model>& model, const Continuation& text,
                           int threads, const Cancel& cancel = {},
                           Index most_bytes = Index{64} << 20);

}  // namespace core::checkpoint
