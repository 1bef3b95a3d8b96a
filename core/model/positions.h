// How a model's tokens know where they stand: rows that are added to embeddings, or something that
// each head does with its queries, keys or scores. The schemes themselves lie in core/position.
#pragma once

#include <memory>

#include "core/model/embedding.h"
#include "core/position/rotary.h"

namespace core::model {

enum class Scheme {
  none,
  learned,     // a learned row added to each embedding (Gehring et al. 2017)
  sinusoidal,  // fixed rows (Vaswani et al. 2017, section 3.5)
  rotary,      // queries and keys turned (Su et al. 2021)
  alibi,       // a penalty by distance, a slope a head (Press, Smith and Lewis 2022)
  t5,          // a learned bias by bucket of distance and head (Raffel et al. 2020)
  relative     // learned keys by distance (Shaw, Uszkoreit and Vaswani 2018, equation 4), shared by
               // heads; without the values of equation 3, which their table 3 finds to add nothing
};

struct PositionForm {
  Scheme scheme = Scheme::none;
  Index longest = 512;                 // no sequence may be longer
  double base = 10000;                 // sinusoidal, rotary
  double deviation = 0.5;              // of the start of learned rows
  Index clip = 16;                     // relative: distances beyond share a key
  Index buckets = 32, farthest = 128;  // t5

  bool operator==(const PositionForm&) const = default;
};

// y = what turning each head of x gives: pair i of the row at place p by the angle in row p of the
// table (RotaryPairing::neighbours).
template <class S>
struct RotateStep {
  Tensor<S> x, y;
  const RotaryTableOf<S>* table;
  Index length, width;  // of sequences; of heads
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// y (heads n, m): y[h n + i][j] = table[bucket of j - i][h]. Queries stand at the end of the keys.
template <class S>
struct BucketBiasStep {
  Tensor<S> table, y;
  const std::int32_t* buckets;  // of j - i from -(n - 1) on
  Index n, m, heads;
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// y (batch heads n, m): y[.. i][j] = scale q_i . table[clip(j - i)].
template <class S>
struct RelativeKeysStep {
  Tensor<S> q, table, y;
  Sequences queries, keys;
  Index heads;
  S scale;
  S* products;  // (n, table.rows): room for one head
  void forward(Tape<S>& tape) const;
  void backward(Tape<S>& tape) const;
};

// What is added to embeddings: nothing but for `learned` and `sinusoidal`.
struct AddedPositions {
  Slot table;                                  // learned
  std::shared_ptr<const MatrixD> fixed;        // sinusoidal
  std::shared_ptr<const Matrix> fixed_floats;  // the same, rounded

  static AddedPositions declare(const Scope& scope, Index d_model, const PositionForm& form);
  // InputError for sequences longer than the form says.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences) const;
};

// What heads do: nothing but for the other schemes. One for all layers of a stack, as T5 has it.
struct HeadPositions {
  PositionForm form;
  Index heads = 1, width = 1;  // of queries' heads
  bool causal = false;
  Slot table;  // t5: (buckets, heads); relative: (2 clip + 1, width)
  std::shared_ptr<const RotaryTableD> turns;
  std::shared_ptr<const RotaryTable> turns_floats;

  // `causal`: keys behind the query only, which T5's buckets ask for. InputError for rotary heads
  // of odd width.
  static HeadPositions declare(const Scope& scope, Index heads, Index width, bool causal,
                               const PositionForm& form);
  // x (rows, any number of heads of this width), turned where the scheme turns.
  template <class S>
  Tensor<S> turned(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences) const;
  // What is added to the scaled scores of q, or nothing.
  template <class S>
  Tensor<S> bias(Tape<S>& tape, const Tensor<S>& q, const Sequences& queries,
                 const Sequences& keys) const;
};

}  // namespace core::model
