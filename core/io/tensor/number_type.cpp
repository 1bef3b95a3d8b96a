#include "core/io/tensor/number_type.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace core {
namespace {

template <class Stored>
Stored stored_number(const std::byte* from, bool swapped) {
  std::byte bytes[sizeof(Stored)];
  std::memcpy(bytes, from, sizeof(Stored));
  if (swapped) std::reverse(bytes, bytes + sizeof(Stored));
  Stored number;
  std::memcpy(&number, bytes, sizeof(Stored));
  return number;
}

// Exponent and mantissa move to where a float32 has them; 2^112 mends the bias, exactly also for
// what is subnormal.
float from_float16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = (bits & 0x7fffu) << 13;
  const bool special = (bits & 0x7c00u) == 0x7c00u;  // infinity or NaN
  const std::uint32_t size =
      special ? magnitude | 0x7f800000u
              : std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  return std::bit_cast<float>(sign | size);
}

float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <class Stored, class Scalar, class Convert>
void decode_each(bool swapped, const std::byte* from, Index stride, Index count, Scalar* to,
                 Convert convert) {
  // The choice stands outside of the loop, so that the usual one is a plain copy.
  if (swapped) {
    for (Index k = 0; k < count; ++k) {
      to[k] = static_cast<Scalar>(convert(stored_number<Stored>(from + k * stride, true)));
    }
  } else {
    for (Index k = 0; k < count; ++k) {
      to[k] = static_cast<Scalar>(convert(stored_number<Stored>(from + k * stride, false)));
    }
  }
}

}  // namespace

template <class Scalar>
void decode_numbers(NumberType type, bool big_endian, const std::byte* from, Index stride,
                    Index count, Scalar* to) {
  const bool swapped = big_endian != (std::endian::native == std::endian::big);
  const auto as = [&]<class Stored>(Stored) {
    decode_each<Stored>(swapped, from, stride, count, to, [](Stored number) { return number; });
  };
  switch (type) {
    case NumberType::boolean:
      return decode_each<std::uint8_t>(swapped, from, stride, count, to,
                                       [](std::uint8_t byte) { return byte != 0; });
    case NumberType::int8: return as(std::int8_t{});
    case NumberType::int16: return as(std::int16_t{});
    case NumberType::int32: return as(std::int32_t{});
    case NumberType::int64: return as(std::int64_t{});
    case NumberType::uint8: return as(std::uint8_t{});
    case NumberType::uint16: return as(std::uint16_t{});
    case NumberType::uint32: return as(std::uint32_t{});
    case NumberType::uint64: return as(std::uint64_t{});
    case NumberType::float16:
      return decode_each<std::uint16_t>(swapped, from, stride, count, to, from_float16);
    case NumberType::bfloat16:
      return decode_each<std::uint16_t>(swapped, from, stride, count, to, from_bfloat16);
    case NumberType::float32: return as(float{});
    case NumberType::float64: return as(double{});
  }
}

template void decode_numbers(NumberType, bool, const std::byte*, Index, Index, float*);
template void decode_numbers(NumberType, bool, const std::byte*, Index, Index, double*);

}  // namespace core
