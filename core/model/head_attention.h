// How one token looks in one head: what its scores are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/trace.h"
#include "core/types.h"

namespace core::model {

struct HeadAttention {
  VectorD query;                     // (width)
  MatrixD keys;                      // (m, width)
  VectorD added = {};                // (m), to the scaled products; empty: nothing
  std::optional<double> scale = {};  // none: 1 / sqrt(width)
  std::vector<bool> allowed = {};    // by key; empty: all

  // scale query . key + added, (m), also of keys that are not allowed. Each product is summed in
  // the order of its dimensions.
  std::vector<double> scores() const;
};

// Which head of an attention with its heads side by side; of grouped heads the keys' are fewer, and
// neighbouring heads read the same.
struct HeadOfMany {
  Index head = 0, heads = 1, key_heads = 1;
};
// Row `token` of queries (n, heads width) and all keys (m, key heads width).
HeadAttention head_attention(const Matrix& queries, const Matrix& keys, const HeadOfMany& of,
                             Index token);
// The same of a traced pass over one text: "decoder.0.self." has "queries", "keys" and, where
// something is added to scores, "bias". InputError where they were not traced.
HeadAttention head_attention(const Trace<float>& trace, const std::string& attention,
                             const HeadOfMany& of, Index token);

}  // namespace core::model
