// Parameters of a model of core/model, filled from the arrays of a case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/layer/cross_entropy.h"
#include "core/model/layer/linear.h"
#include "core/model/layer/norm.h"
#include "core/model/learning/layout.h"
#include "core/model/transformer.h"
#include "registry.h"

namespace core_check {

using core::Index;
using core::InputError;
using core::MatrixD;

class ModelWeights {
 public:
  core::model::Scope scope() { return core::model::Scope(layout_); }
  const core::model::Layout& layout() const { return layout_; }
  // To be called when everything is declared.
  void begin() { values_.assign(static_cast<size_t>(layout_.size()), 0.0); }
  const double* values() const { return values_.data(); }
  std::vector<double> zeros() const { return std::vector<double>(values_.size(), 0.0); }

  void set(const core::model::Slot& slot, const MatrixD& matrix) {
    if (matrix.rows() != slot.rows || matrix.cols() != slot.cols) {
      throw InputError("weights: expected a matrix of " + core::bracketed({slot.rows, slot.cols}) +
                       ", got " + core::bracketed({matrix.rows(), matrix.cols()}));
    }
    Eigen::Map<MatrixD>(values_.data() + slot.offset, slot.rows, slot.cols) = matrix;
  }
  void set_row(const core::model::Slot& slot, const CaseValue& vector) {
    set(slot, vector.as_vector().transpose());
  }
  // The file's matrices are (out, in), the program's (in, out).
  void set(const core::model::Linear& linear, const CaseValue& weight, const CaseValue* bias) {
    set(linear.weight, weight.as_matrix().transpose());
    if (bias) set_row(linear.bias, *bias);
  }
  void set(const core::model::LayerNorm& norm, const CaseValue& gain, const CaseValue& shift) {
    set_row(norm.gain, gain);
    set_row(norm.shift, shift);
  }

 private:
  core::model::Layout layout_;
  std::vector<double> values_;
};

// A tensor of (batch, n, d) as the rows of its sequences, and back.
inline MatrixD rows_of(const CaseValue& value) { return value.as_rows(); }

inline std::vector<std::int32_t> ids_of(const CaseValue& value) {
  std::vector<std::int32_t> ids;
  for (const double id : value.data()) ids.push_back(static_cast<std::int32_t>(id));
  return ids;
}

inline CaseValue traced(const core::model::Trace<double>& trace, const std::string& name) {
  const core::model::Traced<double>& one = trace.at(name);
  return CaseValue::array(one.shape, one.values);
}

// The mean of what each next token of the same sequence costs.
inline double next_token_loss(const MatrixD& logits, const std::vector<std::int32_t>& ids,
                              Index length) {
  std::vector<std::int32_t> targets(ids.size(), -1);
  Index count = 0;
  for (size_t i = 0; i + 1 < ids.size(); ++i) {
    if (static_cast<Index>(i) % length == length - 1) continue;
    targets[i] = ids[i + 1];
    ++count;
  }
  core::model::Tape<double> tape;
  tape.begin(nullptr, nullptr, {.differentiates = false});
  const auto total = static_cast<double>(count);
  return *cross_entropy(tape, tape.input(logits), targets.data(), total).value;
}

}  // namespace core_check
