// Parameters of core/model under the names, and in the shapes, that PyTorch's layers give them.
#pragma once

#include <string>
#include <vector>

#include "core/model/decoder.h"
#include "model_weights.h"

namespace core_check {

// Arrays of a file and the parameters that they hold, both ways.
class TorchNames {
 public:
  // A table as it is: (rows, cols).
  void table(const std::string& name, const core::model::Slot& slot) {
    arrays_.push_back({name, {slot}, Layout::table});
  }
  // A bias, a gain or a shift: one axis. Several lie one behind the other.
  void vector(const std::string& name, std::vector<core::model::Slot> slots) {
    arrays_.push_back({name, std::move(slots), Layout::vector});
  }
  // (out, in), the program's being (in, out). Several lie one below the other.
  void matrix(const std::string& name, std::vector<core::model::Slot> slots) {
    arrays_.push_back({name, std::move(slots), Layout::transposed});
  }
  void linear(const std::string& name, const core::model::Linear& layer) {
    matrix(name + ".weight", {layer.weight});
    vector(name + ".bias", {layer.bias});
  }
  void norm(const std::string& name, const core::model::LayerNorm& norm) {
    vector(name + ".weight", {norm.gain});
    vector(name + ".bias", {norm.shift});
  }
  // After the names that there are.
  void add(const TorchNames& more) {
    arrays_.insert(arrays_.end(), more.arrays_.begin(), more.arrays_.end());
  }

  // The arrays of the object `from`; InputError for one that is missing or of another shape.
  void fill(ModelWeights& to, const CaseValue& from) const;
  // The object of such arrays of what lies in the order of the model: values or gradients.
  CaseValue read(const double* numbers) const;

 private:
  enum class Layout { table, vector, transposed };
  struct Array {
    std::string name;
    std::vector<core::model::Slot> slots;
    Layout layout;
  };
  std::vector<Array> arrays_;
};

// nn.TransformerEncoderLayer or, where it decodes, nn.TransformerDecoderLayer, its names after
// `prefix`.
TorchNames torch_names(const core::model::TransformerLayer& layer, const std::string& prefix);

// The same layers as "h.0." and so on between GPT-2's "wte", "wpe" and "ln_f".
TorchNames torch_names(const core::model::Decoder& model);

}  // namespace core_check
