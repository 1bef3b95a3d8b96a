// How a model's tokens know where they stand: what becomes of embeddings, something that each head
// does with its queries, keys, scores or weights, or rows that are added to what each layer's
// attention is given. What each scheme does lies in schemes/, its mathematics in core/position.
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

// Numbers that are not learned, in either precision.
struct FixedRows {
  std::shared_ptr<const MatrixD> doubles;
  std::shared_ptr<const Matrix> floats;  // the same, rounded

  FixedRows() = default;
  explicit FixedRows(MatrixD rows);
  explicit operator bool() const { return doubles != nullptr; }
  // Rows from `first` on; nobody asks for their gradient.
  template <class S>
  Tensor<S> rows(Index first, Index count) const;
};

// What becomes of embeddings: nothing but for `learned`, `sinusoidal` and `complex`.
struct AddedPositions {
  Slot table;       // learned
  FixedRows fixed;  // sinusoidal
  Slot frequency;   // complex: of the words of the model whose stack it is

  static AddedPositions declare(const Scope& scope, Index d_model, const PositionForm& form);
  explicit operator bool() const { return table.declared() || fixed || frequency.declared(); }
  // x: the rows of the words `ids`. InputError for sequences longer than the form says.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const std::int32_t* ids,
                       const Sequences& sequences) const;
};

// complex: how far each word turns from place to place in each of its dimensions, "frequency",
// (words, d_model / 2); all begin with sinusoidal's. Of the word's number r exp(i theta) both parts
// are the embedding's own columns, so that the table is also the output layer's where it is tied:
// amplitude and phase are learned as the number's parts, the frequency as it is. Not declared for
// other schemes; InputError for an odd d_model.
Slot word_frequencies(const Scope& scope, Index words, Index d_model, const PositionForm& form);

// Queries and keys of heads that know where they stand, what is added to their scaled scores,
// (heads n, m) or (batch heads n, m), or nothing, and what their weights are multiplied by, (heads
// n, m), or nothing.
template <class S>
struct Placed {
  Tensor<S> q, k, bias = {}, factors = {};
};

// What heads do: nothing where a scheme acts on embeddings or layers. One for all layers of a
// stack, as T5 has it; Transformer-XL and DeBERTa project their distances anew in each layer, here
// all layers share the projections too. URPE has factors of its own in each layer.
struct HeadPositions {
  PositionForm form;
  Index heads = 1, width = 1;  // of queries' heads
  bool causal = false;
  Slot
      table;  // t5: (buckets, heads); relative: (2 clip + 1, width); deberta: (2 clip, heads width)
  Linear of_keys, of_queries;        // of distances: transformer_xl keys alone, deberta both
  Slot content_bias, position_bias;  // transformer_xl: u and v, (1, heads width)
  FixedRows sinusoids;               // transformer_xl: of distances longest - 1 to 1 - longest
  std::vector<Slot> factors;  // urpe: of each layer (2 longest - 1, heads), by key minus query
  // rotary, xpos: by how much places turn.
  struct Rotations {
    RotaryTableD doubles;
    RotaryTable floats;
  };
  std::shared_ptr<const Rotations> query_rotations, key_rotations;

  // `causal`: keys behind the query only, which T5's buckets ask for. InputError for rotary heads
  // and sinusoids of odd width.
  static HeadPositions declare(const Scope& scope, Index heads, Index width, bool causal,
                               const PositionForm& form, Index layers = 1);
  // q (rows, heads width), k (rows, fewer heads, width each): see Placed. Queries stand at the end
  // of the keys. InputError for sequences longer than the form says.
  template <class S>
  Placed<S> operator()(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k,
                       const Sequences& queries, const Sequences& keys, Index layer = 0) const;
  // What q . k is multiplied by: none, 1 / sqrt(width), where a scheme has none of its own.
  std::optional<double> scale() const;
};

// Numbers that were learned, and how many threads may work on them.
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

// What one query does with distances 0, 1, ... to the keys before it; empty: nothing.
struct DistanceTables {
  Matrix by_distance;  // added to a scaled score, (heads, longest)
  Matrix factors;      // weights are multiplied by it, (layers heads, longest)
  // Multiplied by queries before they are scaled. With a `clip`, the first distance that shares its
  // row with all beyond, one table for all heads, (clip + 1, width): row clip - distance. With
  // for_keys row head rows + rows / 2 + distance, `rows` being those of a head. Otherwise row head
  // longest + distance of (heads longest, width).
  Matrix for_queries;
  Index clip = -1;
  Matrix for_keys;       // multiplied by keys: row head rows + rows / 2 - distance
  Vector content_bias;   // added to queries that meet keys, (heads width)
  Vector position_bias;  // added to queries that meet for_queries
};
DistanceTables distance_tables(const Numbers& numbers, const HeadPositions& positions);

}  // namespace core::model
