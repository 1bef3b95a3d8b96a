#include "core/decode/packed_decoder.h"

#include <utility>

#include "core/parallel.h"
#include "core/position/frequency.h"

namespace core::decode {
namespace {

using model::Slot;

// Where numbers come from and how they are kept.
struct Packer : model::Numbers {
  Format format;

  PackedNorm norm(const model::LayerNorm& norm) const {
    return {vector(norm.gain), vector(norm.shift), static_cast<float>(norm.epsilon)};
  }

  // The columns of `slot`, one after the other, as rows of `to` from `first` on.
  void transpose(const Slot& slot, StoredMatrix& to, Index first) const {
    constexpr Index kColumns = 16;  // a cache line
    parallel_for(ceil_div(slot.cols, kColumns), threads, [&](Index piece, int) {
      const Index begin = piece * kColumns, count = std::min(kColumns, slot.cols - begin);
      Matrix rows(count, slot.rows);
      for (Index k = 0; k < slot.rows; ++k) {
        const float* from = of(slot) + k * slot.cols + begin;
        for (Index j = 0; j < count; ++j) rows(j, k) = from[j];
      }
      for (Index j = 0; j < count; ++j) to.put(first + begin + j, rows.row(j).data());
    });
  }
  // The columns of several that are given the same vectors.
  StoredMatrix transposed(std::initializer_list<const Slot*> slots) const {
    Index rows = 0;
    for (const Slot* slot : slots) rows += slot->cols;
    StoredMatrix to(rows, (*slots.begin())->rows, format);
    Index first = 0;
    for (const Slot* slot : slots) {
      transpose(*slot, to, first);
      first += slot->cols;
    }
    return to;
  }
  // As they lie.
  StoredMatrix rows(const Slot& slot) const {
    StoredMatrix to(slot.rows, slot.cols, format);
    for (Index i = 0; i < slot.rows; ++i) to.put(i, of(slot) + i * slot.cols);
    return to;
  }
};

StoredMatrix as_floats(const Matrix& rows) {
  StoredMatrix to(rows.rows(), rows.cols());
  for (Index i = 0; i < rows.rows(); ++i) to.put(i, rows.row(i).data());
  return to;
}

Vector joined(std::initializer_list<Vector> parts) {
  Index size = 0;
  for (const Vector& part : parts) size += part.size();
  Vector all(size);
  Index at = 0;
  for (const Vector& part : parts) {
    all.segment(at, part.size()) = part;
    at += part.size();
  }
  return all;
}

PackedLayer packed(const Packer& from, const model::TransformerLayer& layer) {
  const model::MultiHead& self = layer.self;
  PackedLayer to;
  to.heads = from.transposed({&self.query.weight, &self.key.weight, &self.value.weight});
  to.heads_bias = joined(
      {from.vector(self.query.bias), from.vector(self.key.bias), from.vector(self.value.bias)});
  to.output = from.transposed({&self.output.weight});
  to.output_bias = from.vector(self.output.bias);
  if (layer.around_self.normed) to.around_self = from.norm(layer.around_self.norm);
  if (!layer.feeds_forward) return to;
  const model::FeedForward& ff = layer.feed_forward;
  if (ff.gated) {
    to.wide = from.transposed({&ff.gate.weight, &ff.up.weight});
    to.wide_bias = joined({from.vector(ff.gate.bias), from.vector(ff.up.bias)});
  } else {
    to.wide = from.transposed({&ff.up.weight});
    to.wide_bias = from.vector(ff.up.bias);
  }
  to.down = from.transposed({&ff.down.weight});
  to.down_bias = from.vector(ff.down.bias);
  const model::Residual& around = layer.around_feed_forward;
  if (around.normed) to.around_feed_forward = from.norm(around.norm);
  return to;
}

// The course of every layer, as a pass has it.
Matrix courses_of(const Packer& from, const model::TransformerStack& stack) {
  model::Tape<float> tape;
  tape.begin(from.values, nullptr, {.differentiates = false});
  return stack.flow(tape, stack.positions.form.longest).matrix();
}

PackedPositions packed(const Packer& from, const model::TransformerStack& stack) {
  PackedPositions to;
  if (stack.added.table.declared()) to.added = from.rows(stack.added.table);
  if (stack.added.fixed) to.added = as_floats(*stack.added.fixed.floats);
  if (stack.added.frequency.declared()) to.frequency = from.matrix(stack.added.frequency);
  if (stack.flow) to.courses = as_floats(courses_of(from, stack));
  to.query_rotations = stack.positions.query_rotations;
  to.key_rotations = stack.positions.key_rotations;
  if (to.key_rotations) to.turns = frequencies(stack.positions.width, stack.positions.form.base);
  to.tables = model::distance_tables(from, stack.positions);
  to.for_queries = as_floats(std::exchange(to.tables.for_queries, {}));
  return to;
}

Index bytes_of(const Vector& v) { return v.size() * static_cast<Index>(sizeof(float)); }
Index bytes_of(const PackedNorm& norm) { return bytes_of(norm.gain) + bytes_of(norm.shift); }
Index bytes_of(const PackedLayer& layer) {
  return layer.heads.bytes() + layer.output.bytes() + layer.wide.bytes() + layer.down.bytes() +
         bytes_of(layer.heads_bias) + bytes_of(layer.output_bias) + bytes_of(layer.wide_bias) +
         bytes_of(layer.down_bias) + bytes_of(layer.around_self) +
         bytes_of(layer.around_feed_forward);
}
// One row; nothing of an empty matrix.
Index row_bytes(const StoredMatrix& matrix) {
  return matrix.rows() == 0 ? 0 : matrix.bytes() / matrix.rows();
}

}  // namespace

PackedDecoder::PackedDecoder(const model::Decoder& model, const float* values, const Format& stored,
                             int threads)
    : form(model.form), format(stored) {
  const Packer from{{values, threads}, stored};
  embedding = from.rows(model.embedding);
  if (!form.tied) output = from.transposed({&model.output.weight});
  output_bias = from.vector(model.output.bias);
  for (const model::TransformerLayer& layer : model.stack.layers) {
    layers.push_back(packed(from, layer));
  }
  if (model.stack.norms_last) last = from.norm(model.stack.last);
  positions = packed(from, model.stack);
}

Index PackedDecoder::bytes_a_token() const {
  Index sum = row_bytes(embedding) + row_bytes(positions.added) + bytes_of(last) +
              form.layers * row_bytes(positions.courses) +
              positions.frequency.cols() * static_cast<Index>(sizeof(float)) +
              (form.tied ? embedding.bytes() : output.bytes()) + bytes_of(output_bias) +
              bytes_of(positions.tables.content_bias) + bytes_of(positions.tables.position_bias);
  for (const PackedLayer& layer : layers) sum += bytes_of(layer);
  return sum;
}

Index PackedDecoder::bytes() const {
  Index sum = embedding.bytes() + output.bytes() + bytes_of(output_bias) + bytes_of(last) +
              positions.added.bytes() + positions.courses.bytes() + positions.for_queries.bytes() +
              (positions.tables.for_keys.size() + positions.tables.by_distance.size() +
               positions.tables.factors.size() + positions.frequency.size()) *
                  static_cast<Index>(sizeof(float)) +
              bytes_of(positions.tables.content_bias) + bytes_of(positions.tables.position_bias);
  for (const PackedLayer& layer : layers) sum += bytes_of(layer);
  return sum;
}

}  // namespace core::decode
