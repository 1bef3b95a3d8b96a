// State of the lesson's view between frames.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lesson/flight.h"
#include "app/lesson/focus.h"
#include "app/lesson/lesson.h"
#include "app/lesson/play.h"
#include "app/param/values.h"
#include "app/state/program.h"

namespace ui {

struct Glide {
  param::Values from, to;
  double since = 0;
  std::string gesture;
};
// What travels over the page. It begins once the stop's page is shown.
struct Flight {
  bool wanted = false;
  double since = 0;
  std::vector<lesson::Flying> all = {};
};
// Result of an answer, on the page as it was when it was graded: the learner may lead the page on.
struct Graded {
  lesson::Verdict verdict;
  std::vector<lesson::Element> right;
  std::vector<std::array<double, 2>> right_curve;
  std::string given_text{}, right_text{};  // of numbers
  // Knobs of the page that was graded, to word the result again in another language.
  param::Values knobs{};
  words::Language language = words::Language::en;
};

// The answer being given, and its result.
struct Answering {
  std::optional<Graded> graded;
  lesson::Answer draft;                    // what is being marked or drawn
  std::optional<lesson::Element> hovered;  // of what is asked about
  double stroke = 0;                       // where the curve is being drawn
  std::string number, number_fault;
  std::string chosen;  // an option, in this frame
};
struct Pointing {
  bool touched = false;     // the page was pressed since the stop was opened: nothing is dimmed
  std::string wanted_knob;  // to be brought into view once the scene stands: only there it counts
  std::optional<lesson::Reference> by_word;  // by a word under the pointer
  std::vector<lesson::Reference> lit;  // under the pointer: words that stand for them light up
};
// What is seen of the page while the lesson is open.
struct Shown {
  lesson::Cover cover = {};
  std::optional<lesson::Focus> focus = {};  // none: the whole page
  bool whole = false;                       // that was asked for
  // The learner has turned the page into one of which the stop's words are not true.
  bool outdated = false;
  double since = 0;  // when the stop was opened, in ImGui's seconds
};
// Pages that a closing sentence compares: as the stop began, and as what is waited for held last.
struct Compared {
  std::shared_ptr<const state::Computed> begun = {}, done = {};
};
// Actions for the next frame.
struct NextFrame {
  bool to_top = false, to_outcome = false, leave = false, asks = false;
  bool tidies = false;   // what earlier stops needed is handed back once nothing is made any more
  std::string lesson;    // to begin
  std::string ahead_of;  // the stop whose next pages are made already, or being made
};
// A lesson in a file: when that was written last, as it was read.
struct LessonFile {
  std::filesystem::file_time_type written{};
  double looked = 0;  // at the file, in ImGui's seconds
};
// What stood on screen before the lesson.
struct Stood {
  std::optional<session::Session> page = {};  // none: no page was made yet
  bool start = false;                         // the start page
};
// The column as it is drawn: where its lines and rows begin on screen, and how far it reaches at
// least, so that it can be scrolled to one of them.
struct Column {
  std::vector<float> lines = {};
  float reach = 0;  // from its beginning
};
struct TextKey {
  long version = -1;
  std::size_t stop = 0;
  words::Language language = words::Language::en;
  bool settled = false, answered = false;
  bool operator==(const TextKey&) const = default;
};
struct TextCache {
  using Paragraphs = std::map<const lesson::Paragraph*, std::vector<lesson::TextRun>>;
  TextKey key;
  Paragraphs paragraphs;
  bool early = false;  // said while the stop's own page was not there yet
  // Of answered stops: what was said before the answer, which has led the page on.
  std::map<std::size_t, Paragraphs> before_answers;
  std::string fonts_of;  // the lesson whose characters were asked for

  // Paragraphs that are no more go.
  void forget() { key = {}, paragraphs.clear(), before_answers.clear(); }
};

}  // namespace ui
