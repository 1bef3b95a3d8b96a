#include "app/sweep/changed.h"

#include <algorithm>
#include <cstring>

namespace sweep {

Changed changed(const paper::Pixels& before, const paper::Pixels& now) {
  if (before.width != now.width || before.height != now.height)
    return {0, 0, now.width, now.height};
  const auto row_bytes = static_cast<std::size_t>(now.width) * 3;
  int top = now.height, bottom = -1, left = now.width, right = -1;
  for (int y = 0; y < now.height; ++y) {
    const std::uint8_t* a = before.rgb.data() + static_cast<std::size_t>(y) * row_bytes;
    const std::uint8_t* b = now.rgb.data() + static_cast<std::size_t>(y) * row_bytes;
    if (std::memcmp(a, b, row_bytes) == 0) continue;
    top = std::min(top, y);
    bottom = y;
    const auto first = std::mismatch(a, a + row_bytes, b).first - a;
    left = std::min(left, static_cast<int>(first / 3));
    auto last = static_cast<std::ptrdiff_t>(row_bytes) - 1;
    while (a[last] == b[last]) --last;
    right = std::max(right, static_cast<int>(last / 3));
  }
  if (bottom < 0) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

paper::Pixels part_of(const paper::Pixels& whole, const Changed& part) {
  paper::Pixels out{part.width, part.height, {}};
  for (int y = part.y; y < part.y + part.height; ++y) {
    const auto begin = (static_cast<std::size_t>(y) * static_cast<std::size_t>(whole.width) +
                        static_cast<std::size_t>(part.x)) *
                       3;
    const auto at = whole.rgb.begin() + static_cast<std::ptrdiff_t>(begin);
    out.rgb.insert(out.rgb.end(), at, at + static_cast<std::ptrdiff_t>(part.width) * 3);
  }
  return out;
}

}  // namespace sweep
