// Position steps on queries, keys and scores, forward and backward.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/model/learning/tape.h"
#include "core/position/rotary/rotary.h"

namespace core::model {

// y = x with each head rotated: pair i of the row at position p by the angle in row p of the table
// (RotaryPairing::neighbors).
template <class S>
struct RotateStep {
  Tensor<S> x, y;
  const RotaryTableOf<S>* table;
  Index length, width;  // length of a sequence; width of a head
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// y (heads n, m): y[h n + i][j] = table[bucket of j - i][h]. The last query stands at the last key.
template <class S>
struct BucketBiasStep {
  Tensor<S> table, y;
  const std::int32_t* buckets;  // of j - i from -(n - 1) on
  Index n, m, heads;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// Row of a table for the distance j - i: zero + (j - i), or zero - (j - i); larger distances use
// the first or last row. The last query stands at the last key.
struct DistanceRows {
  Index zero = 0;
  bool falls = false;

  Index at(Index distance, Index rows) const {
    return std::clamp<Index>(falls ? zero - distance : zero + distance, 0, rows - 1);
  }
};

// y (batch heads n, m): y[.. i][j] = scale x . table[row of j - i], where x is q_i, or k_j with
// `of_keys`; or y += that. x (rows, x_heads width), x_heads dividing heads; table (rows, width) for
// all heads, or (rows, heads width).
template <class S>
struct DistanceTermStep {
  Tensor<S> x, table, y;
  Sequences queries, keys;
  Index heads, x_heads;
  DistanceRows distances;
  bool of_keys, adds;
  S scale;
  S* products;  // (queries or keys of one sequence, table.rows): room for one head

  Index width() const { return x.cols / x_heads; }
  const Sequences& side() const { return of_keys ? keys : queries; }
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

}  // namespace core::model
