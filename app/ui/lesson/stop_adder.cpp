#include "app/ui/lesson/stop_adder.h"

#include <filesystem>

#include "app/lesson/library.h"
#include "app/system/atomic_file.h"
#include "app/ui/controls/widgets.h"
#include "app/words/sentence.h"

namespace ui {

namespace {

namespace fs = std::filesystem;

}  // namespace

lesson::Sight StopAdder::sight() const { return {&scene_->page, lab_, &scene_->made_from.values}; }

void StopAdder::ask(const std::string& folder) {
  const words::Words& w = gui_.words();
  if (!program_.pages.page() || program_.pages.page()->made_from.lab != program_.desk.lab().id)
    return;
  scene_ = program_.pages.shared();
  lab_ = &program_.desk.lab();
  stop_ = {};
  stop_.alone = !page_.alone().empty();
  stop_.figure = stop_.alone ? page_.alone() : page_.figure_in_view();
  const lesson::Play* play = lesson_.play();
  const bool own = play && !lesson::exists(play->name());
  std::string path = own ? play->name() : path_;
  if (path.empty()) path = (fs::path(folder) / "my_lesson.md").string();
  dialogs_.ask_file({.title = w("Add a stop to your own lesson"),
                     .action = w("Add"),
                     .path = path,
                     .endings = ".md",
                     .done = [this](const std::string& to) { add(to); },
                     .adds = true,
                     .ending = ".md",
                     .problem = [this](const std::string& to) { return problem(to); },
                     .beside = [this](const Rect& r, const std::string&) { draw(r); }});
  open_edit(edit_, "stop.title", "");
}

std::string StopAdder::problem(const std::string& path) const {
  try {
    lesson::with_stop(path, stop_, sight(), gui_.words());
  } catch (const std::exception& error) {
    return words::translated(error, gui_.words());
  }
  return {};
}

void StopAdder::add(const std::string& path) {
  const words::Words& w = gui_.words();
  try {
    const std::string whole = fs::absolute(path).lexically_normal().string();
    lesson::Lesson lesson = lesson::add_stop(whole, stop_, sight(), w);
    path_ = whole;
    const std::size_t count = lesson.stops.size();
    program_.messages.say(
        w.format(N_("Added as stop {} of {}."), count, fs::path(whole).filename().string()));
    lesson_.begin(whole, std::move(lesson), count - 1);
  } catch (const std::exception& error) {
    program_.messages.say(words::translated(error, w), true);
  }
}

float StopAdder::box(const char* id, const std::string& label, std::string& text, float y,
                     const Rect& r, float high) {
  gui_.text_in(r.x, y + gui_.px(8), r.w, label, TextStyle::label, gui_.theme().dim);
  y += gui_.px(20);
  BoxLook look;
  look.style = TextStyle::body;
  look.align = 0;
  const Rect rect{r.x, y, r.w, high};
  const bool area = high > gui_.px(40);
  area ? text_area(gui_, edit_, id, rect, text, look) : text_box(gui_, edit_, id, rect, text, look);
  if (edit_.id == id) text = edit_.buffer;
  return y + high + gui_.px(10);
}

void StopAdder::draw(const Rect& r) {
  const words::Words& w = gui_.words();
  const float line = gui_.px(30);
  float y = box("stop.title", w("Title"), stop_.title, r.y - gui_.px(20), r, line);
  y = box("stop.sentence", w("Sentence"), stop_.sentence, y, r, gui_.px(88));
  y = box("stop.statement", w("A statement to judge, true or false (optional)"), stop_.statement, y,
          r, line);
  if (!stop_.statement.empty()) {
    const auto chosen =
        segments(gui_, {"stop.true", "stop.false"}, {w("True"), w("False")},
                 {r.x, y, std::min(r.w, gui_.px(200)), gui_.px(28)}, stop_.truth ? 0 : 1, {"", ""});
    if (chosen) stop_.truth = *chosen == 0;
    y += gui_.px(36);
    y = box("stop.why", w("Why it is so"), stop_.why, y, r, line);
  }
  const figure::Figure* figure = lesson::find_figure(scene_->page, stop_.figure);
  const std::string lab = w(lab_->title);
  const std::string kept =
      figure ? w.format(N_("The lab {}, its knobs and the figure {} are saved with it."), lab,
                        figure->title)
             : w.format(N_("The lab {} and its knobs are saved with it."), lab);
  gui_.paragraph(r.x, y, r.w, kept, TextStyle::label, gui_.theme().dim);
}

}  // namespace ui
