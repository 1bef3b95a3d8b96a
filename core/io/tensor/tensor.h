// An array of numbers in a file: what its header says, and where its bytes are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/io/byte_source.h"
#include "core/io/tensor/number_type.h"

namespace core {

inline constexpr std::size_t kMostAxes = 64;  // as in NumPy

// Nothing of the array is held: copies are cheap, and keep the file open.
struct Tensor {
  std::string name;  // valid UTF-8
  NumberType type = NumberType::float32;
  std::vector<Index> shape;    // each >= 0; empty: one number
  bool fortran_order = false;  // the first axis runs fastest, otherwise the last one
  bool big_endian = false;
  std::string file;  // the file that holds it, as messages show it
  bool deflated = false;
  std::shared_ptr<const ByteSource> bytes;
  std::uint64_t begin = 0;  // of the first number in `bytes`, which holds all of them

  Index count() const;
};

// An entry of a file that is left out, and why: it holds something else than numbers of the types
// that are read, or is damaged.
struct UnreadEntry {
  std::string name;
  Message why;
};

// "(2, 3)"
std::string tensor_shape_text(const std::vector<Index>& shape);

// The bytes that an array takes. InputError, which begins with `where`, when there are more axes
// than kMostAxes, or when their product (an axis of none counted as 1, so that strides can be
// counted too) is more than an Index holds.
std::uint64_t tensor_bytes(NumberType type, const std::vector<Index>& shape, const Message& where);

}  // namespace core
