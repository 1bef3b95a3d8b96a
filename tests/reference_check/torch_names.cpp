#include "torch_names.h"

namespace core_check {
namespace {

using namespace core::model;

// PyTorch keeps Q, K and V in one matrix.
TorchNames torch_names(const MultiHead& part, const std::string& name) {
  TorchNames names;
  names.matrix(name + ".in_proj_weight", {part.query.weight, part.key.weight, part.value.weight});
  names.vector(name + ".in_proj_bias", {part.query.bias, part.key.bias, part.value.bias});
  names.linear(name + ".out_proj", part.output);
  return names;
}

}  // namespace

void TorchNames::fill(ModelWeights& to, const CaseValue& from) const {
  for (const Array& array : arrays_) {
    const CaseValue& value = from.at(array.name);
    // Down the first axis of the file's array: one slot after the other.
    const MatrixD all =
        array.layout == Layout::vector ? MatrixD(value.as_vector()) : value.as_matrix();
    Index rows = 0;
    for (const Slot& slot : array.slots)
      rows += array.layout == Layout::table ? slot.rows : slot.cols;
    if (all.rows() != rows) {
      throw InputError(array.name + ": expected " + std::to_string(rows) + " rows, got " +
                       std::to_string(all.rows()));
    }
    Index first = 0;
    for (const Slot& slot : array.slots) {
      if (array.layout == Layout::table) {
        to.set(slot, all);
      } else {
        to.set(slot, all.middleRows(first, slot.cols).transpose());
      }
      first += slot.cols;
    }
  }
}

CaseValue TorchNames::read(const double* numbers) const {
  CaseValue out = CaseValue::object();
  for (const Array& array : arrays_) {
    std::vector<double> data;
    Index rows = 0;
    for (const Slot& slot : array.slots) {
      const Eigen::Map<const MatrixD> own(numbers + slot.offset, slot.rows, slot.cols);
      const MatrixD part = array.layout == Layout::table ? MatrixD(own) : MatrixD(own.transpose());
      data.insert(data.end(), part.data(), part.data() + part.size());
      rows += part.rows();
    }
    CaseValue::Shape shape = {rows};
    if (array.layout != Layout::vector) shape.push_back(static_cast<Index>(data.size()) / rows);
    out.set(array.name, CaseValue::array(shape, std::move(data)));
  }
  return out;
}

TorchNames torch_names(const TransformerLayer& layer, const std::string& prefix) {
  TorchNames names = torch_names(layer.self, prefix + "self_attn");
  if (layer.decodes) names.add(torch_names(layer.cross, prefix + "multihead_attn"));
  names.linear(prefix + "linear1", layer.feed_forward.up);
  names.linear(prefix + "linear2", layer.feed_forward.down);
  int number = 0;
  const auto norm = [&](const Residual& around) {
    names.norm(prefix + "norm" + std::to_string(++number), around.norm);
  };
  norm(layer.around_self);
  if (layer.decodes) norm(layer.around_cross);
  norm(layer.around_feed_forward);
  return names;
}

TorchNames torch_names(const Decoder& model) {
  TorchNames names;
  names.table("wte.weight", model.embedding);
  names.table("wpe.weight", model.stack.added.table);
  for (size_t k = 0; k < model.stack.layers.size(); ++k) {
    names.add(torch_names(model.stack.layers[k], "h." + std::to_string(k) + "."));
  }
  names.norm("ln_f", model.stack.last);
  return names;
}

}  // namespace core_check
