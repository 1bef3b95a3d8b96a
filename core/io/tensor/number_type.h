// The types of numbers that files of tensors hold.
//
// Sources: the .npy format's description in NumPy's NEP 1 and numpy.lib.format for its codes; the
// safetensors format's own description for its names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/enum_array.h"
#include "core/types.h"

namespace core {

enum class NumberType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
};

struct NumberTypeFacts {
  std::string_view name;         // as people read it
  std::string_view npy;          // after the sign of the byte order; empty: .npy has none
  std::string_view safetensors;  // its dtype
  Index bytes;
};

// In the order of the enumeration.
inline constexpr EnumArray<NumberType, NumberTypeFacts> kNumberTypes{{{"bool", "b1", "BOOL", 1},
                                                                      {"int8", "i1", "I8", 1},
                                                                      {"int16", "i2", "I16", 2},
                                                                      {"int32", "i4", "I32", 4},
                                                                      {"int64", "i8", "I64", 8},
                                                                      {"uint8", "u1", "U8", 1},
                                                                      {"uint16", "u2", "U16", 2},
                                                                      {"uint32", "u4", "U32", 4},
                                                                      {"uint64", "u8", "U64", 8},
                                                                      {"float16", "f2", "F16", 2},
                                                                      {"bfloat16", "", "BF16", 2},
                                                                      {"float32", "f4", "F32", 4},
                                                                      {"float64", "f8", "F64", 8}}};

inline const NumberTypeFacts& facts(NumberType type) { return kNumberTypes[type]; }

// `count` numbers that begin every `stride` bytes from `from` on. Exact, but rounded once, to
// nearest, where Scalar has no such number: float64 and integers beyond 2^24 in a float, integers
// beyond 2^53 in a double. A bool is 0 or 1. NaN keeps its upper payload bits, so that what an
// export wrote as masked (core::kMasked) is masked again. Scalar is float or double.
template <class Scalar>
void decode_numbers(NumberType type, bool big_endian, const std::byte* from, Index stride,
                    Index count, Scalar* to);

}  // namespace core
