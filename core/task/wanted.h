// Draws until something comes up that is held out, or that is not.
#pragma once

#include "core/random.h"
#include "core/types.h"

namespace core::task {

// Where nothing of what is wanted comes up, after so many draws anything is taken.
inline constexpr int kMostDraws = 1000;

// What draw_one() gives, again until held_out(task, it) is `held`.
template <class Task, class Draw>
auto draw_wanted(const Task& task, bool held, Draw draw_one) {
  auto one = draw_one();
  for (int k = 0; k < kMostDraws && held_out(task, one) != held; ++k) one = draw_one();
  return one;
}

// One of [0, count), count >= 1.
inline Index below(Random& random, Index count) {
  return static_cast<Index>(random.below(static_cast<std::uint32_t>(count)));
}

}  // namespace core::task
