#include "app/ui/lesson/lecture_view.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/ui/controls/widgets.h"
#include "core/enum_array.h"

namespace ui {

namespace {

constexpr float kMargin = 14;        // units around what is shown
constexpr float kBeside = 0.36f;     // of the width, for a question beside the figures
constexpr float kMostWords = 0.4f;   // of the height, for what stands below them
constexpr float kLongest = 760;      // units that a line of words is at most long
constexpr double kPointerRests = 3;  // seconds until it is hidden

}  // namespace

// Opening and leaving ----------------------------------------------------------------------------

void LectureView::begin() {
  if (on()) return;
  const state::LectureLook& look = program_.looks.lecture;
  own_ = Own{program_.looks.theme, program_.looks.scale};
  program_.looks.theme = look.theme;
  program_.looks.rescale(look.scale);
  lecture_.begin(now());
  lecture_.set_sentence(look.sentence);
  row_ = 0;
  step_ = Step::none;
  ahead_of_.clear();
  moved_ = ImGui::GetTime();
  program_.messages.dismiss();
  gui_.keyboard().focus("", false);
  gui_.wake_in(0);
}

void LectureView::leave() {
  if (!on()) return;
  program_.looks.lecture = {program_.looks.theme, program_.looks.scale, lecture_.sentence()};
  lecture_.end();
  program_.looks.theme = own_->theme;
  program_.looks.rescale(own_->scale);
  own_.reset();
  page_.present({});
  program_.pages.ahead().make({});
  lift_pen();
  gui_.keyboard().focus("", false);
  gui_.wake_in(0);
}

// Where one is -----------------------------------------------------------------------------------

void LectureView::choose_figures() {
  const state::Computed* page = program_.pages.page();
  if (!page) return;
  const lesson::Play* play = lesson_.play();
  if (lab_ != page->made_from.lab) {
    lab_ = page->made_from.lab;
    row_ = 0;
  }
  knob_ids_.clear();
  if (play && lesson_.on_its_lab()) {
    const lesson::Focus focus = lesson::focus_of(play->stop(), play->answered(), page->page);
    figures_ = focus.figures;
    knob_ids_ = focus.knobs;
    for (std::string& id : lesson::knobs_of(play->stop())) {
      if (std::ranges::find(knob_ids_, id) == knob_ids_.end()) knob_ids_.push_back(std::move(id));
    }
    // Those that could be turned now.
    param::List all = program_.desk.list();
    std::erase_if(knob_ids_, [&](const std::string& id) {
      const param::Parameter* p = all.find(id);
      return !p || !p->info.active || p->info.tabs;
    });
    return;
  }
  std::vector<figure::Figure> shapes;
  for (const std::size_t k : session::shown_figures(page->page, program_.sight.figures())) {
    const figure::Figure& f = page->page.figures[k];
    shapes.push_back({.id = f.id, .span = f.span});
  }
  std::vector<lesson::Row> rows = lesson::rows_of(shapes);
  if (!page_.alone().empty()) rows = {{page_.alone()}};
  rows_ = std::max<std::size_t>(rows.size(), 1);
  row_ = std::min(row_, rows_ - 1);
  figures_ = rows.empty() ? lesson::Row() : rows[row_];
}

LectureView::Place LectureView::place() {
  const lesson::Play* play = lesson_.play();
  Place place{row_, rows_, gui_.words()(program_.desk.lab().title)};
  if (!play) return place;
  place = {play->at(), play->lesson().stops.size(), play->stop().title};
  place.planned_s = 60.0 * play->lesson().minutes * static_cast<double>(play->at() + 1) /
                    static_cast<double>(play->lesson().stops.size());
  place.answer = lesson_.answer_ahead();
  for (const lesson::Paragraph& one : play->stop().notes) {
    place.notes.push_back(lesson_.plain_text(one));
  }
  if (play->last()) return place;
  const lesson::Stop& next = play->lesson().stops[play->at() + 1];
  place.next = next.title;
  place.next_sentence = lesson_.next_sentence();
  return place;
}

// Pages of what may come next are made before they are asked for.
void LectureView::look_ahead() {
  const lesson::Play* play = lesson_.play();
  if (!play) return;
  const std::string stop = fmt::format("{} {} {}", play->name(), play->at(), play->answered());
  if (stop == ahead_of_) return;
  ahead_of_ = stop;
  std::vector<bool> answered;
  for (std::size_t k = 0; k < play->lesson().stops.size(); ++k) {
    answered.push_back(play->answered(k));
  }
  try {
    program_.pages.ahead().make(lesson::scenes_ahead(play->lesson(), play->at(), answered));
  } catch (const core::InputError&) {
    program_.pages.ahead().make({});  // it is said when the stop is gone to
  }
}

// Going on ---------------------------------------------------------------------------------------

void LectureView::step(Step step) {
  if (lecture_.blank() != lesson::Lecture::Blank::none) return lecture_.blank(lecture_.blank());
  if (lesson_.open()) {
    step_ = step;
    return try_step();
  }
  if (step == Step::forward && row_ + 1 < rows_) ++row_;
  if (step == Step::back && row_ > 0) --row_;
}

// What is on screen stays there until the next page is made.
void LectureView::try_step() {
  if (step_ == Step::none) return;
  const auto scene = step_ == Step::forward ? lesson_.scene_forward() : lesson_.scene_back();
  if (scene && program_.pages.ahead().awaits(*scene)) return gui_.wake_in(0.05);
  const Step taken = std::exchange(step_, Step::none);
  if (taken == Step::back) return lesson_.back();
  if (lesson_.at_end()) return program_.learned.finish(lesson_.play()->name());
  lesson_.forward();
}

// Every frame ------------------------------------------------------------------------------------

void LectureView::draw(const Rect& screen, const LessonView::DrawKnob& knob,
                       const std::vector<std::string>& at_hand) {
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x != 0 || moved.y != 0 || ImGui::IsAnyMouseDown()) moved_ = ImGui::GetTime();
  const double rests = moved_ + kPointerRests - ImGui::GetTime();
  if (rests > 0) gui_.wake_in(rests);
  if (lecture_.notes()) gui_.wake_in(1 - std::fmod(lecture_.seconds(now()), 1.0));
  look_ahead();
  try_step();
  choose_figures();
  if (knob_ids_.empty()) knob_ids_ = at_hand;
  gui_.fill(screen, gui_.theme().window);
  const float pad = gui_.px(kMargin);
  Rect room{screen.x + pad, screen.y + pad, screen.w - 2 * pad, screen.h - 2 * pad};
  if (lecture_.knobs() && !knob_ids_.empty()) {
    const float high = std::min(std::max(knobs_height_, gui_.px(56)), room.h / 2);
    knobs({room.x, room.bottom() - high, room.w, high}, knob);
    room.h -= high + pad;
  }
  const lesson::Play* play = lesson_.play();
  if (play && play->stop().question && screen.w > screen.h * 1.2f) {
    const float wide = std::round(room.w * kBeside);
    words({room.right() - wide, room.y, wide, room.h}, true);
    room.w -= wide + pad;
  } else if (play && (play->stop().question || lecture_.sentence())) {
    const float wide = std::min(room.w, gui_.px(kLongest));
    const float wanted = play->stop().question ? room.h * kMostWords
                                               : lesson_.slide_height(wide, lecture_.sentence());
    const float high = std::min(std::ceil(wanted), std::round(room.h * kMostWords));
    if (high > 0) {
      words({room.x + (room.w - wide) / 2, room.bottom() - high, wide, high}, false);
      room.h -= high + pad;
    }
  }
  page_.present(Presented{figures_, lecture_.captions(), lesson_.before()});
  page_.draw(room);
  gui_.control("lecture.picture", room);
  lesson_.draw_marks(room, {}, true);
  ink(screen);
  spotlight(screen);
  blank(screen);
  gui_.control("lecture", screen);
}

