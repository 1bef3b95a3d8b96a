// What is asked of the window: keys, the table of actions, and events.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <stdexcept>
#include <utility>
#include <variant>

#include "app/lesson/library.h"
#include "app/session/link.h"
#include "app/state/actions.h"
#include "app/ui/frame/shell.h"
#include "core/system/environment.h"

namespace ui {

// Keys -------------------------------------------------------------------------------------------

void Shell::shortcuts() {
  constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT;
  if (tools_.gui.keyboard().take(GLFW_KEY_Q, kCtrl)) files_.leave();
  if (dialogs_.open() || palette_.open()) return;
  if (tools_.gui.keyboard().take(GLFW_KEY_K, kCtrl)) return palette_.show();
  const bool start = start_.open();  // then no page is there to be changed
  // Undo while typing first closes the box: its text would be of another time.
  const auto leave_box = [this] {
    if (tools_.edit.id.empty()) return;
    ImGui::ClearActiveID();
    tools_.edit.id.clear();
    program_.desk.end_gesture();
  };
  if (!start && tools_.gui.keyboard().take(GLFW_KEY_Z, kCtrl)) leave_box(), program_.desk.undo();
  if (!start && (tools_.gui.keyboard().take(GLFW_KEY_Z, kCtrl | kShift) ||
                 tools_.gui.keyboard().take(GLFW_KEY_Y, kCtrl))) {
    leave_box();
    program_.desk.redo();
  }
  if (!start && tools_.gui.keyboard().take(GLFW_KEY_S, kCtrl)) files_.save(false);
  if (tools_.gui.keyboard().take(GLFW_KEY_O, kCtrl)) files_.open();
  if (!start && tools_.gui.keyboard().take(GLFW_KEY_E, kCtrl)) {
    lessons_.lecture.on() ? files_.write_picture()
                          : files_.write("pdf", page_.view.hovered_figure());
  }
  if (!start && tools_.gui.keyboard().take(GLFW_KEY_E, kCtrl | kShift)) files_.write_quickly("pdf");
  if (tools_.gui.keyboard().take(GLFW_KEY_T, kCtrl)) {
    const bool dark = program_.looks.theme == figure::ThemeName::dark;
    program_.looks.theme = dark ? figure::ThemeName::light : figure::ThemeName::dark;
  }
  if (tools_.gui.keyboard().take(GLFW_KEY_L, kCtrl)) {
    const bool english = program_.words().language() == words::Language::en;
    program_.set_language(english ? words::Language::zh_CN : words::Language::en);
  }
  for (const int mods : {kCtrl, kCtrl | kShift}) {
    if (tools_.gui.keyboard().take(GLFW_KEY_EQUAL, mods) ||
        tools_.gui.keyboard().take(GLFW_KEY_KP_ADD, mods)) {
      program_.looks.rescale(program_.looks.scale + 0.25f);
    }
    if (tools_.gui.keyboard().take(GLFW_KEY_MINUS, mods) ||
        tools_.gui.keyboard().take(GLFW_KEY_KP_SUBTRACT, mods)) {
      program_.looks.rescale(program_.looks.scale - 0.25f);
    }
  }
  if (tools_.gui.keyboard().take(GLFW_KEY_0, kCtrl) ||
      tools_.gui.keyboard().take(GLFW_KEY_KP_0, kCtrl))
    program_.looks.rescale(1);
  if (tools_.gui.keyboard().take(GLFW_KEY_F5))
    lessons_.lecture.on() ? lessons_.lecture.leave() : lessons_.lecture.begin();
  if (!lessons_.lecture.on() && tools_.gui.keyboard().take(GLFW_KEY_F, kCtrl)) {
    sidebar_.search_for_anything();
  }
  if (tools_.gui.keyboard().take(GLFW_KEY_F1)) dialogs_.show_help(start);
  if (tools_.gui.keyboard().typing()) return;
  if (lessons_.lecture.on()) return lessons_.lecture.keys();
  if (sweep_bar_.open() && tools_.gui.keyboard().take(GLFW_KEY_ESCAPE))
    sweep_bar_.sweeper().give_up();
  if (start) {
    if (tools_.gui.keyboard().take(GLFW_KEY_ESCAPE)) start_.leave();
    return;
  }
  if (lesson_keys()) return;
  if (tools_.gui.keyboard().take(GLFW_KEY_F)) {
    page_.view.show_alone(page_.view.alone().empty() ? page_.view.hovered_figure() : "");
  }
  if (tools_.gui.keyboard().take(GLFW_KEY_M)) sweep_bar_.key();
  if (tools_.gui.keyboard().take(GLFW_KEY_ESCAPE)) escape();
  if (tools_.gui.keyboard().take(GLFW_KEY_DELETE) || tools_.gui.keyboard().take(GLFW_KEY_BACKSPACE))
    page_.view.remove_pointed();
  if (tools_.gui.keyboard().take(GLFW_KEY_C)) program_.looks.captions = !program_.looks.captions;
  if (tools_.gui.keyboard().take(GLFW_KEY_H)) program_.holding.hold();
  if (tools_.gui.keyboard().take(GLFW_KEY_PAGE_DOWN)) program_.desk.step_lab(1);
  if (tools_.gui.keyboard().take(GLFW_KEY_PAGE_UP)) program_.desk.step_lab(-1);
}

void Shell::escape() {
  if (!page_.view.alone().empty()) return page_.view.show_alone("");
  if (!program_.knobs.unpin()) tools_.gui.keyboard().focus("", false);
}

// Its end is left at once.
void Shell::ask_to_leave_lesson() {
  const lesson::Play& play = *lessons_.view.play();
  if (play.ended()) return lessons_.view.leave(true);
  const words::Words& w = program_.words();
  dialogs_.ask(w.format(N_("Leave “{}”?"), play.lesson().title),
               w.format(N_("You are at stop {} of {}. The lesson goes on there when you open it "
                           "again; the page that was there before comes back."),
                        play.at() + 1, play.lesson().stops.size()),
               w("Leave"), [this] { lessons_.view.leave(true); });
}

// True when a key was the lesson's.
bool Shell::lesson_keys() {
  if (!lessons_.view.open()) return false;
  if (tools_.gui.keyboard().take(GLFW_KEY_SPACE) || tools_.gui.keyboard().take(GLFW_KEY_PAGE_DOWN))
    return lessons_.view.forward(), true;
  if (tools_.gui.keyboard().take(GLFW_KEY_PAGE_UP)) return lessons_.view.back(), true;
  if (tools_.gui.keyboard().take(GLFW_KEY_BACKSPACE)) {
    if (!page_.view.remove_pointed()) lessons_.view.back();
    return true;
  }
  // What the learner put alone on the whole page is left first.
  const bool alone = !page_.view.presents() && !page_.view.alone().empty();
  if (!alone && tools_.gui.keyboard().take(GLFW_KEY_ESCAPE)) return ask_to_leave_lesson(), true;
  for (int number = 1; number <= 9; ++number) {
    if (!tools_.gui.keyboard().take(GLFW_KEY_0 + number) &&
        !tools_.gui.keyboard().take(GLFW_KEY_KP_0 + number))
      continue;
    return lessons_.view.choose(static_cast<std::size_t>(number)), true;
  }
  return false;
}

// Actions ----------------------------------------------------------------------------------------

// How the program looks, and what opens something else.
void Shell::act(std::string_view id) {
  const bool dark = program_.looks.theme == figure::ThemeName::dark;
  const bool english = program_.words().language() == words::Language::en;
  if (id == "start") return start_.show();
  if (id == "open") return files_.open();
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
  if (id == "quit") return files_.leave();
  if (id == "lessons") {
    sidebar_.list_lessons();
    return arrangement_.open_sidebar();
  }
  if (id == "search") return sidebar_.search_for_anything();
  // The others are about the page: it has to be seen.
  start_.leave();
  act_on_page(id);
}

void Shell::act_on_page(std::string_view id) {
  if (id == "save") return files_.save(false);
  if (id == "undo") return program_.desk.undo();
  if (id == "redo") return program_.desk.redo();
  if (id == "export") return files_.write("pdf", "");
  if (id == "export_now") return files_.write_quickly("pdf");
  if (id == "export_numbers") return files_.write("csv", "");
  if (id == "copy") return page_.view.copy_first();
  if (id == "copy_link") return copy_link();
  if (id == "hold") program_.holding.hold();
  if (id == "sweep") sweep_bar_.key();
  if (id == "lecture") lessons_.lecture.begin();
  if (id == "hold" || id == "sweep" || id == "lecture") return;
  if (id == "add_stop") return lessons_.adder.ask(files_.folder());
  if (id == "alone") {
    return page_.view.show_alone(page_.view.alone().empty() ? page_.view.hovered_figure() : "");
  }
  if (id == "all_figures") return program_.sight.show_all_figures();
  if (id == "defaults") return program_.knobs.set_defaults();
  if (id == "unpin") {
    program_.knobs.unpin();
    return;
  }
  if (id == "lab_before") return program_.desk.step_lab(-1);
  if (id == "lab_after") return program_.desk.step_lab(1);
  if (id == "panel") return arrangement_.toggle_panel();
  if (id == "leave_lesson") return lessons_.view.leave(true);
  throw std::logic_error("expected the id of an action");
}

// The link is the stop's while a lesson of the program is open in its lab.
session::Link Shell::link() const {
  session::Link link{.session = program_.desk.now(), .language = program_.words().language()};
  const lesson::Play* play = lessons_.view.play();
  if (play && lesson::exists(play->name()) && lessons_.view.on_its_lab()) {
    link.lesson = play->name();
    link.stop = play->at();
    session::Session shown = link.session;
    shown.strokes = {};
    link.as_stop = shown == lesson::scene(play->lesson(), play->at());
  }
  return link;
}

std::string Shell::view() const {
  if (start_.open()) return {};
  try {
    return session::to_link(link());
  } catch (const core::InputError&) {
    return {};
  }
}

std::string Shell::place() const {
  if (start_.open()) return {};
  const lesson::Play* play = lessons_.view.play();
  if (!play || !lesson::exists(play->name())) return fmt::format("#{}", program_.desk.lab().id);
  return fmt::format("#{}?lesson={}", play->lesson().lab, play->name());
}

void Shell::go(const std::string& text) {
  if (text == place()) return;
  if (text.empty()) return act("start");
  const words::Words& w = program_.words();
  try {
    session::Link link = session::from_link(text);
    if (!link.lesson.empty()) {
      lesson::linked(link, w.language());
      begin_lesson(link.lesson, link.stop);
      if (link.stop && !link.as_stop) lessons_.view.show(link.session);
      return;
    }
    if (lessons_.view.open()) lessons_.view.leave();
    start_.leave();
    if (text == "#" + link.session.lab) return program_.desk.show_lab(link.session.lab);
    program_.files.restore(link.session);
  } catch (const core::InputError& error) {
    program_.messages.say(words::translated(error, w), true);
  }
}

void Shell::copy_link() {
  const words::Words& w = program_.words();
  const session::Link link = this->link();
  try {
    const std::string text = session::to_link(link);
    const std::string base = core::environment("ATTNSCOPE_ADDRESS").value_or("");
    ImGui::SetClipboardText((base.substr(0, base.find('#')) + text).c_str());
  } catch (const core::InputError& error) {
    return program_.messages.say(words::translated(error, w), true);
  }
  std::string said = w(N_("Copied the link."));
  for (const words::Sentence& one : session::left_behind(link.session)) {
    said = w.format(N_("{} {}"), said, one.in(w));
  }
  program_.messages.say(said);
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
          [this](const state::PaperOpened& opened) { program_.take_paper(opened); },
          [this](const state::LessonOpened& opened) {
            lessons_.view.begin(opened.path, opened.lesson);
          },
          [this](const state::FigureOpened& opened) { page_.view.show_opened(opened.id); },
          [this](const state::Picked& picked) { lessons_.view.pick(picked.id); },
          [this](const state::LabRequest& wanted) { open(wanted.lab, wanted.preset); },
          [this](const state::LessonRequest& wanted) { begin_lesson(wanted.name, wanted.stop); },
          [this](const state::LectureRequest&) { lessons_.lecture.begin(); },
          [this](const state::StopRequest&) { lessons_.adder.ask(files_.folder()); },
          [this](const state::AnswersRequest&) { lessons_.answers.ask(files_.folder()); },
          [this](const state::KnobRequest& wanted) {
            if (!lessons_.lecture.on() && arrangement_.places().panel.w > 0)
              panel_.knobs().show(wanted.id);
          },
          [this](const state::FigureRequest&) { arrangement_.uncover_page(); },
          [this](const state::FoundChosen& chosen) { show(chosen.found); },
          [this](const state::FileRequest&) { files_.open(); },
          [this](const state::ExportRequest& wanted) {
            files_.write(wanted.ending, wanted.figure);
          },
          [this](const state::LinkRequest&) { copy_link(); },
          [this](const state::StartRequest&) { act("start"); },
          [this](const state::SweepExportRequest&) { files_.write_sweep(page_.view.alone()); },
      },
      event);
}

void Shell::begin_lesson(const std::string& name, std::optional<std::size_t> stop) {
  const bool from_start = start_.open();
  start_.leave();
  lessons_.view.begin(name, stop, from_start);
}

// Empty preset: as the lab was left.
void Shell::open(const std::string& lab, const std::string& preset) {
  start_.leave();
  program_.desk.show_lab(lab);
  if (preset.empty()) return;
  const lab::Preset* opened = program_.knobs.apply_preset(preset);
  if (opened && !opened->figure.empty()) page_.view.uncover_and_bring(std::string(opened->figure));
}

void Shell::show(const state::Found& found) {
  using Kind = state::Found::Kind;
  if (found.kind == Kind::action) return act(found.id);
  if (found.kind == Kind::lesson) return begin_lesson(found.id);
  if (found.kind == Kind::stop) return begin_lesson(found.id, found.stop);
  open(found.lab, found.kind == Kind::preset ? found.id : "");
  if (found.kind == Kind::knob && panel_.knobs().show(found.id)) arrangement_.open_panel();
  if (found.kind == Kind::paper) {
    arrangement_.open_panel();
    panel_.read().show_source(found.id);
  }
}

}  // namespace ui
