// The list of lessons in the sidebar.
#include <algorithm>

#include "app/lesson/library.h"
#include "app/ui/bars/sidebar.h"

namespace ui {

// With how long it takes, or how far one has come.
float Sidebar::lesson_row(const std::string& name, const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const lesson::Lesson& one = lesson::shipped(name, w.language());
  const lesson::Place place = program_.learned.of(name);
  const Rect row{r.x + gui_.px(10), y, r.w - gui_.px(20), gui_.px(40)};
  const lesson::Play* play = lesson_.play();
  const bool current = play && play->name() == name;
  const Touch t =
      touch(gui_, "lesson:" + name, row, lesson::plain(lesson::text_of(one.about, {}, w)));
  if (current) gui_.fill(row, mix(theme.panel, theme.accent, 0.2f), gui_.px(5));
  if (!current && t.hovered) gui_.fill(row, mix(theme.panel, theme.text, 0.05f), gui_.px(5));
  if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(row, gui_.px(5));
  const float x = row.x + gui_.px(10), room = row.w - gui_.px(20);
  gui_.text_in(x, row.y + gui_.px(12), room, one.title, TextStyle::body, theme.text);
  const std::string under = place.done ? "✓ " + w("finished")
                            : program_.learned.begun(name)
                                ? w.format(N_("at stop {} of {}"), place.stop + 1, one.stops.size())
                                : w.format(N_("{} min"), one.minutes);
  gui_.text_in(x, row.y + gui_.px(28), room, under, TextStyle::small,
               place.done ? theme.good : theme.dim);
  if (t.activated) {
    arrangement_.reset_sidebar();
    program_.events.add(state::LessonRequest{name});
  }
  return y + row.h;
}

float Sidebar::lesson_list(const Rect& r, float y) {
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
    if (!after.empty()) under(w("then, optional"));
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

}  // namespace ui
