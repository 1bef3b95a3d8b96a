#include "core/heads/head_arrays.h"

namespace core::heads {

void NumberArray::add_heads(const Matrix& rows, Index heads) {
  const Index width = rows.cols() / heads;
  for (Index head = 0; head < heads; ++head) {
    const Matrix part = rows.middleCols(head * width, width);
    add(part.data(), part.size());
  }
}

std::string safetensors_of(const std::vector<NumberArray>& arrays) {
  std::vector<FloatTensor> tensors;
  for (const NumberArray& one : arrays) tensors.push_back({one.name, one.shape, one.values.data()});
  return safetensors_bytes(tensors, NumberType::float32, {});
}

}  // namespace core::heads
