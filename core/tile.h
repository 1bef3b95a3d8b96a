// Rectangles of cells of a large matrix, pooled so that a picture costs its pixels and not its
// cells.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/types.h"

namespace core {

// The value of a cell that is absent because the mask hides it: a quiet NaN with a payload of its
// own, so that it survives copies and is told from a NaN that was computed.
inline constexpr std::uint32_t kMaskedBits = 0x7fc0a77eu;
inline const float kMasked = std::bit_cast<float>(kMaskedBits);
inline bool is_masked(float value) { return std::bit_cast<std::uint32_t>(value) == kMaskedBits; }

// How a block of cells becomes one: the value of largest magnitude, with its sign, or the mean.
// Masked cells do not count; a block of masked cells only is masked; one NaN makes it NaN.
enum class Pool { max, mean };

// A rectangle in units of pooled cells of one level; a pooled cell is 2^level by 2^level cells,
// fewer at the last row and column.
struct Region {
  Index row = 0, col = 0, rows = 0, cols = 0;
  bool operator==(const Region&) const = default;
};

// The cells that a pooled row or column of a level stands for, of `cells` in all.
struct CellSpan {
  Index begin, end;
  Index size() const { return end - begin; }
};
inline CellSpan cell_span(Index pooled, int level, Index cells) {
  return {pooled << level, std::min(cells, (pooled + 1) << level)};
}

}  // namespace core
