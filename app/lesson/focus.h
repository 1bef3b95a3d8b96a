// What of a page a stop means: the figures, knobs and numbers that a learner sees unless they ask
// for the whole page.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/lesson/lecture.h"

namespace lesson {

struct Focus {
  Row figures;                     // two at most
  std::vector<std::string> knobs;  // that are to be turned, in the order in which they are named
  std::set<std::string> readouts;  // that are named
  bool derivation = false;         // of what is clicked
  // Something stands beside the page at this stop, before its answer or after it, so that the
  // figures keep their size meanwhile.
  bool beside = false;
};

// `answered`, or done where something was to be done: also what that changes and what is said of
// it. `derives`: the page's derivation is not covered then (Play::derives).
Focus focus_of(const Stop& stop, bool answered, const lab::Page& page, bool derives = true);

}  // namespace lesson
