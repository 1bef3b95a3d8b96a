// A lesson as a film: what a lecture shows, stop after stop, as if somebody went on as soon as the
// sentences were read. Neither a display nor OpenGL is needed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "app/figure/theme.h"
#include "app/lesson/lesson.h"
#include "app/words/words.h"
#include "core/parallel.h"

namespace ui {

struct LessonFilm {
  std::string lesson = {};                        // one of the program's
  std::optional<lesson::Lesson> own_lesson = {};  // or one from `file`
  std::string file = {};
  figure::ThemeName theme = figure::ThemeName::light;
  words::Language language = words::Language::en;
  int width = 1280, height = 720;
  float scale = 0;  // 0: so large that 720 lines have a lecture's type
  double fps = 25;
  std::filesystem::path out;  // its ending chooses, as sweep::open_film has it
};

// Seconds that a person takes to read it.
double reading_seconds(const std::string& text);

// Throws core::InputError, sys::IoError, core::Cancelled; then there is no file, or the old one.
// done, of: frames.
using Filmed = std::function<void(int done, int of)>;
void write_lesson_film(const LessonFilm& film, const core::Cancel& cancel,
                       const Filmed& report = {});

}  // namespace ui
