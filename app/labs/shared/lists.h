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

// Names along an axis.
inline Labels labels(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

}  // namespace lab
