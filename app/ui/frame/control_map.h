// What --control-map keeps in a file: where every control is and what the program holds, so that
// tests and scripts can drive the window.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "app/state/program.h"
#include "app/state/sweeper.h"
#include "app/ui/draw/gui.h"
#include "app/ui/draw/input.h"
#include "app/ui/lesson/lecture_view.h"
#include "app/ui/lesson/lesson_view.h"
#include "app/ui/page/page_view.h"

namespace ui {

struct ControlMapFacts {
  int width = 0, height = 0;
  int pointer_x = 0, pointer_y = 0;  // -1 outside of the window
  std::vector<int> buttons_down;
  InputCount input;
  long clicks = 0, double_clicks = 0;  // of the left button
  long frames = 0;                     // drawn so far
  bool settled = false, sleeps = false;
  const std::deque<state::Message>* said = nullptr;
  std::string marked;       // the figure that was framed last
  double first_page_s = 0;  // when the first page was on screen, in seconds of the steady clock
  const Controls* controls = nullptr;
  const std::map<std::string, PageView::PlotPlace>* plots = nullptr;
  Controls hits;  // by what they set: "hit." and that
  std::optional<LessonView::Status> lesson;
  std::vector<std::string> tip = {};  // the values beside the pointer
  const state::Sweeper* sweep = nullptr;
  std::optional<LectureView::Status> lecture;
};

// As JSON. What a script waits for:
//   input     counts what has been let through, and the frames that answer to it have been drawn
//   settled   everything is computed, found out and drawn: the next change comes from outside, from
//             a training, from what plays, or is one of time alone (a cursor that blinks)
//   sleeps    settled, and nothing changes by itself either
//   frames    how many were drawn
//   stale     the page on screen is not the one of the knobs, since another is made or none can be
//   said      the last few sentences told, each with its number; they stay when they have left the
//             screen; "message" is the one on screen
//   marked    the figure that was framed last, since it was opened from a file
std::string control_map_json(state::Program& program, const ControlMapFacts& facts);

// Keeps a file up to date; writes it only when it changed, through a temporary beside it.
class ControlMapFile {
 public:
  explicit ControlMapFile(std::filesystem::path path) : path_(std::move(path)) {}
  // Throws the first time that it cannot be written; it goes on trying.
  void update(const std::string& text);
  bool kept() const { return !path_.empty(); }

 private:
  std::filesystem::path path_;
  std::string written_;
  bool failed_ = false;
};

}  // namespace ui
