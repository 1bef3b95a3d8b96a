// Lessons of one's own, built by using the program: the scene on screen becomes a stop at the end
// of a lesson's file.
#pragma once

#include <filesystem>
#include <string>

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

struct NewStop {
  std::string title, sentence;  // as they stand in a lesson's text
  std::string figure = {};      // that is brought into view; empty: none is named
  bool alone = false;           // it fills the page
  // An optional question, true or false, and why; empty: none.
  std::string statement = {}, why = {};
  bool truth = true;
};

// The stop's lines: its lab with every knob that differs from the lab's own beginning. Throws
// core::InputError for what a lesson's text cannot hold.
std::string stop_text(const NewStop& stop, const session::Session& scene);

// What the file will be with the stop at its end: one that is not there begins with a head, whose
// title is the file's name. It is read, and its scenes and the new stop's page are checked. Throws
// core::InputError (Fault: what is wrong, with its line) where it is no lesson, before or after.
struct Grown {
  std::string text;
  Lesson lesson;
};
Grown with_stop(const std::filesystem::path& file, const NewStop& stop, const Sight& sight,
                const words::Words& words);

// Writes that file, which is replaced as a whole or not at all. Throws sys::IoError, too.
Lesson add_stop(const std::filesystem::path& file, const NewStop& stop, const Sight& sight,
                const words::Words& words);

}  // namespace lesson