// Beside the figures in the middle of the height, below them from the top.
void LectureView::words(const Rect& area, bool beside) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::BeginChild("lecture.words", {area.w, area.h}, 0, ImGuiWindowFlags_NoScrollbar);
  gui_.control("lecture.words", area);
  const float inset = beside ? gui_.px(6) : 0;
  const float y = area.y - ImGui::GetScrollY();
  const float height =
      lesson_.draw_slide(area.x + inset, y, area.w - 2 * inset, lecture_.sentence());
  extend_content(y + height + gui_.px(4));
  ImGui::EndChild();
}

// At the lower edge, beside each other.
void LectureView::knobs(const Rect& area, const LessonView::DrawKnob& knob) {
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::BeginChild("lecture.knobs", {area.w, area.h}, 0, ImGuiWindowFlags_NoScrollbar);
  gui_.control("lecture.knobs", area);
  const float gap = gui_.px(24);
  const auto most = static_cast<std::size_t>(std::clamp(area.w / gui_.px(210), 1.0f, 4.0f));
  const std::size_t count = std::min(most, knob_ids_.size());
  const auto shares = static_cast<float>(count);
  const float wide = std::min((area.w - gap * (shares - 1)) / shares, gui_.px(340));
  float x = area.x + (area.w - shares * wide - (shares - 1) * gap) / 2;
  float highest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    highest = std::max(highest, knob(knob_ids_[k], x, area.y - ImGui::GetScrollY(), wide));
    x += wide + gap;
  }
  if (knobs_height_ != highest) gui_.wake_in(0);
  knobs_height_ = highest;
  extend_content(area.y - ImGui::GetScrollY() + highest);
  ImGui::EndChild();
}

