// What a person wants to see.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/theme.h"
#include "app/lesson/lesson.h"
#include "app/session/session.h"
#include "app/words/words.h"

namespace cli {

// From the command line's words.
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
  bool embedded = false;                          // a figure and a few knobs, and nothing else
  std::string embedded_figure = {};               // empty: the page's first
  std::vector<std::string> embedded_knobs = {};   // empty: those that the lab has at hand
  std::vector<std::string> given = {};            // of a shot: the parameters that --set names
  std::filesystem::path out;                      // of a shot, or of a lesson's film
  std::filesystem::path control_map;  // kept up to date while the window is open; may be empty
};

}  // namespace cli
