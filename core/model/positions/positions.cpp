#include "core/model/positions/positions.h"

#include <cmath>

#include "core/model/positions/placing.h"

namespace core::model {

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
  const SchemeEntry& scheme = entry(form.scheme);
  if (scheme.declare_added) scheme.declare_added(scope, d_model, form, added);
  return added;
}

template <class S>
Tensor<S> AddedPositions::operator()(Tape<S>& tape, const Tensor<S>& x, const std::int32_t* ids,
                                     const Sequences& sequences) const {
  if (frequency.declared()) {
    return rotate_by_words(tape, x, tape.parameter(frequency), ids, sequences);
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
  const SchemeEntry& scheme = entry(form.scheme);
  return scheme.declare_words ? scheme.declare_words(scope, words, d_model, form) : Slot{};
}

HeadPositions HeadPositions::declare(const Scope& scope, Index heads, Index width, bool causal,
                                     const PositionForm& form, Index layers) {
  HeadPositions positions;
  positions.form = form;
  positions.heads = heads;
  positions.width = width;
  positions.causal = causal;
  const SchemeEntry& scheme = entry(form.scheme);
  if (scheme.declare_heads) scheme.declare_heads(scope, layers, positions);
  return positions;
}

std::optional<double> HeadPositions::scale() const {
  const int products = entry(form.scheme).products;
  if (products == 1) return {};
  return 1 / std::sqrt(static_cast<double>(products) * static_cast<double>(width));
}

template <class S>
Placed<S> HeadPositions::operator()(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k,
                                    const Sequences& queries, const Sequences& keys,
                                    Index layer) const {
  Placed<S> heads_of{q, k};
  if (const auto place = entry(form.scheme).place.of<S>()) {
    place(tape, *this, queries, keys, layer, heads_of);
  }
  return heads_of;
}

DistanceTables distance_tables(const Numbers& numbers, const HeadPositions& positions) {
  DistanceTables tables;
  const SchemeEntry& scheme = entry(positions.form.scheme);
  if (scheme.fill_tables) scheme.fill_tables(numbers, positions, tables);
  return tables;
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
