// What the table of actions names, done; and the start page's place in the window.
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "app/state/actions.h"
#include "app/ui/frame/shell.h"

namespace ui {

// Actions ----------------------------------------------------------------------------------------

// How the program looks, and what opens something else.
void Shell::act(std::string_view id) {
  const bool dark = program_.looks.theme == figure::ThemeName::dark;
  const bool english = program_.words().language() == words::Language::en;
  if (id == "start") return start_.show();
  if (id == "open") return ask_open();
  if (id == "theme") {
    program_.looks.theme = dark ? figure::ThemeName::light : figure::ThemeName::dark;
    return;
  }
  if (id == "language") {
    return program_.set_language(english ? words::Language::zh_CN : words::Language::en);
  }
  if (id == "larger") return program_.looks.rescale(program_.looks.scale + 0.25f);
  if (id == "smaller") return program_.looks.rescale(program_.looks.scale - 0.25f);
  if (id == "scale_100") return program_.looks.rescale(1);
  if (id == "scale_200") return program_.looks.rescale(2);
  const std::pair<std::string_view, bool state::Appearance::*> switches[] = {
      {"captions", &state::Appearance::captions},
      {"introduction", &state::Appearance::introduces},
      {"motion", &state::Appearance::moves},
      {"ask_first", &state::Appearance::asks_first}};
  for (const auto& [name, on] : switches) {
    if (id != name) continue;
    program_.looks.*on = !(program_.looks.*on);
    return;
  }
  if (id == "help") return dialogs_.show_help(start_.open());
  if (id == "quit") return ask_to_quit();
  if (id == "lessons") {
    lists_lessons_ = true;
    sidebar_open_ = true;
    return;
  }
  if (id == "search") {
    sidebar_open_ = true;
    open_edit(edit_, "search", query_);
    return gui_.focus("search", true);
  }
  // The others are about the page: it has to be seen.
  start_.leave();
  act_on_page(id);
}

void Shell::act_on_page(std::string_view id) {
  if (id == "save") return ask_save(false);
  if (id == "undo") return program_.desk.undo();
  if (id == "redo") return program_.desk.redo();
  if (id == "export") return ask_export("pdf", "");
  if (id == "export_now") return export_quickly("pdf");
  if (id == "export_numbers") return ask_export("csv", "");
  if (id == "copy") return page_view_.copy_first();
  if (id == "hold") program_.holding.hold();
  if (id == "sweep") sweep_bar_.key();
  if (id == "lecture") lecture_.begin();
  if (id == "hold" || id == "sweep" || id == "lecture") return;
  if (id == "add_stop") return stop_adder_.ask(export_folder_);
  if (id == "alone") {
    return page_view_.show_alone(page_view_.alone().empty() ? page_view_.hovered_figure() : "");
  }
  if (id == "all_figures") return program_.sight.show_all_figures();
  if (id == "defaults") return program_.knobs.set_defaults();
  if (id == "unpin") {
    program_.knobs.unpin();
    return;
  }
  if (id == "lab_before") return program_.desk.step_lab(-1);
  if (id == "lab_after") return program_.desk.step_lab(1);
  if (id == "panel") {
    panel_open_ = arrange_parts().panel.w == 0;
    return;
  }
  if (id == "leave_lesson") return lesson_.leave();
  throw std::logic_error("expected the id of an action");
}

// Start page -------------------------------------------------------------------------------------

// Over the lists, whichever is shown.
float Shell::start_item(const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const Rect row{r.x + gui_.px(10), y, r.w - gui_.px(20), gui_.px(26)};
  const bool current = start_.open();
  const Touch t = touch(gui_, "start", row,
                        w("Routes, a sentence of yours, files, and a picture of every lab"));
  if (current) {
    gui_.fill(row, mix(theme.panel, theme.accent, 0.2f), gui_.px(5));
    gui_.fill({row.x, row.y, gui_.px(3), row.h}, theme.accent);
  } else if (t.hovered) {
    gui_.fill(row, mix(theme.panel, theme.text, 0.05f), gui_.px(5));
  }
  if (t.focused && gui_.ring_visible()) gui_.ring(row, gui_.px(5));
  gui_.text_in(row.x + gui_.px(10), row.y + row.h / 2, row.w - gui_.px(16), w("Start"),
               current ? TextStyle::card_title : TextStyle::body, theme.text);
  if (t.activated) {
    if (!current) start_.show();
    if (arrange_parts().sidebar_over) sidebar_open_.reset();
  }
  return row.bottom() + gui_.px(8);
}

// What stands between the list and the panel.
void Shell::middle(const Layout& l) {
  if (start_.open()) {
    start_bar(l.header);
    return start_.draw(l.page);
  }
  page_view_.alone().empty() ? header(l.header) : alone_header(l.header);
  page_view_.head().offer_lessons(!lesson_.open());
  page_view_.draw(l.page);
  working_sign(l.page);
  status(l.status);
  sweep(l.sweep);
}

void Shell::find_anything() {
  if (!palette_.open()) return;
  if (const auto found = palette_.draw(index())) choose(*found);
}

// The way to a list that is not shown.
void Shell::start_bar(const Rect& r) {
  if (r.h <= 0) return;
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::menu;
  const Rect rect{r.x + gui_.px(12), r.y + gui_.px(6), gui_.px(32), gui_.px(30)};
  if (button(gui_, "button.sidebar", rect, "", look,
             gui_.words()("Show or hide the list of labs"))) {
    sidebar_open_ = arrange_parts().sidebar.w == 0;
  }
}

void Shell::begin_lesson(const std::string& name, std::optional<std::size_t> stop) {
  start_.leave();
  lesson_.begin(name, stop);
}

// Events -----------------------------------------------------------------------------------------

namespace {

template <class... Answers>
struct Answer : Answers... {
  using Answers::operator()...;
};
template <class... Answers>
Answer(Answers...) -> Answer<Answers...>;

}  // namespace

void Shell::answer_events() {
  for (const state::Event& event : program_.events.take()) answer(event);
}

void Shell::answer(const state::Event& event) {
  std::visit(
      Answer{
          [this](const state::FileOpened&) { start_.leave(); },
          [this](const state::LessonOpened& opened) { lesson_.begin(opened.path, opened.lesson); },
          [this](const state::FigureOpened& opened) { page_view_.show_opened(opened.id); },
          [this](const state::Picked& picked) { lesson_.pick(picked.id); },
          [this](const state::LabWanted& wanted) {
            start_.leave();
            program_.desk.show_lab(wanted.lab);
            if (!wanted.preset.empty()) program_.knobs.apply_preset(wanted.preset);
          },
          [this](const state::LessonWanted& wanted) { begin_lesson(wanted.name, wanted.stop); },
          [this](const state::LectureWanted&) { lecture_.begin(); },
          [this](const state::StopWanted&) { stop_adder_.ask(export_folder_); },
          [this](const state::KnobWanted& wanted) {
            if (!lecture_.on() && arrange_parts().panel.w > 0) show_knob(wanted.id);
          },
          [this](const state::FigureWanted&) {
            if (arrange_parts().panel_over) panel_open_ = false;
          },
          [this](const state::FileWanted&) { ask_open(); },
          [this](const state::ExportWanted& wanted) { ask_export(wanted.ending, wanted.figure); },
          [this](const state::SweepExportWanted&) { ask_sweep_export(); },
      },
      event);
}

}  // namespace ui
