// Keys and values of the tokens that a decoder has read, as they are used again: keys turned. Of a
// decoder that looks at another text, also those of that text.
#pragma once

#include <optional>
#include <vector>

#include "core/types.h"

namespace core::checkpoint {

// Grows by doubling: nothing is held for tokens that never come.
class Past {
 public:
  Past(Index layers, Index key_heads, Index width);

  // Those that all layers have.
  Index tokens() const { return tokens_; }
  void set_tokens(Index tokens) { tokens_ = tokens; }
  Index bytes() const;
  Index key_heads() const { return key_heads_; }

  // Rows of k and v (n, key_heads width) become those of the tokens from tokens() on, in one layer.
  void put(Index layer, const Matrix& k, const Matrix& v);
  // Rows of one head, `width` numbers each, without gaps.
  const float* keys(Index layer, Index head) const { return at(layer, head).keys.data(); }
  const float* values(Index layer, Index head) const { return at(layer, head).values.data(); }
  // The first `count` tokens of all heads, (count, key_heads width).
  Matrix all_keys(Index layer, Index count) const;
  Matrix all_values(Index layer, Index count) const;

 private:
  struct Head {
    Matrix keys, values;  // (capacity, width)
  };
  const Head& at(Index layer, Index head) const {
    return heads_[static_cast<std::size_t>(layer * key_heads_ + head)];
  }

  Index key_heads_, width_, tokens_ = 0;
  std::vector<Head> heads_;
};

// Keys and values of a decoder, and of its encoder: none where it has no encoder. Both are kept in
// the layers of the decoder.
struct Pasts {
  Past self;
  std::optional<Past> across = {};  // tokens: 0 until the encoder was run
};

}  // namespace core::checkpoint