bool LectureView::pointer_rests() const {
  const bool light = lecture_.tool() == lesson::Lecture::Tool::spotlight;
  return on() && !light && ImGui::GetTime() - moved_ >= kPointerRests;
}

bool LectureView::hides_pointer() const {
  if (!on()) return false;
  if (lecture_.blank() != lesson::Lecture::Blank::none) return true;
  return pointer_rests() || lecture_.tool() == lesson::Lecture::Tool::spotlight;
}

std::optional<LectureView::Status> LectureView::status() const {
  if (!on()) return {};
  constexpr core::EnumArray<lesson::Lecture::Blank, const char*> kBlanks{
      {"none", "black", "white"}};
  constexpr core::EnumArray<lesson::Lecture::Tool, const char*> kTools{
      {"none", "spotlight", "pen", "eraser"}};
  const lesson::Play* play = lesson_.play();
  return Status{kBlanks[lecture_.blank()],
                kTools[lecture_.tool()],
                figures_,
                play ? play->at() : row_,
                play ? play->lesson().stops.size() : rows_,
                strokes_here().all.size() + (pen_ ? 1 : 0),
                lecture_.ink(),
                lecture_.sentence(),
                lecture_.knobs(),
                lecture_.notes(),
                step_ != Step::none};
}

// Keys -------------------------------------------------------------------------------------------

void LectureView::keys() {
  if (gui_.keyboard().take(GLFW_KEY_ESCAPE)) return leave();
  if (navigation_keys()) return;
  switch_keys();
  tool_keys();
}

bool LectureView::navigation_keys() {
  for (const int key : {GLFW_KEY_SPACE, GLFW_KEY_RIGHT, GLFW_KEY_DOWN, GLFW_KEY_PAGE_DOWN}) {
    if (gui_.keyboard().take(key)) return step(Step::forward), true;
  }
  for (const int key : {GLFW_KEY_BACKSPACE, GLFW_KEY_LEFT, GLFW_KEY_UP, GLFW_KEY_PAGE_UP}) {
    if (gui_.keyboard().take(key)) return step(Step::back), true;
  }
  if (gui_.keyboard().take(GLFW_KEY_HOME)) {
    lesson_.open() ? lesson_.first() : void(row_ = 0);
    return true;
  }
  if (gui_.keyboard().take(GLFW_KEY_END)) {
    lesson_.open() ? lesson_.last() : void(row_ = rows_ - 1);
    return true;
  }
  return false;
}

void LectureView::switch_keys() {
  using Blank = lesson::Lecture::Blank;
  if (gui_.keyboard().take(GLFW_KEY_B) || gui_.keyboard().take(GLFW_KEY_PERIOD))
    lecture_.blank(Blank::black);
  if (gui_.keyboard().take(GLFW_KEY_W) || gui_.keyboard().take(GLFW_KEY_COMMA))
    lecture_.blank(Blank::white);
  if (gui_.keyboard().take(GLFW_KEY_S)) lecture_.switch_sentence();
  if (gui_.keyboard().take(GLFW_KEY_N)) lecture_.switch_notes();
  if (gui_.keyboard().take(GLFW_KEY_C)) lecture_.switch_captions();
  // For those who come later, and for a second class.
  if (gui_.keyboard().take(GLFW_KEY_R)) lesson_.ask_again(false);
  if (gui_.keyboard().take(GLFW_KEY_R, GLFW_MOD_SHIFT)) {
    lesson_.ask_again(true);
    lecture_.restart(now());
  }
  if (gui_.keyboard().take(GLFW_KEY_K)) {
    lecture_.switch_knobs();
    if (!lecture_.knobs()) gui_.keyboard().focus("", false);
  }
}

void LectureView::tool_keys() {
  using Tool = lesson::Lecture::Tool;
  if (gui_.keyboard().take(GLFW_KEY_L)) lecture_.take(Tool::spotlight);
  if (gui_.keyboard().take(GLFW_KEY_P)) lecture_.take(Tool::pen);
  if (gui_.keyboard().take(GLFW_KEY_E)) lecture_.take(Tool::eraser);
  for (int ink = 0; ink < lesson::Lecture::kInks; ++ink) {
    if (gui_.keyboard().take(GLFW_KEY_1 + ink)) lecture_.take_ink(ink);
  }
  if (gui_.keyboard().take(GLFW_KEY_DELETE)) wipe(false);
  if (gui_.keyboard().take(GLFW_KEY_DELETE, GLFW_MOD_SHIFT)) wipe(true);
}

}  // namespace ui
