// Another order of a list, the same on every machine.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"

namespace core::task {

// Every order is as likely as any other (Durstenfeld 1964, algorithm 235). Fewer than 2^32 items.
template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(static_cast<std::uint32_t>(left))]);
  }
}

}  // namespace core::task
