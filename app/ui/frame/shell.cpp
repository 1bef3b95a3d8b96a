#include "app/ui/frame/shell.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/frame/control_map.h"

namespace ui {

Shell::Tools::Tools(state::Program& program, const std::function<void()>& wake)
    : measure(fonts), gui(fonts), painter(fonts, wake, program.memory()) {}

Shell::PageParts::PageParts(state::Program& program, Tools& tools,
                            const std::function<void()>& wake)
    : view(program, tools.gui, tools.painter, tools.measure, tools.edit, wake),
      statements(program, tools.gui, view),
      holds(program, tools.gui, tools.edit) {
  view.set_strip([this](float x, float y, float w) { return holds.draw(x, y, w); });
}

Shell::Lessons::Lessons(state::Program& program, Tools& tools, PageParts& page, Dialogs& dialogs)
    : view(program, tools.gui, page.view, tools.edit),
      lecture(program, tools.gui, page.view, view),
      adder(program, tools.gui, dialogs, tools.edit, page.view, view),
      answers(program, tools.gui, dialogs, tools.edit, view) {}

Shell::Shell(state::Program& program, const std::function<void()>& wake)
    : program_(program),
      tools_(program, wake),
      notes_gui_(tools_.fonts),
      font_needs_(program, tools_.fonts),
      dialogs_(tools_.gui, program, tools_.edit),
      page_(program, tools_, wake),
      lessons_(program, tools_, page_, dialogs_),
      sweep_bar_(tools_.gui, program, tools_.edit),
      start_(program, tools_.gui, tools_.painter, tools_.measure, tools_.edit, wake),
      palette_(tools_.gui, tools_.edit),
      files_(program, tools_.gui, tools_.edit, dialogs_, tools_.painter, tools_.fonts, sweep_bar_),
      arrangement_(tools_.gui, start_, lessons_.view, page_.view, sweep_bar_),
      header_(program, tools_.gui, dialogs_, page_.view, arrangement_),
      sidebar_(program, tools_.gui, tools_.edit, start_, lessons_.view, arrangement_),
      panel_(program, tools_.gui,
             {program, tools_.gui, tools_.edit, dialogs_, sweep_bar_, files_.folder()},
             {program, tools_.gui, tools_.fonts, tools_.measure, tools_.painter, page_.statements,
              lessons_.view},
             page_.statements, sweep_bar_),
      status_(program, tools_.gui, tools_.painter, lessons_.view),
      toast_(program, tools_.gui),
      embedded_(program, tools_.gui, page_.view) {}

bool Shell::prepare() {
  const bool names = start_.open() || palette_.open() || sidebar_.names_lessons();
  font_needs_.look(program_.desk.list(), tools_.edit.buffer, names);
  lessons_.view.need_fonts(tools_.fonts);
  page_.holds.need_fonts(tools_.fonts);
  start_.need_fonts(tools_.fonts);
  if (seen_.scale != tools_.fonts.scale() || seen_.theme != program_.looks.theme) {
    seen_.scale = tools_.fonts.scale();
    seen_.theme = program_.looks.theme;
    apply_theme(figure::theme(program_.looks.theme), seen_.scale);
  }
  if (!tools_.fonts.stale()) return false;
  tools_.fonts.build();
  return true;
}

bool Shell::at_work() const {
  return program_.pages.busy() || tools_.painter.busy() || program_.is_writing() ||
         program_.files.opening() || program_.files.contents().busy() || page_.view.finding_out() ||
         program_.holding.pages().busy() || start_.busy();
}

double Shell::next_change() const {
  double next = tools_.gui.next_change();
  if (seen_.worked || at_work()) next = std::min(next, 0.05);
  if (program_.trainings.overtaken()) next = std::min(next, 0.1);  // its steps wake the window, too
  next = std::min(next, program_.seconds_to_step());
  next = std::min(next, sweep_bar_.sweeper().next_change());
  if (!start_.open() && page_.view.moving()) next = 0;
  if (!program_.messages.last().text.empty()) next = std::min(next, 0.25);
  return next;
}

void Shell::set_frame_ms(double ms) {
  status_.set_frame_ms(ms);
  program_.set_frame_ms(ms);
}

void Shell::frame(std::vector<KeyPress> keys) {
  seen_.worked = at_work();
  program_.poll();
  answer_events();
  program_.advance(static_cast<double>(ImGui::GetIO().DeltaTime));
  sweep_bar_.sweeper().advance(static_cast<double>(ImGui::GetIO().DeltaTime));
  const figure::Theme& theme = figure::theme(program_.looks.theme);
  tools_.gui.begin_frame(theme, program_.words(), std::move(keys));
  tools_.gui.keyboard().keep_space(lessons_.view.open() && !start_.open());
  tools_.painter.begin_frame();
  if (ImGui::IsMouseClicked(0)) ++seen_.clicks;
  if (ImGui::IsMouseDoubleClicked(0)) ++seen_.double_clicks;
  if (!tools_.edit.id.empty() && seen_.edited_lab != program_.desk.lab().id) tools_.edit.id.clear();
  seen_.edited_lab = program_.desk.lab().id;
  program_.holding.set_dragging(ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1));
  lessons_.view.advance();
  start_.advance();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  if (!lessons_.lecture.on()) arrangement_.collapse_what_would_cover();
  const Arrangement::Places l = arrangement_.places();
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::Begin("attnscope", nullptr,
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  if (embedded_.on()) {
    embedded_parts();
  } else {
    lessons_.lecture.on() ? lecture_parts() : parts(l);
  }
  leave_vanished_box();
  toast_.draw(embedded_.on() || lessons_.lecture.on() ? Rect{0, 0, screen.x, screen.y} : l.page);
  dialogs_.draw();
  find_anything();
  if (!embedded_.on()) shortcuts();
  ImGui::End();
  tools_.painter.end_frame();
  answer_events();
  tools_.gui.end_frame();
}

void Shell::parts(const Arrangement::Places& l) {
  // What lies over the page takes the pointer first, and is painted after it.
  if (l.sidebar.w > 0 && !l.sidebar_over) sidebar_.draw(l.sidebar);
  middle(l);
  if (l.lesson.w > 0) lesson(l);
  if (l.panel.w > 0) panel_.draw(l.panel, start_.open() ? nullptr : lessons_.view.focus());
  if (!start_.open()) lessons_.view.draw_marks(l.page, l.panel);
  if (l.sidebar.w > 0 && l.sidebar_over) sidebar_.draw(l.sidebar);
}

// What stands between the list and the panel.
void Shell::middle(const Arrangement::Places& l) {
  if (start_.open()) {
    start_bar(l.header);
    return start_.draw(l.page);
  }
  if (l.header.h > 0) {
    page_.view.alone().empty() ? header_.draw(l.header) : header_.draw_alone(l.header);
  }
  page_.view.head().offer_lessons(!lessons_.view.open());
  page_.view.draw(l.page);
  status_.working_sign(l.page);
  status_.draw(l.status);
  sweep(l.sweep);
}

void Shell::find_anything() {
  if (!palette_.open()) return;
  if (const auto found = palette_.draw(sidebar_.index())) sidebar_.choose(*found);
}

// The way to a list that is not shown.
void Shell::start_bar(const Rect& r) {
  if (r.h <= 0) return;
  ButtonLook look;
  look.kind = ButtonLook::Kind::ghost;
  look.icon = Icon::menu;
  const Rect rect{r.x + tools_.gui.px(12), r.y + tools_.gui.px(6), tools_.gui.px(32),
                  tools_.gui.px(30)};
  if (button(tools_.gui, "button.sidebar", rect, "", look,
             tools_.gui.words()("Show or hide the list of labs"))) {
    arrangement_.toggle_sidebar();
  }
}

// The knob whose text was typed is not shown any more.
void Shell::leave_vanished_box() {
  const bool knob = tools_.edit.id.starts_with("knob.") || tools_.edit.id.starts_with("stack:") ||
                    tools_.edit.id.starts_with("lesson.") || tools_.edit.id.starts_with("hold.") ||
                    tools_.edit.id.starts_with("sweep.");
  if (knob && !tools_.gui.controls().contains(tools_.edit.id)) tools_.edit.id.clear();
}

// Lessons and lectures ---------------------------------------------------------------------------

float Shell::lesson_knob(const std::string& id, float x, float y, float w) {
  param::List all = program_.desk.list();
  const param::Parameter* p = all.find(id);
  return p && p->info.active && !p->info.tabs ? panel_.knobs().draw_one(*p, x, y, w) : 0;
}

void Shell::lesson(const Arrangement::Places& l) {
  const auto draw_knob = [this](const std::string& id, float x, float y, float w) {
    return lesson_knob(id, x, y, w);
  };
  lessons_.view.draw(l.lesson, l.panel.w > 0 ? LessonView::DrawKnob() : draw_knob);
}

// Those of the lab that stand first.
std::vector<std::string> Shell::knobs_at_hand() {
  std::vector<std::string> first;
  const param::List all = program_.desk.list();
  for (const param::Parameter& p : all.items()) {
    if (p.info.active && !p.info.tabs && panel_.knobs().at_hand(p)) first.emplace_back(p.info.id);
  }
  return first;
}

// With knobs for who drags one while talking.
void Shell::lecture_parts() {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  // What a knob says of itself would lie over the numbers that the audience watches.
  const auto draw_knob = [this](const std::string& id, float x, float y, float w) {
    tools_.gui.want_tips(Gui::Tips::none);
    const float height = lesson_knob(id, x, y, w);
    tools_.gui.want_tips(Gui::Tips::all);
    return height;
  };
  lessons_.lecture.draw({0, 0, screen.x, screen.y}, draw_knob, knobs_at_hand());
}

void Shell::embedded_parts() {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const auto draw_knob = [this](const std::string& id, float x, float y, float w) {
    return lesson_knob(id, x, y, w);
  };
  embedded_.draw({0, 0, screen.x, screen.y}, draw_knob, knobs_at_hand());
}

void Shell::notes_frame() {
  notes_gui_.begin_frame(figure::theme(program_.looks.theme), program_.words(), {});
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::Begin("notes", nullptr,
               ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoDecoration |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoSavedSettings);
  lessons_.lecture.draw_notes(notes_gui_, {0, 0, screen.x, screen.y});
  ImGui::End();
  notes_gui_.end_frame();
}

// Sweeps -----------------------------------------------------------------------------------------

void Shell::sweep(const Rect& r) {
  sweep_bar_.draw(r);
  sweep_bar_.menus(sweep_bar_.open() ? stops_here() : std::vector<param::Values>());
}

// The scenes of the lesson that is open, of the lab that is shown, each once.
std::vector<param::Values> Shell::stops_here() const {
  std::vector<param::Values> all;
  const lesson::Play* play = lessons_.view.play();
  for (std::size_t k = 0; play && k < play->lesson().stops.size(); ++k) {
    const session::Session scene = lesson::scene(play->lesson(), k, true);
    if (scene.lab != program_.desk.now().lab) continue;
    if (all.empty() || all.back() != scene.values) all.push_back(scene.values);
  }
  return all;
}

// Files and scripts ------------------------------------------------------------------------------

void Shell::drop(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  // No lab is on screen that could take it.
  if (start_.open() || !program_.files.take(paths.front())) program_.files.open(paths.front());
}

std::string Shell::control_map(const InputCount& input, long frames, bool answered) const {
  ControlMapFacts facts;
  facts.frames = frames;
  facts.settled = answered && settled();
  facts.sleeps = facts.settled && std::isinf(next_change());
  facts.said = &toast_.said();
  facts.marked = page_.view.last_marked();
  facts.clicks = seen_.clicks;
  facts.double_clicks = seen_.double_clicks;
  const ImGuiIO& io = ImGui::GetIO();
  facts.width = static_cast<int>(io.DisplaySize.x);
  facts.height = static_cast<int>(io.DisplaySize.y);
  const auto inside = [](float at, float size) {
    return at >= 0 && at < size ? static_cast<int>(std::lround(at)) : -1;
  };
  facts.pointer_x = inside(io.MousePos.x, io.DisplaySize.x);
  facts.pointer_y = inside(io.MousePos.y, io.DisplaySize.y);
  for (int button = 0; button < IM_ARRAYSIZE(io.MouseDown); ++button) {
    if (io.MouseDown[button]) facts.buttons_down.push_back(button);
  }
  facts.input = input;
  facts.first_page_s = seen_.first_page_s;
  facts.controls = &tools_.gui.controls();
  static const std::map<std::string, PageView::PlotPlace> none;
  facts.plots = start_.open() ? &none : &page_.view.plots();
  if (!start_.open()) facts.hits = page_.view.hits();
  facts.lesson = lessons_.view.status();
  facts.tip = tools_.gui.tip_now();
  facts.sweep = &sweep_bar_.sweeper();
  facts.lecture = lessons_.lecture.status();
  return control_map_json(program_, facts);
}

}  // namespace ui
