// The command line: everything the window can make, with no display and no GL.
// Exit status: 0 done, 2 the words were wrong, 1 it could not be done.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/theme.h"
#include "app/lesson/lesson.h"
#include "app/session/session.h"
#include "app/words/words.h"

namespace cli {

// What the person wants to see, from the command line's words.
struct Wanted {
  std::optional<session::Session> session;  // none: the program's own first view
  std::string file;                         // that the session was read from; may be empty
  // Empty in the window: as it was the last time.
  std::optional<figure::ThemeName> theme;
  std::optional<words::Language> language;
  int width = 1600, height = 1000;
  bool sized = false;                             // --size: as large, even beyond the screen
  float scale = 0;                                // 0: none is asked for
  std::string lesson = {};                        // one of the program's that is open; may be empty
  std::optional<lesson::Lesson> own_lesson = {};  // or one from `file`
  std::optional<std::size_t> stop = {};           // of it; none: where it was left
  bool answered = false;                          // of a shot: as the stop is after its question
  bool start = false;                             // of a shot: the start page
  bool lecture = false;                           // the lesson, or the lab's page, as a lecture
  std::vector<std::string> given = {};            // of a shot: the parameters that --set names
  std::filesystem::path out;                      // of a shot
  std::filesystem::path control_map;  // kept up to date while the window is open; may be empty
};

// The parts that need GL, handed in by main so that the command line itself does not see them.
struct Frontend {
  std::function<int(const Wanted&)> open_window;
  std::function<void(const Wanted&)> shot;
  // What there is to draw on, by name: the library of the window, OpenGL, or why there is none.
  std::function<std::vector<std::pair<std::string, std::string>>()> display = {};
};

int run(const std::vector<std::string>& words, const Frontend& frontend);

}  // namespace cli
