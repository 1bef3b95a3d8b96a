#include "core/model/learning/parameter_file.h"

#include <algorithm>
#include <cmath>

#include "core/io/tensor/tensor_view.h"
#include "core/text/printable.h"

namespace core::model {

std::string parameter_bytes(const Layout& layout, const float* values, NumberType type,
                            const std::map<std::string, std::string>& metadata) {
  std::vector<FloatTensor> tensors;
  for (const Parameter& p : layout.parameters()) {
    tensors.push_back({p.name, {p.slot.rows, p.slot.cols}, values + p.slot.offset});
  }
  return safetensors_bytes(tensors, type, metadata);
}

std::vector<float> read_parameters(const Layout& layout, const Safetensors& file,
                                   const std::string& name, const Cancel& cancel) {
  for (const core::Tensor& tensor : file.tensors) {
    if (!layout.find(tensor.name)) {
      throw InputError(Message(N_("{}: expected parameters of this model only, got \"{}\" as well"),
                               name, printable(tensor.name)));
    }
  }
  // Memory is allocated for what the file holds, not for what its header claims.
  std::vector<const core::Tensor*> tensors;
  for (const Parameter& p : layout.parameters()) {
    const auto found = std::find_if(file.tensors.begin(), file.tensors.end(),
                                    [&](const core::Tensor& t) { return t.name == p.name; });
    if (found == file.tensors.end()) {
      throw InputError(Message(N_("{}: expected the parameter \"{}\", got none"), name, p.name));
    }
    const std::vector<Index> shape{p.slot.rows, p.slot.cols};
    if (found->shape != shape) {
      throw InputError(Message(N_("{}: expected \"{}\" of shape {}, got {}"), name, p.name,
                               tensor_shape_text(shape), tensor_shape_text(found->shape)));
    }
    tensors.push_back(&*found);
  }
  std::vector<float> values(static_cast<std::size_t>(layout.size()), 0.0F);
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const Parameter& p = layout.parameters()[k];
    float* to = values.data() + p.slot.offset;
    TensorView(*tensors[k]).read({0, 0, p.slot.rows, p.slot.cols}, to, cancel);
    if (!std::all_of(to, to + p.slot.size(), [](float x) { return std::isfinite(x); })) {
      throw InputError(Message(N_("{}: expected finite numbers, \"{}\" has others"), name, p.name));
    }
  }
  return values;
}

}  // namespace core::model
