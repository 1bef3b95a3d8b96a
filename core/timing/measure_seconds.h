// Wall-clock time of work on this machine.
#pragma once

#include <chrono>
#include <utility>

namespace core {

// Seconds that one call of work() takes.
template <class Work>
double measure_seconds(Work&& work) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::forward<Work>(work)();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace core
