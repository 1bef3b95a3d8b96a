// A text that is read token after token with a cache, and what lies in it.
#pragma once

#include <memory>
#include <vector>

#include "core/decode/cached_decoder.h"

namespace core::decode {

// V tokens in the vocabulary, n in the text.
struct CachedReading {
  MatrixD log_p = {};                // (n, V): of the token after each
  Matrix logits = {};                // (n, V)
  std::vector<Matrix> weights = {};  // by layer and head, (n, n): kMasked where no key is held
  // By layer and key head, (n, width): as they are kept; of what was evicted 0.
  std::vector<Matrix> keys = {}, values = {};
  std::vector<Index> bytes = {};  // (n): of the cache after each token
};
// The same bits with any number of threads (0: all cores). InputError as CachedDecoder says.
CachedReading read_with_cache(const std::shared_ptr<const PackedDecoder>& packed,
                              const CacheForm& cache, const std::vector<std::int32_t>& ids,
                              const Cancel& cancel = {}, int threads = 1);

// The likeliest token after `token`.
Index likeliest(const CachedReading& reading, Index token);

// How far apart two readings of a text are, token by token.
struct ReadingsApart {
  std::vector<double> logit, divergence;  // the largest difference; KL(exact, other) in nats
  Index changed = 0;                      // tokens whose likeliest next one is another
  double mean_divergence = 0;
};
ReadingsApart apart(const CachedReading& exact, const CachedReading& other);

}  // namespace core::decode
