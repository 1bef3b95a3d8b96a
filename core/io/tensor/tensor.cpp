#include "core/io/tensor/tensor.h"

#include <algorithm>
#include <limits>

namespace core {

Index Tensor::count() const {
  Index product = 1;
  for (const Index size : shape) product *= size;
  return product;
}

std::string tensor_shape_text(const std::vector<Index>& shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + ")";
}

std::uint64_t tensor_bytes(NumberType type, const std::vector<Index>& shape, const Message& where) {
  if (shape.size() > kMostAxes) {
    throw InputError(
        Message(N_("{}: expected at most {} axes, got {}"), where, kMostAxes, shape.size()));
  }
  Index bytes = facts(type).bytes;
  bool none = false;
  for (const Index size : shape) {
    none = none || size == 0;
    const Index counted = std::max<Index>(size, 1);
    if (counted > std::numeric_limits<Index>::max() / bytes) {
      throw InputError(Message(N_("{}: expected a shape whose bytes can be counted, got {}"), where,
                               tensor_shape_text(shape)));
    }
    bytes *= counted;
  }
  return none ? 0 : static_cast<std::uint64_t>(bytes);
}

}  // namespace core
