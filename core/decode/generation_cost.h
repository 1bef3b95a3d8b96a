// Cost of generating a token, from a decoder's form alone: bytes that move and products, with a
// cache and without.
#pragma once

#include "core/decode/cached_decoder.h"

namespace core::decode {

// Keys and values of one token, in all layers: 2 layers key_heads width numbers.
Index cached_numbers(const model::DecoderForm& form);

// Bytes of the `tokens`-th token, counted from 1, with every number in the bits of its format:
// those of CachedDecoder::bytes_of_token() wherever a number fills its bytes.
TokenBytes generation_bytes(const model::DecoderForm& form, const Format& weights,
                            const CacheForm& cache, Index tokens);

// Bytes of a cache after `tokens` were read: cached_numbers of each that is held, packed.
Index cache_bytes(const model::DecoderForm& form, const CacheForm& cache, Index tokens);

// Multiply-adds. A token's own projections, feed-forward network and logits cost the same at every
// place; its scores and the sum of values grow with the tokens that it sees.
struct GenerationMacs {
  Index projections = 0;  // of one token, in all layers
  Index attention = 0;    // of the newest token: 2 layers d_model held
  Index logits = 0;       // d_model vocabulary
  Index once() const { return projections + attention + logits; }
};
GenerationMacs generation_macs(const model::DecoderForm& form, const CacheForm& cache,
                               Index tokens);
// Without a cache everything is computed anew for all of the text, but the logits of the newest
// token alone.
Index macs_without_cache(const model::DecoderForm& form, const CacheForm& cache, Index tokens);

}  // namespace core::decode
