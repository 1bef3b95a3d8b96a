// Readouts of a page.
#pragma once

#include "app/labs/lab.h"

namespace lab {

// Those that are numbers.
inline std::vector<Readout> finite(std::vector<Readout> readouts) {
  std::erase_if(readouts,
                [](const Readout& readout) { return !std::isfinite(readout.value.value); });
  return readouts;
}

}  // namespace lab
