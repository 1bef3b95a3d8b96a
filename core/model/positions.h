// How a model's tokens know where they stand: rows that are added to embeddings, or something that
// each head does with its queries, keys or scores. The schemes themselves lie in core/position.
#pragma once

#include <memory>
#include <optional>

#include "core/model/embedding.h"
#include "core/model/linear.h"
#include "core/position/rotary.h"

namespace core::model {

enum class Scheme {
  none,
  learned,     // a learned row added to each embedding (Gehring et al. 2017)
  sinusoidal,  // fixed rows (Vaswani et al. 2017, section 3.5)
  rotary,      // queries and keys turned (Su et al. 2021)
  alibi,       // a penalty by distance, a slope a head (Press, Smith and Lewis 2022)
  t5,          // a learned bias by bucket of distance and head (Raffel et al. 2020)
  relative,    // learned keys by distance (Shaw, Uszkoreit and Vaswani 2018, equation 4), shared by
               // heads; without the values of equation 3, which their table 3 finds to add nothing
  xpos,        // turned, and shrunk with distance (Sun et al. 2022); for causal attention
  transformer_xl,  // sinusoids of distances, projected, and two learned vectors (Dai et al. 2019)
  deberta  // content with position and position with content (He et al. 2021, equations 2 to 4)
};

struct PositionForm {
  Scheme scheme = Scheme::none;
  Index longest = 512;                 // no sequence may be longer
  double base = 10000;                 // sinusoidal, rotary, xpos, transformer_xl
  double deviation = 0.5;              // of the start of learned rows: learned, deberta
  Index clip = 16;                     // relative, deberta (its k): distances beyond share a row
  Index buckets = 32, farthest = 128;  // t5
  double scale_base = 512;             // xpos: B, in tokens

  bool operator==(const PositionForm&) const = default;
};

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

// What is added to embeddings: nothing but for `learned` and `sinusoidal`.
struct AddedPositions {
  Slot table;       // learned
  FixedRows fixed;  // sinusoidal

  static AddedPositions declare(const Scope& scope, Index d_model, const PositionForm& form);
  // InputError for sequences longer than the form says.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences) const;
};

// Queries and keys of heads that know where they stand, and what is added to their scaled scores,
// (heads n, m) or (batch heads n, m), or nothing.
template <class S>
struct Placed {
  Tensor<S> q, k, bias;
};

// What heads do: nothing but for the other schemes. One for all layers of a stack, as T5 has it;
// Transformer-XL and DeBERTa project their distances anew in each layer, here all layers share the
// projections too.
struct HeadPositions {
  PositionForm form;
  Index heads = 1, width = 1;  // of queries' heads
  bool causal = false;
  Slot
      table;  // t5: (buckets, heads); relative: (2 clip + 1, width); deberta: (2 clip, heads width)
  Linear of_keys, of_queries;        // of distances: transformer_xl keys alone, deberta both
  Slot content_bias, position_bias;  // transformer_xl: u and v, (1, heads width)
  FixedRows sinusoids;               // transformer_xl: of distances longest - 1 to 1 - longest
  // rotary, xpos: by how much places turn.
  struct Turns {
    RotaryTableD doubles;
    RotaryTable floats;
  };
  std::shared_ptr<const Turns> query_turns, key_turns;

  // `causal`: keys behind the query only, which T5's buckets ask for. InputError for rotary heads
  // and sinusoids of odd width.
  static HeadPositions declare(const Scope& scope, Index heads, Index width, bool causal,
                               const PositionForm& form);
  // q (rows, heads width), k (rows, fewer heads, width each): see Placed. Queries stand at the end
  // of the keys. InputError for sequences longer than the form says.
  template <class S>
  Placed<S> operator()(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k,
                       const Sequences& queries, const Sequences& keys) const;
  // What q . k is multiplied by: none, 1 / sqrt(width), where a scheme has none of its own.
  std::optional<double> scale() const;

 private:
  template <class S>
  Placed<S> by_sinusoids(Tape<S>& tape, const Placed<S>& heads, const Sequences& queries,
                         const Sequences& keys) const;
  template <class S>
  Placed<S> disentangled(Tape<S>& tape, const Placed<S>& heads, const Sequences& queries,
                         const Sequences& keys) const;
};

}  // namespace core::model
