#include "app/ui/bars/arrangement.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

// Widths at 100 %.
constexpr float kSidebar = 228, kPanel = 370, kHeader = 58, kLowHeader = 40, kStatus = 26;

}  // namespace

Arrangement::Places Arrangement::places() const {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float units = screen.x / gui_.scale();
  Places l;
  l.wide = units >= 1100;
  const bool start = start_.open(), lesson = lesson_.open() && !start;
  const bool alone = !page_view_.alone().empty() && !start;
  const bool sidebar = !alone && sidebar_open_.value_or(units >= 1100 && !lesson);
  // At a stop of a lesson only what it means is shown, and beside that the panel has its knobs and
  // numbers.
  const lesson::Focus* focus = lesson ? lesson_.focus() : nullptr;
  const bool panel = focus ? focus->beside && units >= 1100
                           : !start && panel_open_.value_or(units >= (lesson ? 1100 : 760));
  l.sidebar_over = units < 1100 || lesson;
  l.panel_over = units < 760;
  const float sidebar_width = gui_.px(units < 1350 ? 200 : kSidebar);
  const float panel_units = units < 1100 ? 300 : units < 1350 ? 330 : kPanel;
  const float panel_width = std::min(gui_.px(panel_units), screen.x - gui_.px(40));
  const float status_height = start ? 0 : gui_.px(kStatus);
  // Its text stands where the list of labs is else; in a narrow window over the page.
  const bool beside = units >= 560;
  const float lesson_units = units >= 1350 ? 370 : units >= 1100 ? 330 : 300;
  const float lesson_width = lesson && beside ? gui_.px(lesson_units) : 0;
  const float left = lesson ? lesson_width : sidebar && !l.sidebar_over ? sidebar_width : 0;
  const float right = panel && !l.panel_over ? panel_width : 0;
  // The start page has a heading of its own; over it stands the way to a list that is hidden.
  const bool bare = start && sidebar && !l.sidebar_over;
  const float header = bare || focus ? 0 : gui_.px(alone || start ? kLowHeader : kHeader);
  const float bottom = screen.y - status_height;
  if (lesson) l.lesson = {0, 0, lesson_width, screen.y};
  if (sidebar) l.sidebar = {0, 0, sidebar_width, l.sidebar_over ? bottom : screen.y};
  if (panel) l.panel = {screen.x - panel_width, 0, panel_width, l.panel_over ? bottom : screen.y};
  if (panel && l.panel_over) l.panel.y = header, l.panel.h -= header;
  if (sidebar && l.sidebar_over) l.sidebar.y = header, l.sidebar.h -= header;
  const float width = std::max(screen.x - left - right, 1.0f);
  l.header = {left, 0, width, header};
  l.page = {left, header, width, std::max(bottom - header, 1.0f)};
  l.status = {left, bottom, width, status_height};
  const float sweep = std::min(sweep_bar_.height(), std::round(l.page.h / 2));  // half at most
  if (sweep_bar_.open()) l.sweep = {left, bottom - sweep, width, sweep};
  l.page.h = std::max(l.page.h - sweep, 1.0f);
  if (!lesson || beside) return l;
  l.lesson = {0, header, screen.x, std::round(l.page.h * 0.55f)};
  l.page.y += l.lesson.h, l.page.h -= l.lesson.h;
  return l;
}

// What was opened beside the page does not come to lie over it as the window gets too narrow.
void Arrangement::collapse_what_would_cover() {
  const Places l = places();
  if (l.sidebar_over && !sidebar_was_over_) sidebar_open_.reset();
  if (l.panel_over && !panel_was_over_) panel_open_.reset();
  sidebar_was_over_ = l.sidebar_over;
  panel_was_over_ = l.panel_over;
}

void Arrangement::toggle_sidebar() {
  const Places l = places();
  sidebar_open_ = l.sidebar.w == 0;
  if (*sidebar_open_ && l.panel_over && l.panel.w > 0) panel_open_ = false;
}

void Arrangement::toggle_panel() {
  const Places l = places();
  panel_open_ = l.panel.w == 0;
  if (*panel_open_ && l.sidebar_over && l.sidebar.w > 0) sidebar_open_ = false;
}

void Arrangement::uncover_page() {
  if (places().panel_over) panel_open_ = false;
}

void Arrangement::leave_sidebar() {
  if (places().sidebar_over) sidebar_open_.reset();
}

}  // namespace ui
