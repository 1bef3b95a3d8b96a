// Lessons in the window: their list in the sidebar, the column of the one that is open, its keys.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>

#include "app/lesson/library.h"
#include "app/ui/frame/shell.h"

namespace ui {

// Labs or lessons.
float Shell::list_tabs(const Rect& r, float y) {
  const words::Words& w = gui_.words();
  if (!query_.empty()) return y;
  const Rect place{r.x, y, r.w, gui_.px(26)};
  const auto chosen = segments(gui_, {"list.labs", "list.lessons"}, {w("Labs"), w("Lessons")},
                               place, lists_lessons_ ? 1 : 0,
                               {w("Every lab, in the order of the story"),
                                w("Lessons that lead through them, stop by stop")});
  if (chosen) lists_lessons_ = *chosen == 1;
  return place.bottom() + gui_.px(6);
}

// With how long it takes, or how far one has come.
float Shell::lesson_row(const std::string& name, const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const lesson::Lesson& one = lesson::shipped(name, w.language());
  const lesson::Place place = program_.learned.of(name);
  const Rect row{r.x + gui_.px(10), y, r.w - gui_.px(20), gui_.px(40)};
  const lesson::Play* play = lesson_.play();
  const bool current = play && play->name() == name;
  const Touch t = touch(gui_, "lesson:" + name, row, lesson::plain(lesson::told(one.about, {}, w)));
  if (current) gui_.fill(row, mix(theme.panel, theme.accent, 0.2f), gui_.px(5));
  if (!current && t.hovered) gui_.fill(row, mix(theme.panel, theme.text, 0.05f), gui_.px(5));
  if (t.focused && gui_.ring_visible()) gui_.ring(row, gui_.px(5));
  const float x = row.x + gui_.px(10), room = row.w - gui_.px(20);
  gui_.text_in(x, row.y + gui_.px(12), room, one.title, TextStyle::body, theme.text);
  const std::string under = place.done ? "✓ " + w("finished")
                            : program_.learned.begun(name)
                                ? w.format(N_("at stop {} of {}"), place.stop + 1, one.stops.size())
                                : w.format(N_("{} min"), one.minutes);
  gui_.text_in(x, row.y + gui_.px(28), room, under, TextStyle::small,
               place.done ? theme.good : theme.dim);
  if (t.activated) {
    sidebar_open_.reset();
    program_.events.add(state::LessonWanted{name});
  }
  return y + row.h;
}

float Shell::lesson_list(const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const auto heading = [&](const std::string& text) {
    y += gui_.px(8);
    gui_.text_in(r.x + gui_.px(20), y + gui_.px(10), r.w - gui_.px(30), text, TextStyle::label_bold,
                 theme.dim);
    y += gui_.px(24);
  };
  const auto under = [&](const std::string& text) {
    gui_.text_in(r.x + gui_.px(20), y + gui_.px(12), r.w - gui_.px(30), text, TextStyle::small,
                 theme.dim);
    y += gui_.px(24);
  };
  for (const lesson::Route& route : lesson::routes()) {
    const std::vector<std::string> names = lesson::of_route(route.id);
    if (names.empty()) continue;
    heading(w(route.title));
    for (const std::string& name : names) y = lesson_row(name, r, y);
    const std::vector<std::string> after = lesson::after_route(route.id);
    if (!after.empty()) under(w("and then, as you like"));
    for (const std::string& name : after) y = lesson_row(name, r, y);
  }
  std::vector<std::string> others = lesson::names();
  std::erase_if(others, [&](const std::string& name) {
    return !lesson::shipped(name, w.language()).route.empty();
  });
  if (!others.empty()) heading(w("More lessons"));
  for (const std::string& name : others) y = lesson_row(name, r, y);
  return y;
}

float Shell::lesson_knob(const std::string& id, float x, float y, float w) {
  param::List all = program_.desk.list();
  const param::Parameter* p = all.find(id);
  return p && p->info.active && !p->info.tabs ? knob(*p, x, y, w) : 0;
}

void Shell::lesson(const Layout& l) {
  const auto draw_knob = [this](const std::string& id, float x, float y, float w) {
    return lesson_knob(id, x, y, w);
  };
  lesson_.draw(l.lesson, l.panel.w > 0 ? LessonView::DrawKnob() : draw_knob);
}

// Of stops and papers, once they can be seen among what is found; and the tick of what is finished.
void Shell::need_names_found() {
  const words::Language language = program_.words().language();
  const bool shown = start_.open() || lists_lessons_ || palette_.open() || !query_.empty();
  if (!shown || listed_in_ == language) return;
  listed_in_ = language;
  fonts_.need("✓");
  for (const std::string& name : lesson::names()) {
    const lesson::Lesson& one = lesson::shipped(name, language);
    for (const lesson::Stop& stop : one.stops) fonts_.need(stop.title);
  }
  for (const lab::Lab& one : program_.desk.labs()) {
    for (const lab::Source& source : one.sources) fonts_.need(source.citation);
  }
}

// Knobs of the lab that stand first, for who drags one while talking.
void Shell::lecture_parts() {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  std::vector<std::string> first;
  const param::List all = program_.desk.list();
  for (const param::Parameter& p : all.items()) {
    if (p.info.active && !p.info.tabs && at_hand(p)) first.emplace_back(p.info.id);
  }
  const auto draw_knob = [this](const std::string& id, float x, float y, float w) {
    return lesson_knob(id, x, y, w);
  };
  lecture_.draw({0, 0, screen.x, screen.y}, draw_knob, first);
}

// True when a key was the lesson's.
bool Shell::lesson_keys() {
  if (!lesson_.open()) return false;
  if (gui_.take(GLFW_KEY_SPACE) || gui_.take(GLFW_KEY_PAGE_DOWN)) return lesson_.forth(), true;
  if (gui_.take(GLFW_KEY_PAGE_UP)) return lesson_.back(), true;
  if (gui_.take(GLFW_KEY_BACKSPACE)) {
    if (!page_view_.remove_pointed()) lesson_.back();
    return true;
  }
  if (gui_.take(GLFW_KEY_ESCAPE)) return lesson_.leave(), true;
  return false;
}

}  // namespace ui
