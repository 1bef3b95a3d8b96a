// Steps on queries, keys and scores that several schemes share.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <type_traits>

#include "core/model/layer/distance_steps.h"
#include "core/model/positions/positions.h"
#include "core/refuse.h"

namespace core::model {

inline void require_length(Index length, Index longest) {
  if (length > longest) {
    refuse("positions", "at most " + std::to_string(longest) + " tokens", std::to_string(length));
  }
}
inline void require_lengths(const HeadPositions& p, const Sequences& queries,
                            const Sequences& keys) {
  require_length(queries.length, p.form.longest);
  require_length(keys.length, p.form.longest);
}

// The table with numbers of type S.
template <class S>
const auto& of_type(const auto& doubles, const auto& floats) {
  if constexpr (std::is_same_v<S, float>) {
    return floats;
  } else {
    return doubles;
  }
}

// --- turned queries and keys

inline VectorD all_positions(const PositionForm& form) {
  return VectorD::LinSpaced(form.longest, 0, static_cast<double>(form.longest - 1));
}

inline std::shared_ptr<const HeadPositions::Rotations> rotations_of(const RotaryTableD& angles) {
  return std::make_shared<const HeadPositions::Rotations>(
      HeadPositions::Rotations{angles, rounded(angles)});
}

template <class S>
Tensor<S> rotate_heads(Tape<S>& tape, const Tensor<S>& x, const HeadPositions::Rotations& rotations,
                       const Sequences& sequences, Index width) {
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  tape.record("rotate", RotateStep<S>{x, y, &of_type<S>(rotations.doubles, rotations.floats),
                                      sequences.length, width});
  return y;
}

// By the tables of rotations that were declared.
inline constexpr auto rotate_queries_and_keys =
    []<class S>(Tape<S>& tape, const HeadPositions& p, const Sequences& queries,
                const Sequences& keys, Index /*layer*/, Placed<S>& heads) {
      require_lengths(p, queries, keys);
      heads.q = rotate_heads(tape, heads.q, *p.query_rotations, queries, p.width);
      heads.k = rotate_heads(tape, heads.k, *p.key_rotations, keys, p.width);
    };

// --- terms of scores by distance

enum class TermOf { queries, keys };

// A term of every score that depends on its distance, alone or added to `y`.
template <class S>
Tensor<S> distance_term(Tape<S>& tape, const HeadPositions& p, TermOf of, const Tensor<S>& x,
                        const Tensor<S>& table, const Sequences& queries, const Sequences& keys,
                        const DistanceRows& rows, const Tensor<S>& y = {}) {
  const auto own = 1 / std::sqrt(static_cast<double>(p.width));
  const bool of_keys = of == TermOf::keys, adds = static_cast<bool>(y);
  DistanceTermStep<S> step{x,
                           table,
                           y,
                           queries,
                           keys,
                           p.heads,
                           x.cols / p.width,
                           rows,
                           of_keys,
                           adds,
                           static_cast<S>(p.scale().value_or(own)),
                           nullptr};
  if (!adds) step.y = tape.tensor(queries.batch * p.heads * queries.length, keys.length);
  step.products = tape.template room<S>(step.side().length * table.rows);
  tape.record("bias", step);
  return step.y;
}

// A number for each pair and head, from row row_of(j - i) of a table. The last query stands at the
// last key.
template <class S, class RowOf>
Tensor<S> by_distance(Tape<S>& tape, const char* name, const HeadPositions& p, const Slot& table,
                      Index n, Index m, RowOf row_of) {
  auto* rows = tape.template room<std::int32_t>(n + m - 1);
  // Query i stands at position i + m - n; rows[j - i + n - 1] is the row of the distance from it to
  // j.
  for (Index k = 0; k < n + m - 1; ++k) rows[k] = static_cast<std::int32_t>(row_of(k - (m - 1)));
  const Tensor<S> y = tape.tensor(p.heads * n, m);
  tape.record(name, BucketBiasStep<S>{tape.parameter(table), y, rows, n, m, p.heads});
  return y;
}

// (rows, heads width) with each head's columns as rows of their own: (heads rows, width).
inline Matrix by_head(const Matrix& all, Index heads) {
  const Index width = all.cols() / heads;
  Matrix apart(heads * all.rows(), width);
  for (Index h = 0; h < heads; ++h) {
    apart.middleRows(h * all.rows(), all.rows()) = all.middleCols(h * width, width);
  }
  return apart;
}

}  // namespace core::model
