// Doing what a stop asks for: what "Show me" does in the window, and how a test walks a lesson.
#pragma once

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

// Actions that make a condition hold: knobs that are set, and clicks in plots and figures.
struct Way {
  param::Values sets;
  struct Click {
    std::string in;  // the plot or figure that was named; empty: anywhere
    figure::Pick pick;
  };
  std::vector<Click> clicks;
};

// With `does` where the stop says how, else by what the condition itself names: knobs that are
// compared with numbers and words, knobs to be moved, plots to be picked in. Throws
// core::InputError where that is not to be found out, as with a readout: the stop needs "do:".
Way way_to(const Stop& stop, const Sight& sight);

// The scene once they are done, and what was picked in and moved by then.
session::Session after(const Way& way, session::Session scene);
std::set<std::string> picked_on(const Way& way);
std::set<std::string> moved_on(const Way& way);

}  // namespace lesson
