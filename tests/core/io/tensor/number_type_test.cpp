#include "core/io/tensor/number_type.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/precision/format.h"
#include "core/tile.h"

namespace number_type_test {

namespace {

template <class Scalar, class Stored>
Scalar decoded(core::NumberType type, Stored stored) {
  std::byte bytes[sizeof(Stored)];
  std::memcpy(bytes, &stored, sizeof(Stored));
  Scalar number = 0;
  constexpr bool kBig = std::endian::native == std::endian::big;
  core::decode_numbers(type, kBig, bytes, 1, 1, &number);
  return number;
}

}  // namespace

TEST_CASE("every code of float16 and bfloat16 is the number that the format says") {
  const struct {
    core::NumberType type;
    core::Format format;
  } both[] = {{core::NumberType::float16, core::kFloat16},
              {core::NumberType::bfloat16, core::kBFloat16}};
  for (const auto& [type, format] : both) {
    int wrong = 0;
    for (std::uint32_t code = 0; code < 65536; ++code) {
      const double want = core::number_of(format, code);
      const double got = decoded<double>(type, static_cast<std::uint16_t>(code));
      const auto got_float =
          static_cast<double>(decoded<float>(type, static_cast<std::uint16_t>(code)));
      const bool same = std::isnan(want) ? std::isnan(got) && std::isnan(got_float)
                                         : std::bit_cast<std::uint64_t>(want) ==
                                                   std::bit_cast<std::uint64_t>(got) &&
                                               got == got_float;
      wrong += !same;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("the ends of every type") {
  using core::NumberType;
  CHECK(decoded<double>(NumberType::int8, std::int8_t{-128}) == -128);
  CHECK(decoded<double>(NumberType::uint8, std::uint8_t{255}) == 255);
  CHECK(decoded<double>(NumberType::int16, std::int16_t{-32768}) == -32768);
  CHECK(decoded<double>(NumberType::uint16, std::uint16_t{65535}) == 65535);
  CHECK(decoded<double>(NumberType::int32, std::numeric_limits<std::int32_t>::min()) == -0x1p31);
  CHECK(decoded<double>(NumberType::uint32, ~std::uint32_t{0}) == 0x1p32 - 1);
  CHECK(decoded<double>(NumberType::int64, std::int64_t{1} << 53) == 0x1p53);
  CHECK(decoded<double>(NumberType::int64, std::numeric_limits<std::int64_t>::min()) == -0x1p63);
  CHECK(decoded<double>(NumberType::uint64, ~std::uint64_t{0}) == 0x1p64);
  CHECK(decoded<double>(NumberType::boolean, std::uint8_t{0}) == 0);
  CHECK(decoded<double>(NumberType::boolean, std::uint8_t{7}) == 1);
  CHECK(decoded<double>(NumberType::float32, 0.1f) == static_cast<double>(0.1f));
  CHECK(decoded<double>(NumberType::float64, 0.1) == 0.1);
  CHECK(decoded<float>(NumberType::float64, 1e300) == std::numeric_limits<float>::infinity());
  // Once, not by way of a double: 2^54 + 2^30 + 1 lies above the middle of two floats.
  CHECK(decoded<float>(NumberType::int64, (std::int64_t{1} << 54) + (1 << 30) + 1) ==
        std::nextafter(0x1p54f, 1e30f));
}

TEST_CASE("a masked cell that was written is masked when it is read") {
  CHECK(core::is_masked(decoded<float>(core::NumberType::float32, core::kMasked)));
}

TEST_CASE("strides and the other byte order") {
  const std::byte bytes[] = {std::byte{1}, std::byte{2}, std::byte{9},
                             std::byte{3}, std::byte{4}, std::byte{9}};
  double numbers[2];
  core::decode_numbers(core::NumberType::uint16, true, bytes, 3, 2, numbers);
  CHECK(numbers[0] == 0x0102);
  CHECK(numbers[1] == 0x0304);
  core::decode_numbers(core::NumberType::int16, false, bytes, 3, 2, numbers);
  CHECK(numbers[0] == 0x0201);
  CHECK(numbers[1] == 0x0403);
}

}  // namespace number_type_test
