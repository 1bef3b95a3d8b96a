#include "core/model/positions.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "core/model/vectors.h"
#include "core/position/alibi.h"
#include "core/position/sinusoidal.h"
#include "core/position/t5.h"
#include "core/refuse.h"

namespace core::model {
namespace {

void require_length(Index length, Index longest) {
  if (length > longest) {
    refuse("positions", "at most " + std::to_string(longest) + " tokens", std::to_string(length));
  }
}

// Pairs of a head turned by a table's row; `sign` -1 turns back. Adds to y or not.
template <bool kAdd, class S>
void turn(const S* x, const S* cos, const S* sin, Index pairs, S sign, S* y) {
  for (Index i = 0; i < pairs; ++i) {
    const S a = x[2 * i], b = x[2 * i + 1], c = cos[i], s = sign * sin[i];
    const S to_a = a * c - b * s, to_b = a * s + b * c;
    y[2 * i] = kAdd ? y[2 * i] + to_a : to_a;
    y[2 * i + 1] = kAdd ? y[2 * i + 1] + to_b : to_b;
  }
}

template <bool kAdd, class S>
void turn_rows(const RotateStep<S>& step, const S* from, S sign, S* to) {
  const Index cols = step.x.cols, pairs = step.width / 2;
  for (Index row = 0; row < step.x.rows; ++row) {
    const Index place = row % step.length;
    const S* cos = step.table->cos.row(place).data();
    const S* sin = step.table->sin.row(place).data();
    for (Index first = 0; first < cols; first += step.width) {
      const Index at = row * cols + first;
      turn<kAdd>(from + at, cos, sin, pairs, sign, to + at);
    }
  }
}

}  // namespace

template <class S>
void RotateStep<S>::forward(Tape<S>&) const {
  turn_rows<false>(*this, x.value, S{1}, y.value);
}

template <class S>
void RotateStep<S>::backward(Tape<S>&) const {
  if (x.gradient) turn_rows<true>(*this, y.gradient, S{-1}, x.gradient);
}

template <class S>
void BucketBiasStep<S>::forward(Tape<S>&) const {
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      S* row = y.values().row(h * n + i);
      const std::int32_t* bucket = buckets + (n - 1 - i);
      for (Index j = 0; j < m; ++j) row[j] = table.value[bucket[j] * heads + h];
    }
  }
}

template <class S>
void BucketBiasStep<S>::backward(Tape<S>&) const {
  if (!table.gradient) return;
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      const S* row = y.gradients().row(h * n + i);
      const std::int32_t* bucket = buckets + (n - 1 - i);
      for (Index j = 0; j < m; ++j) table.gradient[bucket[j] * heads + h] += row[j];
    }
  }
}

namespace {

// Visits every head: its queries, its rows of y.
template <class S, class Fn>
void for_heads(const RelativeKeysStep<S>& step, Fn fn) {
  const Index n = step.queries.length, width = step.table.cols;
  for (Index b = 0; b < step.queries.batch; ++b) {
    for (Index h = 0; h < step.heads; ++h) {
      const auto head = [&](S* data) {
        return View<S>(data, step.q.rows, step.q.cols)
            .rows_from(b * n, n)
            .columns(h * width, width);
      };
      fn(head, (b * step.heads + h) * n);
    }
  }
}

// Which key of the table belongs to query i (of n) and key j (of m).
template <class S>
Index key_row(const RelativeKeysStep<S>& step, Index i, Index j) {
  const Index clip = step.table.rows / 2;
  const Index place = i + step.keys.length - step.queries.length;
  return std::clamp(j - place, -clip, clip) + clip;
}

}  // namespace

template <class S>
void RelativeKeysStep<S>::forward(Tape<S>& tape) const {
  const Index n = queries.length, m = keys.length;
  const View<S> by_distance(products, n, table.rows);
  for_heads(*this, [&](const auto& head, Index first) {
    tape.multiply()(Form::right, head(q.value), table.values(), by_distance, false);
    for (Index i = 0; i < n; ++i) {
      S* row = y.values().row(first + i);
      for (Index j = 0; j < m; ++j) row[j] = scale * by_distance.row(i)[key_row(*this, i, j)];
    }
  });
}

template <class S>
void RelativeKeysStep<S>::backward(Tape<S>& tape) const {
  const Index n = queries.length, m = keys.length;
  const View<S> by_distance(products, n, table.rows);
  for_heads(*this, [&](const auto& head, Index first) {
    std::fill_n(products, n * table.rows, S{0});
    for (Index i = 0; i < n; ++i) {
      const S* row = y.gradients().row(first + i);
      for (Index j = 0; j < m; ++j) by_distance.row(i)[key_row(*this, i, j)] += scale * row[j];
    }
    if (q.gradient) {
      tape.multiply()(Form::plain, by_distance, table.values(), head(q.gradient), true);
    }
    if (table.gradient) {
      tape.multiply()(Form::left, by_distance, head(q.value), table.gradients(), true);
    }
  });
}

AddedPositions AddedPositions::declare(const Scope& scope, Index d_model,
                                       const PositionForm& form) {
  AddedPositions added;
  if (form.scheme == Scheme::learned) {
    added.table =
        scope.declare("position", form.longest, d_model, Start::normal(form.deviation), false);
  } else if (form.scheme == Scheme::sinusoidal) {
    const MatrixD rows = sinusoidal_table(form.longest, d_model, {.base = form.base});
    added.fixed = std::make_shared<const MatrixD>(rows);
    added.fixed_floats = std::make_shared<const Matrix>(rows.cast<float>());
  }
  return added;
}

