#include "core/task/inside/circuits.h"

#include <cmath>
#include <string>

#include "core/position/rotary/rotary.h"
#include "core/refuse.h"

namespace core::task {
namespace {

MatrixD parameter_of(const float* values, const model::Slot& slot) {
  return Eigen::Map<const Matrix>(values + slot.offset, slot.rows, slot.cols).cast<double>();
}

const model::TransformerLayer& layer_of(const SequenceModel& model, Index layer) {
  return model.decoder.stack.layers[static_cast<std::size_t>(layer)];
}

void require_head(const SequenceModel& model, const HeadIndex& place) {
  const Index layers = model.form.layers, heads = model.form.layer.heads;
  if (place.layer >= 0 && place.layer < layers && place.head >= 0 && place.head < heads) return;
  refuse("circuit", "a head of " + shape_text(layers, heads),
         "head " + std::to_string(place.head) + " of layer " + std::to_string(place.layer));
}

void require_order(const HeadIndex& earlier, const HeadIndex& later) {
  if (earlier.layer < later.layer) return;
  refuse("circuit", "a head of an earlier layer than " + std::to_string(later.layer),
         "one of layer " + std::to_string(earlier.layer));
}

// What a norm does but for its scale and shift.
void fold(const model::LayerNorm& norm, const float* values, MatrixD& rows) {
  rows.colwise() -= VectorD(rows.rowwise().mean());
  rows.array().rowwise() *= parameter_of(values, norm.gain).row(0).array();
}

class Maps {
 public:
  Maps(const SequenceModel& model, const float* values, const CircuitOptions& options)
      : model_(model), values_(values), options_(options) {}

  // Tokens as they enter the stream, (vocabulary, d_model).
  MatrixD tokens() const {
    const model::DecoderForm& form = model_.form;
    const double factor = form.scaled ? std::sqrt(static_cast<double>(form.layer.d_model)) : 1.0;
    return factor * parameter_of(values_, model_.decoder.embedding);
  }
  // What a head of this layer is given of them, or of what an earlier head makes of them.
  MatrixD given(const HeadIndex& place, const std::optional<HeadIndex>& through) const {
    MatrixD rows = tokens();
    if (through) {
      require_head(model_, *through);
      require_order(*through, place);
      fold_before(through->layer, rows);
      const HeadCircuits first = head_circuits(model_, values_, *through);
      rows = (rows * first.value * first.output).eval();
    }
    fold_before(place.layer, rows);
    return rows;
  }
  // What rows of the stream add to logits.
  MatrixD read_out(MatrixD rows) const {
    const auto& decoder = model_.decoder;
    if (options_.folded && decoder.stack.norms_last) fold(decoder.stack.last, values_, rows);
    if (model_.form.tied) return rows * parameter_of(values_, decoder.embedding).transpose();
    return rows * parameter_of(values_, decoder.output.weight);
  }

 private:
  void fold_before(Index layer, MatrixD& rows) const {
    const auto& around = layer_of(model_, layer).around_self;
    if (options_.folded && around.first && around.normed) fold(around.norm, values_, rows);
  }

  const SequenceModel& model_;
  const float* values_;
  const CircuitOptions& options_;
};

// Rows as if all of them stood at one place.
MatrixD rotated_to(const MatrixD& rows, const RotaryTableD& table, Index place) {
  const RotaryTableD at{table.cos.row(place).replicate(rows.rows(), 1),
                        table.sin.row(place).replicate(rows.rows(), 1)};
  return rotated(rows, at);
}

double alignment(const MatrixD& product, const MatrixD& a, const MatrixD& b) {
  const double norms = a.norm() * b.norm();
  return norms > 0 ? product.norm() / norms : 0;
}

}  // namespace

HeadCircuits head_circuits(const SequenceModel& model, const float* values,
                           const HeadIndex& place) {
  require_head(model, place);
  const model::MultiHead& self = layer_of(model, place.layer).self;
  const Index width = model.form.layer.d_model / self.heads;
  const Index key_head = place.head / (self.heads / self.key_heads);
  const auto columns = [&](const model::Linear& of, Index head) {
    return MatrixD(parameter_of(values, of.weight).middleCols(head * width, width));
  };
  return {columns(self.query, place.head), columns(self.key, key_head),
          columns(self.value, key_head),
          parameter_of(values, self.output.weight).middleRows(place.head * width, width)};
}

VocabularyMap qk_circuit(const SequenceModel& model, const float* values, const HeadIndex& place,
                         const CircuitOptions& options) {
  const HeadCircuits head = head_circuits(model, values, place);
  const Maps maps(model, values, options);
  const model::HeadPositions& positions = model.decoder.stack.positions;
  const double usual = 1 / std::sqrt(static_cast<double>(head.query.cols()));
  VocabularyMap map{maps.given(place, options.query_through) * head.query,
                    maps.given(place, options.key_through) * head.key,
                    positions.scale().value_or(usual)};
  if (!positions.query_rotations) return map;
  const RotaryTableD& queries = positions.query_rotations->doubles;
  if (options.distance < 0 || options.distance >= queries.cos.rows()) {
    refuse("circuit", "a distance below " + std::to_string(queries.cos.rows()),
           std::to_string(options.distance));
  }
  map.rows = rotated_to(map.rows, queries, options.distance);
  map.cols = rotated_to(map.cols, positions.key_rotations->doubles, 0);
  return map;
}

VocabularyMap ov_circuit(const SequenceModel& model, const float* values, const HeadIndex& place,
                         const CircuitOptions& options) {
  const HeadCircuits head = head_circuits(model, values, place);
  const Maps maps(model, values, options);
  return {maps.given(place, options.value_through) * head.value,
          maps.read_out(head.output).transpose()};
}

VocabularyMap direct_circuit(const SequenceModel& model, const float* values,
                             const CircuitOptions& options) {
  const Maps maps(model, values, options);
  const MatrixD tokens = maps.tokens();
  return {tokens, maps.read_out(MatrixD::Identity(tokens.cols(), tokens.cols())).transpose()};
}

Composition composition(const SequenceModel& model, const float* values, const HeadIndex& earlier,
                        const HeadIndex& later) {
  require_order(earlier, later);
  const MatrixD writes = head_circuits(model, values, earlier).ov();
  const HeadCircuits head = head_circuits(model, values, later);
  const MatrixD qk = head.qk(), ov = head.ov();
  return {alignment(writes * qk, writes, qk), alignment(qk * writes.transpose(), qk, writes),
          alignment(writes * ov, writes, ov)};
}

}  // namespace core::task
