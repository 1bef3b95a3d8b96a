// What the lecturer alone sees: notes, what comes next, the clock and where one is.
#include <chrono>

#include "app/system/clock.h"
#include "app/ui/lesson/lecture_view.h"

namespace ui {

namespace {

std::string clock_text() {
  const std::tm local = sys::local_time();
  return fmt::format("{:02}:{:02}", local.tm_hour, local.tm_min);
}

std::string elapsed_text(double seconds) {
  const auto whole = static_cast<long>(seconds);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

double LectureView::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void LectureView::draw_notes(Gui& gui, const Rect& r) {
  const figure::Theme& theme = gui.theme();
  const words::Words& w = gui.words();
  const Place here = place();
  const float pad = gui.px(18), x = r.x + pad, room = r.w - 2 * pad;
  gui.fill(r, theme.window);
  float y = r.y + gui.px(24);
  const std::string at = w.format(N_("stop {} of {}"), here.at + 1, here.of);
  gui.text(x, y, clock_text(), TextStyle::title, theme.text);
  const std::string elapsed = elapsed_text(lecture_.seconds(now()));
  gui.text(r.right() - pad, y, elapsed, TextStyle::title, theme.accent, 1);
  if (here.planned_s > 0) {
    const float left = r.right() - pad - gui.width(elapsed, TextStyle::title) - gui.px(10);
    gui.text(left, y, w.format(N_("planned {}"), elapsed_text(here.planned_s)), TextStyle::label,
             theme.dim, 1);
  }
  gui.text(r.x + r.w / 2, y, at, TextStyle::panel, theme.dim, 0.5f);
  y += gui.px(22);
  gui.hline(x, r.right() - pad, y, theme.line);
  y += gui.px(14);
  y += gui.paragraph(x, y, room, here.title, TextStyle::panel, theme.text) + gui.px(8);
  for (const std::string& one : here.notes) {
    y += gui.paragraph(x, y, room, one, TextStyle::reading, theme.text) + gui.px(8);
  }
  if (!here.answer.empty()) {
    y += gui.paragraph(x, y, room, w.format(N_("Answer: {}"), here.answer), TextStyle::card_title,
                       theme.good) +
         gui.px(8);
  }
  if (here.notes.empty()) {
    y += gui.paragraph(x, y, room, w("No notes at this stop."), TextStyle::body, theme.dim);
  }
  if (here.next.empty()) return;
  y += gui.px(14);
  gui.hline(x, r.right() - pad, y, theme.line);
  y += gui.px(12);
  y += gui.paragraph(x, y, room, w.format(N_("Next: {}"), here.next), TextStyle::card_title,
                     theme.dim) +
       gui.px(6);
  gui.paragraph(x, y, room, here.next_sentence, TextStyle::body, theme.dim);
}

}  // namespace ui
