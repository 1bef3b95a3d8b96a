#include "core/model/layer/positions.h"

#include <cmath>
#include <string>
#include <type_traits>

#include "core/model/layer/distance_steps.h"
#include "core/position/relative/alibi.h"
#include "core/position/relative/t5.h"
#include "core/position/relative/transformer_xl.h"
#include "core/position/rotary/xpos.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/refuse.h"

namespace core::model {
namespace {

void require_length(Index length, Index longest) {
  if (length > longest) {
    refuse("positions", "at most " + std::to_string(longest) + " tokens", std::to_string(length));
  }
}

// The one of two that has numbers of type S.
template <class S>
const auto& of_type(const auto& doubles, const auto& floats) {
  if constexpr (std::is_same_v<S, float>) {
    return floats;
  } else {
    return doubles;
  }
}

}  // namespace

FixedRows::FixedRows(MatrixD rows)
    : doubles(std::make_shared<const MatrixD>(std::move(rows))),
      floats(std::make_shared<const Matrix>(doubles->cast<float>())) {}

template <class S>
Tensor<S> FixedRows::rows(Index first, Index count) const {
  const auto& all = *of_type<S>(doubles, floats);
  return {const_cast<S*>(all.row(first).data()), nullptr, count, all.cols()};
}

AddedPositions AddedPositions::declare(const Scope& scope, Index d_model,
                                       const PositionForm& form) {
  AddedPositions added;
  if (form.scheme == Scheme::learned) {
    added.table =
        scope.declare("position", form.longest, d_model, Start::normal(form.deviation), false);
  } else if (form.scheme == Scheme::sinusoidal) {
    added.fixed = FixedRows(sinusoidal_table(form.longest, d_model, {.base = form.base}));
  }
  return added;
}

template <class S>
Tensor<S> AddedPositions::operator()(Tape<S>& tape, const Tensor<S>& x, const std::int32_t* ids,
                                     const Sequences& sequences) const {
  if (frequency.declared()) {
    return turn_by_words(tape, x, tape.parameter(frequency), ids, sequences);
  }
  if (table.declared()) {
    require_length(sequences.length, table.rows);
    return add_positions(tape, x, tape.parameter(table), sequences);
  }
  if (!fixed) return x;
  require_length(sequences.length, fixed.doubles->rows());
  return add_positions(tape, x, fixed.rows<S>(0, sequences.length), sequences);
}

Slot word_frequencies(const Scope& scope, Index words, Index d_model, const PositionForm& form) {
  if (form.scheme != Scheme::complex) return {};
  if (d_model % 2 != 0) refuse("positions", "an even width", std::to_string(d_model));
  return scope.declare("frequency", words, d_model / 2, Start::powers(form.base), false);
}

HeadPositions HeadPositions::declare(const Scope& scope, Index heads, Index width, bool causal,
                                     const PositionForm& form, Index layers) {
  HeadPositions positions;
  positions.form = form;
  positions.heads = heads;
  positions.width = width;
  positions.causal = causal;
  const Index d = heads * width;
  const auto places = [&] {
    return VectorD(VectorD::LinSpaced(form.longest, 0, static_cast<double>(form.longest - 1)));
  };
  const auto turns = [](const RotaryTableD& angles) {
    return std::make_shared<const Turns>(Turns{angles, rounded(angles)});
  };
  switch (form.scheme) {
    case Scheme::rotary:
      positions.query_turns = positions.key_turns =
          turns(rotary_angles(places(), frequencies(width, form.base)));
      break;
    case Scheme::xpos: {
      const XposTables tables =
          xpos_tables(places(), frequencies(width, form.base), {.scale_base = form.scale_base});
      positions.query_turns = turns(tables.query);
      positions.key_turns = turns(tables.key);
      break;
    }
    case Scheme::t5:
      positions.table = scope.declare("bias", form.buckets, heads, Start::zeros(), false);
      break;
    case Scheme::relative:
      positions.table =
          scope.declare("distance", 2 * form.clip + 1, width,
                        Start::normal(1 / std::sqrt(static_cast<double>(width))), false);
      break;
    case Scheme::transformer_xl: {
      constexpr double kDeviation = 0.02;  // as their code starts u and v
      positions.of_keys = Linear::declare(scope.at("distance_key"), d, d, false);
      positions.content_bias =
          scope.declare("content_bias", 1, d, Start::normal(kDeviation), false);
      positions.position_bias =
          scope.declare("position_bias", 1, d, Start::normal(kDeviation), false);
      positions.sinusoids = FixedRows(
          relative_sinusoids(form.longest, 1 - form.longest, d,
                             {.base = form.base, .layout = SinusoidalLayout::concatenated}));
      break;
    }
    case Scheme::deberta:
      positions.table =
          scope.declare("distance", 2 * form.clip, d, Start::normal(form.deviation), false);
      positions.of_keys = Linear::declare(scope.at("distance_key"), d, d, false);
      positions.of_queries = Linear::declare(scope.at("distance_query"), d, d, false);
      break;
    case Scheme::urpe:
      for (Index k = 0; k < layers; ++k) {
        // Of ones it begins as if it were not there.
        positions.factors.push_back(
            scope.at(std::to_string(k))
                .at("self")
                .declare("factors", 2 * form.longest - 1, heads, Start::ones(), false));
      }
      break;
    case Scheme::none:
    case Scheme::learned:
    case Scheme::sinusoidal:
    case Scheme::complex:
    case Scheme::floater:
    case Scheme::alibi: break;
  }
  return positions;
}

std::optional<double> HeadPositions::scale() const {
  if (form.scheme != Scheme::deberta) return {};
  return 1 / std::sqrt(3.0 * static_cast<double>(width));
}

namespace {

template <class S>
Tensor<S> turned(Tape<S>& tape, const Tensor<S>& x, const HeadPositions::Turns& turns,
                 const Sequences& sequences, Index width) {
  const Tensor<S> y = tape.tensor(x.rows, x.cols);
  tape.record("rotate", RotateStep<S>{x, y, &of_type<S>(turns.doubles, turns.floats),
                                      sequences.length, width});
  return y;
}

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

// The factor of every pair: c by key minus query, the table's middle row being the token's own.
template <class S>
Tensor<S> toeplitz_factors(Tape<S>& tape, const HeadPositions& p, const Slot& table, Index n,
                           Index m) {
  auto* rows = tape.template room<std::int32_t>(n + m - 1);
  for (Index k = 0; k < n + m - 1; ++k) {
    rows[k] = static_cast<std::int32_t>(p.form.longest - 1 + k - (m - 1));
  }
  const Tensor<S> y = tape.tensor(p.heads * n, m);
  tape.record("factors", BucketBiasStep<S>{tape.parameter(table), y, rows, n, m, p.heads});
  return y;
}

enum class Of { queries, keys };

// A term of every score by its distance, alone or added to `y`.
template <class S>
Tensor<S> distance_term(Tape<S>& tape, const HeadPositions& p, Of of, const Tensor<S>& x,
                        const Tensor<S>& table, const Sequences& queries, const Sequences& keys,
                        const DistanceRows& rows, const Tensor<S>& y = {}) {
  const auto own = 1 / std::sqrt(static_cast<double>(p.width));
  const bool of_keys = of == Of::keys, adds = static_cast<bool>(y);
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

// x with one row added to each of its rows.
template <class S>
Tensor<S> with_row(Tape<S>& tape, const Tensor<S>& x, const Slot& row) {
  return add_positions(tape, x, tape.parameter(row), {.batch = x.rows, .length = 1});
}

}  // namespace

// (q + u) . k + (q + v) . R_t W: the second is what is added.
template <class S>
Placed<S> HeadPositions::by_sinusoids(Tape<S>& tape, const Placed<S>& heads_of,
                                      const Sequences& queries, const Sequences& keys) const {
  const Index n = queries.length, m = keys.length;
  // Distances of place and key from m - 1 down to 1 - n.
  const Tensor<S> distances = of_keys(tape, sinusoids.rows<S>(form.longest - m, n + m - 1));
  const Tensor<S> bias =
      distance_term(tape, *this, Of::queries, with_row(tape, heads_of.q, position_bias), distances,
                    queries, keys, {.zero = m - 1});
  return {with_row(tape, heads_of.q, content_bias), heads_of.k, bias};
}

template <class S>
Placed<S> HeadPositions::disentangled(Tape<S>& tape, const Placed<S>& heads_of,
                                      const Sequences& queries, const Sequences& keys) const {
  const Tensor<S> rows = tape.parameter(table);
  // delta(i, j) counts query minus key, delta(j, i) the other way round.
  const Tensor<S> with_keys =
      distance_term(tape, *this, Of::queries, heads_of.q, of_keys(tape, rows), queries, keys,
                    {.zero = form.clip, .falls = true});
  const Tensor<S> both = distance_term(tape, *this, Of::keys, heads_of.k, of_queries(tape, rows),
                                       queries, keys, {.zero = form.clip}, with_keys);
  return {heads_of.q, heads_of.k, both};
}

template <class S>
Placed<S> HeadPositions::operator()(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k,
                                    const Sequences& queries, const Sequences& keys,
                                    Index layer) const {
  const Index n = queries.length, m = keys.length;
  const auto check = [&] {
    require_length(n, form.longest);
    require_length(m, form.longest);
  };
  switch (form.scheme) {
    case Scheme::rotary:
    case Scheme::xpos:
      check();
      return {turned(tape, q, *query_turns, queries, width),
              turned(tape, k, *key_turns, keys, width),
              {}};
    case Scheme::alibi: return {q, k, alibi_bias_of<S>(tape, heads, n, m)};
    case Scheme::t5: return {q, k, bucket_bias(tape, *this, n, m)};
    case Scheme::relative:
      return {q, k,
              distance_term(tape, *this, Of::queries, q, tape.parameter(table), queries, keys,
                            {.zero = form.clip})};
    case Scheme::transformer_xl: check(); return by_sinusoids(tape, {q, k, {}}, queries, keys);
    case Scheme::deberta: return disentangled(tape, {q, k, {}}, queries, keys);
    case Scheme::urpe:
      check();
      return {q,
              k,
              {},
              toeplitz_factors<S>(tape, *this, factors[static_cast<std::size_t>(layer)], n, m)};
    case Scheme::none:
    case Scheme::learned:
    case Scheme::sinusoidal:
    case Scheme::complex:
    case Scheme::floater: break;
  }
  return {q, k, {}};
}

template Tensor<float> FixedRows::rows(Index, Index) const;
template Tensor<double> FixedRows::rows(Index, Index) const;
template Tensor<float> AddedPositions::operator()(Tape<float>&, const Tensor<float>&,
                                                  const std::int32_t*, const Sequences&) const;
template Tensor<double> AddedPositions::operator()(Tape<double>&, const Tensor<double>&,
                                                   const std::int32_t*, const Sequences&) const;
template Placed<float> HeadPositions::operator()(Tape<float>&, const Tensor<float>&,
                                                 const Tensor<float>&, const Sequences&,
                                                 const Sequences&, Index) const;
template Placed<double> HeadPositions::operator()(Tape<double>&, const Tensor<double>&,
                                                  const Tensor<double>&, const Sequences&,
                                                  const Sequences&, Index) const;

}  // namespace core::model
