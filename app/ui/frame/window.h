// The program's window.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/figure/theme.h"
#include "app/gl/window.h"
#include "app/lesson/lesson.h"
#include "app/session/session.h"
#include "app/ui/frame/embedded_parts.h"
#include "app/words/words.h"

namespace ui {

struct WindowOptions {
  std::optional<session::Session> session;  // none: the start page, or the first lab as it is
  std::string file;                         // that it was opened from; may be empty
  std::optional<figure::ThemeName> theme;   // none: as it was the last time
  std::optional<words::Language> language;  // the same
  int width = 1600, height = 1000;
  bool sized = false;       // exactly; else no larger than the screen has room for
  float scale = 0;          // 0: as it was the last time, or the display's own
  std::string lesson = {};  // one of the program's that is open; may be empty
  std::optional<lesson::Lesson> own_lesson = {};  // or one from `file`
  std::optional<std::size_t> stop = {};           // of it; none: where it was left
  bool lecture = false;                           // full screen, from the start
  std::optional<EmbeddedParts> embedded = {};     // one figure alone, with a few knobs
  std::filesystem::path control_map;  // kept up to date while the window is open; may be empty
};

// Runs until the window is closed; the exit status. How it looks is read from settings_file() and
// what a person changed of it written there at the end. Throws gl::Unavailable when there is no
// display or no OpenGL 3.3.
int run_window(const WindowOptions& options);

}  // namespace ui
