// Attention as arrays of a file, to be written: what given_heads.h reads.
#pragma once

#include <string>
#include <vector>

#include "core/io/tensor/safetensors.h"
#include "core/types.h"

namespace core::heads {

// An array of numbers, row-major, with what it is called and its axes.
struct NumberArray {
  std::string name;
  std::vector<Index> shape;
  std::vector<float> values = {};

  void add(const float* numbers, Index count) {
    values.insert(values.end(), numbers, numbers + count);
  }
  // The rows (n, heads * width) of all heads side by side, as (heads, n, width).
  void add_heads(const Matrix& rows, Index heads);
};

// A whole file of type float32 in the format .safetensors.
std::string safetensors_of(const std::vector<NumberArray>& arrays);

}  // namespace core::heads