template <class S>
Tensor<S> AddedPositions::operator()(Tape<S>& tape, const Tensor<S>& x,
                                     const Sequences& sequences) const {
  if (table.declared()) {
    require_length(sequences.length, table.rows);
    return add_positions(tape, x, tape.parameter(table), sequences);
  }
  if (!fixed) return x;
  require_length(sequences.length, fixed->rows());
  // Read only: nobody asks for its gradient.
  const auto rows = [&](const auto& matrix) {
    return Tensor<S>{const_cast<S*>(matrix.data()), nullptr, matrix.rows(), matrix.cols()};
  };
  if constexpr (std::is_same_v<S, float>) {
    return add_positions(tape, x, rows(*fixed_floats), sequences);
  } else {
    return add_positions(tape, x, rows(*fixed), sequences);
  }
}

HeadPositions HeadPositions::declare(const Scope& scope, Index heads, Index width, bool causal,
                                     const PositionForm& form) {
  HeadPositions positions;
  positions.form = form;
  positions.heads = heads;
  positions.width = width;
  positions.causal = causal;
  if (form.scheme == Scheme::rotary) {
    const VectorD places =
        VectorD::LinSpaced(form.longest, 0, static_cast<double>(form.longest - 1));
    const RotaryTableD table = rotary_angles(places, frequencies(width, form.base));
    positions.turns = std::make_shared<const RotaryTableD>(table);
    positions.turns_floats = std::make_shared<const RotaryTable>(rounded(table));
  } else if (form.scheme == Scheme::t5) {
    positions.table = scope.declare("bias", form.buckets, heads, Start::zeros(), false);
  } else if (form.scheme == Scheme::relative) {
    const Start start = Start::normal(1 / std::sqrt(static_cast<double>(width)));
    positions.table = scope.declare("distance", 2 * form.clip + 1, width, start, false);
  }
  return positions;
}

template <class S>
Tensor<S> HeadPositions::turned(Tape<S>& tape, const Tensor<S>& x,
                                const Sequences& sequences) const {
  if (!turns) return x;
  require_length(sequences.length, form.longest);
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  const RotaryTableOf<S>* angles = nullptr;
  if constexpr (std::is_same_v<S, float>) {
    angles = turns_floats.get();
  } else {
    angles = turns.get();
  }
  tape.record("rotate", RotateStep<S>{x, y, angles, sequences.length, width});
  return y;
}

namespace {

// Only distances count: the same for all sequences. Symmetric, a causal mask hides what is ahead.
template <class S>
Tensor<S> alibi_bias_of(Tape<S>& tape, Index heads, Index n, Index m) {
  const Tensor<S> y{tape.template room<S>(heads * n * m), nullptr, heads * n, m};
  const VectorD slopes = alibi_slopes(heads);
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      S* row = y.values().row(h * n + i);
      for (Index j = 0; j < m; ++j) {
        row[j] = static_cast<S>(-slopes(h) * std::abs(static_cast<double>(j - (i + m - n))));
      }
    }
  }
  return y;
}

template <class S>
Tensor<S> bucket_bias(Tape<S>& tape, const HeadPositions& p, Index n, Index m) {
  const T5Buckets bucket(
      {.bidirectional = !p.causal, .buckets = p.form.buckets, .max_distance = p.form.farthest});
  auto* of = tape.template room<std::int32_t>(n + m - 1);
  // Query i stands at place i + m - n; of[j - i + n - 1] is that of the distance j - place.
  for (Index k = 0; k < n + m - 1; ++k) of[k] = static_cast<std::int32_t>(bucket(k - (m - 1)));
  const Tensor<S> y = tape.tensor(p.heads * n, m);
  tape.record("bias", BucketBiasStep<S>{tape.parameter(p.table), y, of, n, m, p.heads});
  return y;
}

}  // namespace

template <class S>
Tensor<S> HeadPositions::bias(Tape<S>& tape, const Tensor<S>& q, const Sequences& queries,
                              const Sequences& keys) const {
  const Index n = queries.length, m = keys.length;
  if (form.scheme == Scheme::alibi) return alibi_bias_of(tape, heads, n, m);
  if (form.scheme == Scheme::t5) return bucket_bias(tape, *this, n, m);
  if (form.scheme != Scheme::relative) return {};
  const Tensor<S> y = tape.tensor(queries.batch * heads * n, m);
  S* products = tape.template room<S>(n * table.rows);
  const S scale = 1 / std::sqrt(static_cast<S>(width));
  tape.record("bias", RelativeKeysStep<S>{q, tape.parameter(table), y, queries, keys, heads, scale,
                                          products});
  return y;
}

template struct RotateStep<float>;
template struct RotateStep<double>;
template struct BucketBiasStep<float>;
template struct BucketBiasStep<double>;
template struct RelativeKeysStep<float>;
template struct RelativeKeysStep<double>;
template Tensor<float> AddedPositions::operator()(Tape<float>&, const Tensor<float>&,
                                                  const Sequences&) const;
template Tensor<double> AddedPositions::operator()(Tape<double>&, const Tensor<double>&,
                                                   const Sequences&) const;
template Tensor<float> HeadPositions::turned(Tape<float>&, const Tensor<float>&,
                                             const Sequences&) const;
template Tensor<double> HeadPositions::turned(Tape<double>&, const Tensor<double>&,
                                              const Sequences&) const;
template Tensor<float> HeadPositions::bias(Tape<float>&, const Tensor<float>&, const Sequences&,
                                           const Sequences&) const;
template Tensor<double> HeadPositions::bias(Tape<double>&, const Tensor<double>&, const Sequences&,
                                            const Sequences&) const;

}  // namespace core::model
