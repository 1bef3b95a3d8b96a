// The program's window.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/figure/theme.h"
#include "app/gl/window.h"
#include "app/labs/session.h"
#include "app/words/words.h"

namespace ui {

struct WindowOptions {
  std::optional<lab::Session> session;  // none: the first lab as it is
  std::string file;                     // that it was opened from; may be empty
  figure::ThemeName theme = figure::ThemeName::dark;
  words::Language language = words::Language::en;
  int width = 1600, height = 1000;
  float scale = 0;                    // 0: the display's own
  std::filesystem::path control_map;  // kept up to date while the window is open; may be empty
};

// Runs until the window is closed; the exit status. Throws gl::Unavailable when there is no display
// or no OpenGL 3.3.
int run_window(const WindowOptions& options);

}  // namespace ui
