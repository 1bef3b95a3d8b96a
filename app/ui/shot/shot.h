// The whole window as a picture, with neither a display nor OpenGL.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/theme.h"
#include "app/gl/window.h"
#include "app/lesson/lesson.h"
#include "app/session/session.h"
#include "app/words/words.h"

namespace ui {

struct ShotOptions {
  std::optional<session::Session> session;
  figure::ThemeName theme = figure::ThemeName::dark;
  words::Language language = words::Language::en;
  int width = 1600, height = 1000;
  float scale = 0;  // 0: 1
  // One of the program's lessons to open, and its stop.
  std::string lesson = {};
  std::optional<lesson::Lesson> own_lesson = {};  // or one from a file
  std::string file = {};                          // that file
  std::size_t stop = 0;
  bool answered = false;  // as it is after the question, or when what it waits for was done
  bool start = false;     // the start page, with all its pictures
  std::function<void(const std::string&)> report = {};  // of what the session names in vain
  std::vector<std::string> given = {};  // the parameters that were given and must be in range
  bool lecture = false;                 // as a lecture shows it, in this theme and at this scale
};

// Throws core::InputError for a refused session, and for options out of range.
gl::Image render_shot(const ShotOptions& options);

}  // namespace ui
