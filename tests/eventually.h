// Waiting for what other threads do. The limit only ends what would hang for ever: it is minutes,
// so that no machine, however busy, meets it.
#pragma once

#include <chrono>
#include <thread>

constexpr std::chrono::minutes kHangs{5};

// True once `good()` is; false when it is not in all this time.
template <class Condition>
bool eventually(Condition good) {
  const auto end = std::chrono::steady_clock::now() + kHangs;
  while (!good()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}
