// The scores of one query in one head, and what they are made of.
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
  VectorD added = {};                // (m), added to the scaled products; empty: nothing
  std::optional<double> scale = {};  // none: 1 / sqrt(width)
  std::vector<bool> allowed = {};    // for each key; empty: all

  // scale query . key + added, (m), for keys that are not allowed, too. Each product is summed in
  // the order of its dimensions.
  std::vector<double> scores() const;
};

// One head of an attention whose heads lie side by side. With grouped heads there are fewer key
// heads, and neighboring query heads share one.
struct HeadOfMany {
  Index head = 0, heads = 1, key_heads = 1;
};
// Row `token` of queries (n, heads width) and all keys (m, key heads width).
HeadAttention head_attention(const Matrix& queries, const Matrix& keys, const HeadOfMany& of,
                             Index token);
// The same from a traced pass over one text. Below `attention`, such as "decoder.0.self.", the
// trace must have "queries", "keys" and, where something is added to scores, "bias"; else
// InputError.
HeadAttention head_attention(const Trace<float>& trace, const std::string& attention,
                             const HeadOfMany& of, Index token);

}  // namespace core::model
