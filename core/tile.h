// Pooled pieces of a matrix that is too large to draw, or even to hold.
#pragma once

#include <bit>
#include <cstdint>

namespace core {

// A cell in which no pair of query and key is allowed. It is a quiet NaN with a payload of its own,
// so that it can be told from a computed NaN; compare with is_masked, never with ==.
inline constexpr std::uint32_t kMaskedBits = 0x7fc0a77e;
inline constexpr float kMasked = std::bit_cast<float>(kMaskedBits);
inline bool is_masked(float cell) { return std::bit_cast<std::uint32_t>(cell) == kMaskedBits; }

// What stands for a block of cells: the largest of those that are allowed, or their mean.
enum class Pooling { max, mean };

}  // namespace core
