#include <emscripten/threading.h>

#include <algorithm>

#include "core/system/threads.h"

namespace core {

int current_core() { return -1; }

// A browser says how many there are, and lets nobody choose.
Cores allowed_cores() {
  Cores cores;
  const auto count = static_cast<std::size_t>(std::max(1, emscripten_num_logical_cores()));
  for (std::size_t k = 0; k < std::min(count, cores.size()); ++k) cores[k] = true;
  return cores;
}

void allow_cores(std::thread&, const Cores&) {}

void step_back() {}

}  // namespace core
