// Position schemes in a model: each changes the embeddings, or the queries, keys, scores or weights
// of each head, or adds rows to the input of each layer's attention. What each scheme does is in
// schemes/, its mathematics in core/position.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/model/layer/embedding.h"
#include "core/model/layer/flow.h"
#include "core/model/layer/linear.h"
#include "core/model/positions/scheme.h"
#include "core/position/rotary/rotary.h"

namespace core::model {

// Fixed numbers, not learned, in both precisions.
struct FixedRows {
  std::shared_ptr<const MatrixD> doubles;
  std::shared_ptr<const Matrix> floats;  // the same, rounded

  FixedRows() = default;
  explicit FixedRows(MatrixD rows);
  explicit operator bool() const { return doubles != nullptr; }
  // Rows from `first` on, without a gradient.
  template <class S>
  Tensor<S> rows(Index first, Index count) const;
};

// Changes of embeddings: only for `learned`, `sinusoidal` and `complex`.
struct AddedPositions {
  Slot table;       // learned
  FixedRows fixed;  // sinusoidal
  Slot frequency;   // complex: of the words of the model to which the stack belongs

  static AddedPositions declare(const Scope& scope, Index d_model, const PositionForm& form);
  explicit operator bool() const { return table.declared() || fixed || frequency.declared(); }
  // x: the embeddings of the words `ids`. InputError for sequences longer than the form allows.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const std::int32_t* ids,
                       const Sequences& sequences) const;
};

// complex: the rotation of each word from one position to the next, by dimension, "frequency",
// (words, d_model / 2), initially the sinusoidal frequencies for every word. Both parts of the
// word's number r exp(i theta) are columns of the embedding, which is also the output layer where
// it is tied: amplitude and phase are learned as the parts of that number, the frequency directly.
// Not declared for other schemes; InputError for an odd d_model.
Slot word_frequencies(const Scope& scope, Index words, Index d_model, const PositionForm& form);

// Queries and keys with their positions; what is added to their scaled scores, (heads n, m) or
// (batch heads n, m), or nothing; and the factors of their weights, (heads n, m), or nothing.
template <class S>
struct Placed {
  Tensor<S> q, k, bias = {}, factors = {};
};

// What heads do: nothing where a scheme acts on embeddings or layers. One for all layers of a
// stack, as in T5. Transformer-XL and DeBERTa project their distances again in each layer; here all
// layers share the projections, too. URPE has factors of its own in each layer.
struct HeadPositions {
  PositionForm form;
  Index heads = 1, width = 1;  // of queries' heads
  bool causal = false;
  Slot
      table;  // t5: (buckets, heads); relative: (2 clip + 1, width); deberta: (2 clip, heads width)
  Linear of_keys, of_queries;  // projections of distances: transformer_xl keys only, deberta both
  Slot content_bias, position_bias;  // transformer_xl: u and v, (1, heads width)
  FixedRows sinusoids;               // transformer_xl: at distances longest - 1 to 1 - longest
  std::vector<Slot> factors;  // urpe: for each layer (2 longest - 1, heads), by key minus query
  // rotary, xpos: the rotation at each position.
  struct Rotations {
    RotaryTableD doubles;
    RotaryTable floats;
  };
  std::shared_ptr<const Rotations> query_rotations, key_rotations;

  // `causal`: only keys up to the query, which T5's buckets depend on. InputError for rotary heads
  // and sinusoids of odd width.
  static HeadPositions declare(const Scope& scope, Index heads, Index width, bool causal,
                               const PositionForm& form, Index layers = 1);
  // q (rows, heads width), k (rows, fewer heads, width each): see Placed. The last query stands at
  // the last key. InputError for sequences longer than the form allows.
  template <class S>
  Placed<S> operator()(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k,
                       const Sequences& queries, const Sequences& keys, Index layer = 0) const;
  // The factor of q . k, where a scheme has its own; none: 1 / sqrt(width).
  std::optional<double> scale() const;
};

// Learned numbers, and how many threads may work on them.
struct Numbers {
  const float* values;  // of a layout
  int threads = 0;

  const float* of(const Slot& slot) const { return values + slot.offset; }
  Matrix matrix(const Slot& slot) const {
    return Eigen::Map<const Matrix>(of(slot), slot.rows, slot.cols);
  }
  // Empty where it is not declared.
  Vector vector(const Slot& slot) const {
    if (!slot.declared()) return {};
    return Eigen::Map<const Vector>(of(slot), slot.size());
  }
};

// Tables for one query and the keys at distances 0, 1, ... before it; an empty one does nothing.
struct DistanceTables {
  Matrix by_distance;  // added to a scaled score, (heads, longest)
  Matrix factors;      // factors of weights, (layers heads, longest)
  // Multiplied by queries before scaling. With a `clip`, the first distance that shares its row
  // with all larger ones, one table for all heads, (clip + 1, width): row clip - distance. With
  // for_keys: row head rows + rows / 2 + distance, where each head has `rows` rows. Otherwise row
  // head longest + distance of (heads longest, width).
  Matrix for_queries;
  Index clip = -1;
  Matrix for_keys;       // multiplied by keys: row head rows + rows / 2 - distance
  Vector content_bias;   // added to queries before their product with keys, (heads width)
  Vector position_bias;  // added to queries before their product with for_queries
};
DistanceTables distance_tables(const Numbers& numbers, const HeadPositions& positions);

}  // namespace core::model
