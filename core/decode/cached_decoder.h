// A decoder that reads one token after another and keeps the keys and values of all before it, so
// that each token costs one pass over the weights and one over the cache.
#pragma once

#include <memory>
#include <vector>

#include "core/decode/key_value_cache.h"
#include "core/decode/packed_decoder.h"

namespace core::decode {

struct CachedOptions {
  CacheForm cache = {};
  Index longest = 0;          // tokens of a text; 0: as many as the model has places
  bool keep_weights = false;  // for looking at
  int threads = 0;            // 0: all cores
};

// Bytes that one token moves between memory and processor, if nothing stayed in a cache of the
// processor; as this machine keeps a decoder's numbers, in whole bytes each.
struct TokenBytes {
  Index weights = 0;  // PackedDecoder::bytes_a_token()
  Index tables = 0;   // what positions multiply by distance; 0 for most schemes
  Index cached = 0;   // keys and values of the tokens that it sees, its own among them
  Index written = 0;  // its own keys and values

  Index read() const { return weights + tables + cached; }
};

// Whether keys depend on positions before they are stored: a stored key then stays where it was.
bool is_in_keys(model::Scheme scheme);

// The logits are those of model::Decoder's whole pass, within rounding, under every scheme of
// positions, as long as the format of weights and cache is float32; with a window those of a pass
// whose mask is that window. Copies share the weights and have caches of their own.
class CachedDecoder {
 public:
  // InputError for places within the cache where the model has them in its keys, for a
  // window that is longer than the model's positions, and as CacheSlots says.
  CachedDecoder(std::shared_ptr<const PackedDecoder> weights, const CachedOptions& options);

  // Reads these tokens after all before; the logits of the token after the last, (vocabulary),
  // until the next call. At least one token. Feeding them one by one gives the same bits. Asks for
  // no memory of its own. InputError for tokens that the model has not, and for more tokens than
  // `longest`; nothing is read then.
  Eigen::Map<const Vector> read(const std::int32_t* ids, Index count);
  Eigen::Map<const Vector> read(const std::vector<std::int32_t>& ids) {
    return read(ids.data(), static_cast<Index>(ids.size()));
  }

  Index tokens() const { return tokens_; }
  Index held() const { return cache_.slots().held(tokens_); }
  void forget() { tokens_ = 0; }
  // Returns to the state after the first `tokens`. InputError where some of theirs were evicted
  // since.
  void back_to(Index tokens);

  // Weights of the newest token on the held slots, (held). Kept when the options say so, else
  // InputError.
  Eigen::Map<const Vector> weights(Index layer, Index head) const;

  const PackedDecoder& packed() const { return *weights_; }
  const KeyValueCache& cache() const { return cache_; }
  // Bytes for the token that would be the `tokens`-th, counted from 1.
  TokenBytes bytes_of_token(Index tokens) const;

 private:
  static constexpr Index kBlock = 16;  // tokens that the weights are read for at once

  struct Sizes {
    Index d = 0, layers = 0, heads = 1, key_heads = 1, width = 0, wide = 0;
    Index group() const { return heads / key_heads; }
  };
  // One worker's room for one group of heads; pieces of one buffer.
  struct Room {
    float *queries, *far_queries, *key, *scores, *products, *decoded;
  };
  // The newest token of a step, in one layer.
  struct Newest {
    Index layer, row, token;  // its row in the block, its number in the text
  };

  void reserve();
  Room room(int worker);
  void check(const std::int32_t* ids, Index count) const;
  void embed(const std::int32_t* ids, Index count);
  void rotate_word(std::int32_t id, Index position, float* x) const;
  model::View<const float> with_course(Index layer, Index count,
                                       const model::View<const float>& given);
  void read_block(const std::int32_t* ids, Index count);
  template <class Part>
  void around(const PackedNorm& norm, Index count, Part part);
  void attention(Index layer, Index count);
  void feed_forward(const PackedLayer& layer, Index count);
  void attend(const Newest& newest, Index key_head, const Room& room);
  void scale_weights(const Newest& newest, Index head, Index held, float* weights) const;
  void place_queries(const Newest& newest, Index key_head, bool closes_up, const Room& room) const;
  void score(const Newest& newest, Index key_head, const Room& room);
  void mask_scores(const Newest& newest, float* scores) const;
  void add_positions(const Newest& newest, Index head, const float* query, const Room& room,
                     float* scores) const;
  void add_disentangled(const Newest& newest, Index head, const float* query, const Room& room,
                        float* scores) const;
  void rotate(float* x, Index position, bool key) const;
  Index farthest(Index tokens) const;  // distance
  const Index* distances_of(Index row) const { return distances_.data() + row * capacity(); }
  Index capacity() const { return cache_.slots().capacity(); }
  model::View<float> rows(FloatBuffer& of, Index count, Index cols) {
    return {of.data(), count, cols};
  }
  void norm(const PackedNorm& with, Index count, const float* x, float* y);

  std::shared_ptr<const PackedDecoder> weights_;
  CachedOptions options_;
  Sizes sizes_;
  Index limit_ = 0;
  KeyValueCache cache_;
  Index tokens_ = 0;
  // The stream, what a part is given, what it makes, what attention and feed-forward have between.
  FloatBuffer x_, normed_, given_, made_, heads_, joined_, wide_, moments_, rooms_, kept_;
  std::vector<Index> distances_;  // (kBlock, capacity)
  Index room_ = 0;                // floats a worker
  Vector logits_;
};

}  // namespace core::decode
