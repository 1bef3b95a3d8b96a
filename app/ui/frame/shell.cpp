#include "app/ui/frame/shell.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/memory.h"

namespace ui {

namespace {

// Widths at 100 %.
constexpr float kSidebar = 228, kPanel = 370, kHeader = 58, kLowHeader = 40, kStatus = 26;
constexpr double kProgressAfter = 0.3, kSignAfter = 0.05;

// Two digits are what a time is good for.
std::string ms_text(double ms) {
  return ms < 10 ? fmt::format("{:.2g}", ms) : fmt::format("{:.0f}", ms);
}

// All that is unusual about a page; what does not fit in its line is told where the pointer is.
std::string notes_text(const state::Computed* page) {
  return page ? fmt::format("{}", fmt::join(page->page.notes, " · ")) : std::string();
}

std::string training_text(const worker::RunStanding& run, const state::Computed* page,
                          const words::Words& w) {
  if (run.state == worker::RunState::stopped) {
    const std::string notes = notes_text(page);
    return notes.empty() ? worker::why_stopped(run).in(w) : notes;
  }
  const core::Index reached = std::max<core::Index>(0, run.reached);
  if (run.state == worker::RunState::paused) {
    return w.format(N_("training is paused at step {} of {}"), reached, run.goal);
  }
  std::string text = w.format(N_("training: step {} of {}"), reached, run.goal);
  if (run.steps_per_s > 0) {
    text += " · " + w.format(N_("{} steps a second"), fmt::format("{:.3g}", run.steps_per_s)) +
            " · " + w.format(N_("{} s left"), fmt::format("{:.2g}", run.seconds_left));
  }
  return text;
}

}  // namespace

Shell::Shell(state::Program& program, const std::function<void()>& wake)
    : program_(program),
      measure_(fonts_),
      gui_(fonts_),
      notes_gui_(fonts_),
      painter_(fonts_, wake, program_.memory()),
      page_view_(program_, gui_, painter_, measure_, wake),
      statements_(program_, gui_, page_view_),
      dialogs_(gui_, program_, edit_),
      hold_strip_(program_, gui_, edit_),
      lesson_(program_, gui_, page_view_, edit_),
      lecture_(program_, gui_, page_view_, lesson_),
      stop_adder_(program_, gui_, dialogs_, edit_, page_view_, lesson_),
      name_knob_(gui_, program_, edit_),
      sweep_bar_(gui_, program_, edit_),
      export_panel_(gui_, program_, painter_, fonts_, edit_),
      film_panel_(gui_, program_, edit_),
      start_(program_, gui_, painter_, measure_, edit_, wake),
      palette_(gui_, edit_) {
  fonts_.need(program_.words().language());
  page_view_.set_strip([this](float x, float y, float w) { return hold_strip_.draw(x, y, w); });
}

bool Shell::prepare() {
  fonts_.set_scale(program_.looks.scale);
  if (fonts_language_ != program_.words().language()) {
    fonts_language_ = program_.words().language();
    fonts_.need(fonts_language_);
  }
  if (const state::Computed* page = program_.pages.page();
      page && seen_page_ != program_.pages.version()) {
    seen_page_ = program_.pages.version();
    fonts_.need(page->page);
  }
  const auto held = program_.holding.page();
  if (std::exchange(seen_held_, held) != held && held) fonts_.need(held->page);
  const param::List all = program_.desk.list();
  for (const param::Parameter& p : all.items()) {
    const auto* name = std::get_if<param::Name>(&p.kind);
    if (param::is_text(p) || name) need_text(std::string(p.info.id), param::print(p));
    if (name) need_names(std::string(p.info.id), *name);
  }
  need_text("edit", edit_.buffer);
  lesson_.need_fonts(fonts_);
  hold_strip_.need_fonts(fonts_);
  start_.need_fonts(fonts_);
  need_names_found();
  fonts_.need(program_.messages.last().text);
  const bool restyle = styled_scale_ != fonts_.scale() || styled_theme_ != program_.looks.theme;
  if (restyle) {
    styled_scale_ = fonts_.scale();
    styled_theme_ = program_.looks.theme;
    apply_theme(figure::theme(styled_theme_), styled_scale_);
  }
  if (!fonts_.stale()) return false;
  fonts_.build();
  return true;
}

void Shell::need_text(const std::string& id, const std::string& text) {
  std::string& seen = seen_texts_[id];
  if (seen == text) return;
  seen = text;
  fonts_.need(text);
}

void Shell::need_names(const std::string& id, const param::Name& name) {
  param::Names& seen = seen_names_[id];
  if (seen == name.names) return;
  seen = name.names;
  for (std::size_t k = 0; seen && k < seen->size(); ++k) fonts_.need((*seen)[k].shown());
}

bool Shell::at_work() const {
  return program_.pages.busy() || painter_.busy() || program_.is_writing() ||
         program_.files.opening() || program_.files.contents().busy() || page_view_.finding_out() ||
         program_.holding.pages().busy() || start_.busy();
}

double Shell::next_change() const {
  double next = gui_.next_change();
  if (worked_ || at_work()) next = std::min(next, 0.05);
  if (program_.trainings.overtaken()) next = std::min(next, 0.1);  // its steps wake the window, too
  next = std::min(next, program_.seconds_to_step());
  next = std::min(next, sweep_bar_.sweeper().next_change());
  if (!start_.open() && page_view_.moving()) next = 0;
  if (!program_.messages.last().text.empty()) next = std::min(next, 0.25);
  return next;
}

Shell::Layout Shell::arrange_parts() const {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float units = screen.x / gui_.scale();
  Layout l;
  l.wide = units >= 1100;
  const bool start = start_.open(), lesson = lesson_.open() && !start;
  const bool alone = !page_view_.alone().empty() && !start;
  const bool sidebar = !alone && sidebar_open_.value_or(units >= 1100 && !lesson);
  const bool panel = !start && panel_open_.value_or(units >= (lesson ? 1100 : 760));
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
  const float header = bare ? 0 : gui_.px(alone || start ? kLowHeader : kHeader);
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
void Shell::fold_what_would_cover() {
  const Layout l = arrange_parts();
  if (l.sidebar_over && !sidebar_was_over_) sidebar_open_.reset();
  if (l.panel_over && !panel_was_over_) panel_open_.reset();
  sidebar_was_over_ = l.sidebar_over;
  panel_was_over_ = l.panel_over;
}

void Shell::frame(std::vector<KeyPress> keys) {
  worked_ = at_work();
  program_.poll();
  answer_events();
  program_.advance(static_cast<double>(ImGui::GetIO().DeltaTime));
  sweep_bar_.sweeper().advance(static_cast<double>(ImGui::GetIO().DeltaTime));
  const figure::Theme& theme = figure::theme(program_.looks.theme);
  gui_.begin_frame(theme, program_.words(), std::move(keys));
  gui_.keep_space(lesson_.open() && !start_.open());
  painter_.begin_frame();
  if (ImGui::IsMouseClicked(0)) ++clicks_;
  if (ImGui::IsMouseDoubleClicked(0)) ++double_clicks_;
  if (!edit_.id.empty() && edited_lab_ != program_.desk.lab().id) edit_.id.clear();
  edited_lab_ = program_.desk.lab().id;
  program_.holding.set_dragging(ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1));
  lesson_.advance();
  start_.advance();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (!lecture_.on()) fold_what_would_cover();
  const Layout l = arrange_parts();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::Begin("attnscope", nullptr,
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  lecture_.on() ? lecture_parts() : parts(l);
  leave_vanished_box();
  note_said();
  toast(lecture_.on() ? Rect{0, 0, screen.x, screen.y} : l.page);
  dialogs_.draw();
  find_anything();
  shortcuts();
  ImGui::End();
  painter_.end_frame();
  answer_events();
  gui_.end_frame();
}

void Shell::parts(const Layout& l) {
  // What lies over the page takes the pointer first, and is painted after it.
  if (l.sidebar.w > 0 && !l.sidebar_over) sidebar(l.sidebar);
  middle(l);
  if (l.lesson.w > 0) lesson(l);
  if (l.panel.w > 0) panel(l.panel);
  if (!start_.open()) lesson_.draw_marks(l.page, l.panel);
  if (l.sidebar.w > 0 && l.sidebar_over) sidebar(l.sidebar);
}

// The knob whose text was typed is not shown any more.
void Shell::leave_vanished_box() {
  const bool knob = edit_.id.starts_with("knob.") || edit_.id.starts_with("stack:") ||
                    edit_.id.starts_with("lesson.") || edit_.id.starts_with("hold.") ||
                    edit_.id.starts_with("sweep.");
  if (knob && !gui_.controls().contains(edit_.id)) edit_.id.clear();
}

// Keys -------------------------------------------------------------------------------------------

void Shell::shortcuts() {
  constexpr int kCtrl = GLFW_MOD_CONTROL, kShift = GLFW_MOD_SHIFT;
  if (gui_.take(GLFW_KEY_Q, kCtrl)) ask_to_quit();
  if (dialogs_.open() || palette_.open()) return;
  if (gui_.take(GLFW_KEY_K, kCtrl)) return palette_.show();
  const bool start = start_.open();  // then no page is there to be changed
  // Undo while typing first closes the box: its text would be of another time.
  const auto leave_box = [this] {
    if (edit_.id.empty()) return;
    ImGui::ClearActiveID();
    edit_.id.clear();
    program_.desk.end_gesture();
  };
  if (!start && gui_.take(GLFW_KEY_Z, kCtrl)) leave_box(), program_.desk.undo();
  if (!start && (gui_.take(GLFW_KEY_Z, kCtrl | kShift) || gui_.take(GLFW_KEY_Y, kCtrl))) {
    leave_box();
    program_.desk.redo();
  }
  if (!start && gui_.take(GLFW_KEY_S, kCtrl)) ask_save(false);
  if (gui_.take(GLFW_KEY_O, kCtrl)) ask_open();
  if (!start && gui_.take(GLFW_KEY_E, kCtrl)) {
    lecture_.on() ? ask_picture() : ask_export("pdf", page_view_.hovered_figure());
  }
  if (!start && gui_.take(GLFW_KEY_E, kCtrl | kShift)) export_quickly("pdf");
  if (gui_.take(GLFW_KEY_T, kCtrl)) {
    const bool dark = program_.looks.theme == figure::ThemeName::dark;
    program_.looks.theme = dark ? figure::ThemeName::light : figure::ThemeName::dark;
  }
  if (gui_.take(GLFW_KEY_L, kCtrl)) {
    const bool english = program_.words().language() == words::Language::en;
    program_.set_language(english ? words::Language::zh_CN : words::Language::en);
  }
  for (const int mods : {kCtrl, kCtrl | kShift}) {
    if (gui_.take(GLFW_KEY_EQUAL, mods) || gui_.take(GLFW_KEY_KP_ADD, mods)) {
      program_.looks.rescale(program_.looks.scale + 0.25f);
    }
    if (gui_.take(GLFW_KEY_MINUS, mods) || gui_.take(GLFW_KEY_KP_SUBTRACT, mods)) {
      program_.looks.rescale(program_.looks.scale - 0.25f);
    }
  }
  if (gui_.take(GLFW_KEY_0, kCtrl) || gui_.take(GLFW_KEY_KP_0, kCtrl)) program_.looks.rescale(1);
  if (gui_.take(GLFW_KEY_F5)) lecture_.on() ? lecture_.leave() : lecture_.begin();
  if (!lecture_.on() && gui_.take(GLFW_KEY_F, kCtrl)) {
    sidebar_open_ = true;
    open_edit(edit_, "search", query_);
    gui_.focus("search", true);
  }
  if (gui_.take(GLFW_KEY_F1)) dialogs_.show_help(start);
  if (gui_.typing()) return;
  if (lecture_.on()) return lecture_.keys();
  if (sweep_bar_.open() && gui_.take(GLFW_KEY_ESCAPE)) sweep_bar_.sweeper().give_up();
  if (start) {
    if (gui_.take(GLFW_KEY_ESCAPE)) start_.leave();
    return;
  }
  if (lesson_keys()) return;
  if (gui_.take(GLFW_KEY_F)) {
    page_view_.show_alone(page_view_.alone().empty() ? page_view_.hovered_figure() : "");
  }
  if (gui_.take(GLFW_KEY_M)) sweep_bar_.key();
  if (gui_.take(GLFW_KEY_ESCAPE)) escape();
  if (gui_.take(GLFW_KEY_DELETE) || gui_.take(GLFW_KEY_BACKSPACE)) page_view_.remove_pointed();
  if (gui_.take(GLFW_KEY_C)) program_.looks.captions = !program_.looks.captions;
  if (gui_.take(GLFW_KEY_H)) program_.holding.hold();
  if (gui_.take(GLFW_KEY_PAGE_DOWN)) program_.desk.step_lab(1);
  if (gui_.take(GLFW_KEY_PAGE_UP)) program_.desk.step_lab(-1);
}

void Shell::escape() {
  if (!page_view_.alone().empty()) return page_view_.show_alone("");
  if (!program_.knobs.unpin()) gui_.focus("", false);
}

// Status -----------------------------------------------------------------------------------------

// A line under the header with a light that wanders along it while pages or cells are made.
void Shell::working_sign(const Rect& page) {
  const double now = ImGui::GetTime();
  if (!program_.pages.busy() && !painter_.busy()) {
    working_since_.reset();
    return;
  }
  if (!working_since_) working_since_ = now;
  if (now - *working_since_ < kSignAfter) return;
  const Rect line{page.x, page.y - gui_.px(2), page.w, gui_.px(2)};
  constexpr double kRound = 1.6;  // seconds
  const auto at = static_cast<float>(std::fmod(now - *working_since_, kRound) / kRound);
  const float light = line.w / 4, from = line.x + (line.w + light) * at - light;
  gui_.fill(line, mix(gui_.theme().window, gui_.theme().accent, 0.25f));
  const float left = std::max(from, line.x), right = std::min(from + light, line.right());
  gui_.fill({left, line.y, std::max(right - left, 0.0f), line.h}, gui_.theme().accent);
  gui_.control("working", line);
}

// The training of the page on screen, while it goes on for long, is paused or has stopped.
std::optional<worker::RunStanding> Shell::shown_training() {
  std::vector<worker::RunStanding> all = program_.trainings.all();
  std::erase_if(all, [](const auto& run) { return run.state == worker::RunState::waiting; });
  const bool goes_on = !all.empty() && all.front().state == worker::RunState::training;
  if (!goes_on) {
    training_since_.reset();
  } else if (!training_since_) {
    training_since_ = ImGui::GetTime();
  }
  if (all.empty() || (goes_on && ImGui::GetTime() - *training_since_ < kProgressAfter)) return {};
  return all.front();
}

// What can be done with it, at the right end of the line; the left edge of that.
float Shell::training_buttons(const worker::RunStanding& run, const Rect& line) {
  const words::Words& w = gui_.words();
  float right = line.right() - gui_.px(12);
  const auto add = [&](const std::string& id, const std::string& label, const std::string& help) {
    const float width = std::ceil(gui_.width(label, TextStyle::body)) + gui_.px(20);
    const Rect place{right - width, line.y + gui_.px(3), width, line.h - gui_.px(5)};
    right = place.x - gui_.px(6);
    return button(gui_, id, place, label, {}, help);
  };
  // To begin anew would come to the same end.
  if (run.state == worker::RunState::stopped) {
    if (const state::Computed* page = program_.pages.page();
        page && !page->page.offer.sets.empty()) {
      const lab::Offer offer = page->page.offer;
      if (add("training.offer", offer.label, offer.help)) program_.knobs.apply(offer.sets);
    }
    return right;
  }
  if (add("training.restart", w("Restart"),
          w("Forgets the steps that were made and begins anew"))) {
    program_.trainings.restart();
  }
  if (add("training.step", w("Step"), w("Makes one step and pauses"))) {
    program_.trainings.step();
  }
  if (run.state == worker::RunState::training) {
    if (add("training.pause", w("Pause"), w("Stops after this step; the page shows that one"))) {
      program_.trainings.pause();
    }
  } else if (add("training.go_on", w("Go on"), w("Trains on to the step that was asked for"))) {
    program_.trainings.go_on();
  }
  return right;
}

void Shell::status(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  gui_.fill(r, theme.panel);
  gui_.hline(r.x, r.right(), r.y, theme.line);
  const float cy = r.y + r.h / 2 + 0.5f, pad = gui_.px(24);
  const state::Computed* page = program_.pages.page();
  std::string left;
  if (page) {
    if (!lesson_.hides_sums()) left = page->page.status;
    if (!left.empty()) left += " · ";
    const bool shown = working_since_ && ImGui::GetTime() - *working_since_ >= kSignAfter;
    left += shown ? w("computing…") : w.format(N_("computed in {} ms"), ms_text(page->ms));
  }
  if (frame_ms_ > 0) {
    if (!left.empty()) left += " · ";
    left += w.format(N_("frame {} ms"), ms_text(frame_ms_));
  }
  float room = r.w - 2 * pad, noted = 0;
  const auto training = shown_training();
  const bool slow_page = program_.pages.busy() && program_.pages.running_s() > kProgressAfter;
  const state::Writing written = program_.writing();
  const state::Writing read = program_.files.contents().now();
  const bool writes = written.running_s > kProgressAfter;
  const state::Writing& file = writes ? written : read;
  if (training) {
    left = training_text(*training, page, w);
    room = training_buttons(*training, r) - gui_.px(12) - r.x - pad;
  } else if (slow_page || file.running_s > kProgressAfter) {
    if (!slow_page) left = w.format(writes ? N_("writing {}") : N_("reading {}"), file.file);
    const std::string cancel(w("Cancel"));
    const float button_w = std::ceil(gui_.width(cancel, TextStyle::body)) + gui_.px(20);
    const Rect stop{r.right() - gui_.px(12) - button_w, r.y + gui_.px(3), button_w,
                    r.h - gui_.px(5)};
    if (button(gui_, "button.cancel", stop, cancel)) {
      if (slow_page) {
        program_.cancel_page();
      } else {
        writes ? program_.cancel_writing() : program_.files.contents().cancel();
      }
    }
    const float bar_w = std::min(gui_.px(160), r.w * 0.3f);
    const Rect bar{stop.x - gui_.px(10) - bar_w, std::round(cy - gui_.px(2)), bar_w, gui_.px(4)};
    gui_.fill(bar, theme.line, gui_.px(2));
    const float share =
        std::clamp(slow_page ? program_.pages.progress() : file.progress, 0.02f, 1.0f);
    gui_.fill({bar.x, bar.y, bar.w * share, bar.h}, theme.accent, gui_.px(2));
    gui_.control("progress", bar);
    room = bar.x - gui_.px(12) - r.x - pad;
  } else {
    // Why the page is not what the knobs ask for, else what is unusual about it.
    std::string note = program_.pages.untold_error();
    const bool failed = !note.empty();
    if (!failed && !lesson_.hides_sums()) note = notes_text(page);
    const float used = gui_.width(left, TextStyle::mono) + gui_.px(24);
    gui_.text_or_tip("status.note", r.right() - pad, cy, room - used, note, TextStyle::label,
                     failed ? theme.bad : theme.text, 1);
    noted = std::min(gui_.width(note, TextStyle::label), room - used);
  }
  gui_.text_or_tip("status", r.x + pad, cy, room, left, TextStyle::mono, theme.dim);
  const float at = r.x + pad + std::min(room, gui_.width(left, TextStyle::mono));
  if (!training && at + gui_.px(noted > 0 ? 130 : 220) < r.x + pad + room - noted) memory(r, at);
}

// How much is held, behind the status; its menu says how much may be.
void Shell::memory(const Rect& line, float x) {
  const words::Words& w = gui_.words();
  const auto text = [](std::size_t bytes) {
    const double mega = static_cast<double>(bytes) / 1e6;
    return mega < 1000 ? fmt::format("{:.0f} MB", mega) : fmt::format("{:.1f} GB", mega / 1000);
  };
  if (held_of_ != program_.pages.version()) {
    held_of_ = program_.pages.version();
    held_ = core::memory_in_use();
  }
  const std::string label = w.format(N_("holds {}"), text(held_));
  const Rect place{x + gui_.px(8), line.y + gui_.px(3),
                   std::ceil(gui_.width(label, TextStyle::mono)) + gui_.px(16),
                   line.h - gui_.px(5)};
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  if (button(gui_, "button.memory", place, label, look,
             w("Memory in use; what was used longest ago is given up first"))) {
    ImGui::OpenPopup("memory");
  }
  if (!ImGui::IsPopupOpen("memory")) return;
  const std::size_t machine = core::machine_memory();
  Menu menu(gui_, "memory", {place.x, place.y - gui_.px(170), gui_.px(190), 0});
  if (!menu) return;
  menu.heading(w("Memory that may be held"));
  for (const std::size_t part : {16u, 8u, 4u, 2u}) {
    const std::size_t bytes = machine / part;
    if (menu.item(fmt::format("memory.{}", part), text(bytes),
                  bytes == program_.memory_budget() ? "•" : "")) {
      program_.set_memory_budget(bytes);
    }
  }
}

}  // namespace ui
