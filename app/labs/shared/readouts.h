// Readouts of a page.
#pragma once

#include "app/labs/lab.h"
#include "app/labs/shared/derivation/number_text.h"

namespace lab {

// Those that are numbers.
inline std::vector<Readout> finite(std::vector<Readout> readouts) {
  std::erase_if(readouts,
                [](const Readout& readout) { return !std::isfinite(readout.value.value); });
  return readouts;
}

// Readouts one after the other, in short numbers unless their text says otherwise.
struct ReadoutList {
  std::vector<Readout> list = {};

  void add(std::string id, std::string label, double value, std::string text, std::string help) {
    list.push_back({std::move(id), std::move(label), value, std::move(text), std::move(help)});
  }
  void add(std::string id, std::string label, double value, std::string help) {
    add(std::move(id), std::move(label), value, short_number(value), std::move(help));
  }
};

}  // namespace lab
