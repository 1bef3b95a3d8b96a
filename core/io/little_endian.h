// Numbers in the headers of files, which are little-endian whatever the machine is.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace core {

// The number whose bytes begin at `at`; `bytes` must hold all of them.
template <std::unsigned_integral Number>
Number little_endian(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t number = 0;
  for (std::size_t k = sizeof(Number); k-- > 0;) {
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[at + k]);
  }
  return static_cast<Number>(number);
}

}  // namespace core
