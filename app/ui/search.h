// Finding labs, knobs and presets by what somebody types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/labs/lab.h"
#include "app/words/words.h"

namespace ui {

struct Found {
  enum class Kind { lab, preset, knob };
  Kind kind = Kind::lab;
  std::string lab;    // the lab's id
  std::string id;     // of the preset or knob
  std::string title;  // translated
  std::string where;  // the lab's translated title, for presets and knobs
};

// Everything whose English or translated title, id, question, help or lesson has every word of
// `query` in it, whatever the case; labs first, then presets, then knobs.
std::vector<Found> search(const std::vector<lab::Lab>& labs, std::string_view query,
                          const words::Words& w);

// Those of the names that have every word of `query` in them or in what is shown of them, in their
// order; all of them where there is no word.
std::vector<std::size_t> search(const std::vector<param::Named>& names, std::string_view query);

}  // namespace ui
