// The command line: everything the window can make, with no display and no GL.
// Exit status: 0 done, 2 the words were wrong, 1 it could not be done.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/shared/wanted.h"

namespace cli {

// The parts that need GL, handed in by main so that the command line itself does not see them.
struct Frontend {
  std::function<int(const Wanted&)> open_window;
  std::function<void(const Wanted&)> shot;
  // What there is to draw on, by name: the library of the window, OpenGL, or why there is none.
  std::function<std::vector<std::pair<std::string, std::string>>()> display = {};
  std::function<void(const Wanted&)> film = {};  // of a lesson
};

int run(const std::vector<std::string>& words, const Frontend& frontend);

}  // namespace cli
