// Lists.
#pragma once

#include <ranges>

#include "app/labs/lab.h"

namespace lab {

// What `of` makes of 0 to count - 1, and of each of `all`.
template <class Of>
auto each(Index count, Of of) {
  std::vector<std::decay_t<decltype(of(Index{}))>> list;
  list.reserve(to_size(count));
  for (Index k = 0; k < count; ++k) list.push_back(of(k));
  return list;
}
template <std::ranges::range All, class Of>
auto each(const All& all, Of of) {
  std::vector<std::decay_t<decltype(of(*std::begin(all)))>> list;
  for (const auto& one : all) list.push_back(of(one));
  return list;
}

// 0 to count - 1.
inline std::vector<Index> numbered(Index count) {
  return each(count, [](Index k) { return k; });
}
// The `most` of 0 to count - 1 with the largest size(k), the largest first; of equals the first.
template <class Size>
std::vector<Index> largest_first(Index count, Size size,
                                 Index most = std::numeric_limits<Index>::max()) {
  std::vector<Index> all = numbered(count);
  const auto end = all.begin() + std::min(count, most);
  std::partial_sort(all.begin(), end, all.end(), [&](Index a, Index b) {
    const auto x = size(a), y = size(b);
    return x != y ? x > y : a < b;
  });
  all.erase(end, all.end());
  return all;
}
// The same in their order: which terms of a long sum are written out.
template <class Size>
std::vector<Index> largest_in_order(Index count, Size size, Index most) {
  std::vector<Index> all = largest_first(count, size, most);
  std::sort(all.begin(), all.end());
  return all;
}
// Where `wanted` stands among them; -1: nowhere.
template <class One>
int place_among(const std::vector<One>& all, const One& wanted) {
  const auto found = std::find(all.begin(), all.end(), wanted);
  return found == all.end() ? -1 : to_int(found - all.begin());
}

// Names along an axis.
inline Labels labels(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

}  // namespace lab
