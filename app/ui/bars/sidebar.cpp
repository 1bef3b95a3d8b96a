#include "app/ui/bars/sidebar.h"

#include <cmath>
#include <utility>

#include "app/lesson/library.h"

namespace ui {

namespace {

// A flat line with one beat in it.
void draw_waveform(const Gui& gui, float x, float cy) {
  constexpr float kX[] = {0, 11, 15, 20, 24, 28, 39};
  constexpr float kY[] = {0, 0, -5, 9, -11, 0, 0};
  ImVec2 points[IM_ARRAYSIZE(kX)];
  for (int i = 0; i < IM_ARRAYSIZE(kX); ++i) {
    points[i] = {x + kX[i] * gui.scale(), cy + kY[i] * gui.scale()};
  }
  ImGui::GetWindowDrawList()->AddPolyline(points, IM_ARRAYSIZE(points), to_im(gui.theme().accent),
                                          0, std::max(1.5f, 1.7f * gui.scale()));
}

}  // namespace

void Sidebar::draw(const Rect& r) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec(theme.panel));
  ImGui::BeginChild("sidebar", {r.w, r.h}, 0, ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleColor();
  const float pad = gui_.px(14);
  gui_.text(r.x + gui_.px(20), r.y + gui_.px(27), "attnscope", TextStyle::panel, theme.text);
  draw_waveform(gui_, r.x + gui_.px(20) + gui_.width("attnscope", TextStyle::panel) + gui_.px(24),
                r.y + gui_.px(28));
  const Rect box{r.x + pad, r.y + gui_.px(48), r.w - 2 * pad, gui_.px(30)};
  BoxLook look;
  look.style = TextStyle::label;
  look.align = 0;
  look.hint = w("Search labs, lessons, knobs");
  const EditEvent event = text_box(
      gui_, edit_, "search", box, query_, look,
      w("Find labs, lessons, stops, presets and knobs by name (Ctrl F); Ctrl K finds everything"));
  if (edit_.id == "search") query_ = edit_.buffer;
  if (event == EditEvent::escaped) {
    query_.clear();
    arrangement_.leave_sidebar();
  }
  if (event == EditEvent::applied) {
    const auto found = search();
    if (!found.empty()) choose(found.front());
  }
  const float first = start_item(r, box.bottom() + gui_.px(8));
  const float top = list_tabs({r.x + pad, 0, r.w - 2 * pad, 0}, first);
  ImGui::SetCursorScreenPos({r.x, top});
  ImGui::BeginChild("story", {r.w, r.bottom() - top - 1}, 0);
  gui_.control("list", {r.x, top, r.w, r.bottom() - top - 1});
  const float y = top - ImGui::GetScrollY();
  const float end = !query_.empty()  ? search_results(r, y)
                    : lists_lessons_ ? lesson_list(r, y)
                                     : lab_list(r, y);
  extend_content(end + gui_.px(12));
  ImGui::EndChild();
  ImGui::GetWindowDrawList()->AddRectFilled({r.right() - 1, r.y}, {r.right(), r.bottom()},
                                            to_im(theme.line));
  ImGui::EndChild();
}

// Over the lists, whichever is shown.
float Sidebar::start_item(const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const Rect row{r.x + gui_.px(10), y, r.w - gui_.px(20), gui_.px(26)};
  const bool current = start_.open();
  const Touch t =
      touch(gui_, "start", row, w("Routes, your own sentence, files, and a picture of every lab"));
  if (current) {
    gui_.fill(row, mix(theme.panel, theme.accent, 0.2f), gui_.px(5));
    gui_.fill({row.x, row.y, gui_.px(3), row.h}, theme.accent);
  } else if (t.hovered) {
    gui_.fill(row, mix(theme.panel, theme.text, 0.05f), gui_.px(5));
  }
  if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(row, gui_.px(5));
  gui_.text_in(row.x + gui_.px(10), row.y + row.h / 2, row.w - gui_.px(16), w("Start"),
               current ? TextStyle::card_title : TextStyle::body, theme.text);
  if (t.activated) {
    if (!current) start_.show();
    arrangement_.leave_sidebar();
  }
  return row.bottom() + gui_.px(8);
}

// Labs or lessons.
float Sidebar::list_tabs(const Rect& r, float y) {
  const words::Words& w = gui_.words();
  if (!query_.empty()) return y;
  const Rect place{r.x, y, r.w, gui_.px(26)};
  const auto chosen = segments(gui_, {"list.labs", "list.lessons"}, {w("Labs"), w("Lessons")},
                               place, lists_lessons_ ? 1 : 0,
                               {w("Every lab, in the order of the story"),
                                w("Lessons that lead through the labs, stop by stop")});
  if (chosen) lists_lessons_ = *chosen == 1;
  return place.bottom() + gui_.px(6);
}

float Sidebar::lab_list(const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  std::optional<lab::Chapter> chapter;
  std::string wanted;
  for (const lab::Lab& one : program_.desk.labs()) {
    if (chapter != one.chapter) {
      y += gui_.px(chapter ? 14 : 4);
      chapter = one.chapter;
      gui_.text_in(r.x + gui_.px(20), y + gui_.px(10), r.w - gui_.px(30),
                   w(lab::chapter_title(one.chapter)), TextStyle::label_bold, theme.dim);
      y += gui_.px(24);
    }
    const Rect row{r.x + gui_.px(10), y, r.w - gui_.px(20), gui_.px(24)};
    const bool current = &one == &program_.desk.lab() && !start_.open();
    const Touch t = touch(gui_, "lab." + std::string(one.id), row, w(one.question));
    if (current && std::exchange(listed_lab_, one.id) != one.id) {
      const float top = ImGui::GetWindowPos().y;
      if (row.y < top || row.bottom() > top + ImGui::GetWindowHeight()) {
        ImGui::SetScrollFromPosY(row.y - top, 0.6f);
      }
    }
    if (current) {
      gui_.fill(row, mix(theme.panel, theme.accent, 0.2f), gui_.px(5));
      gui_.fill({row.x, row.y, gui_.px(3), row.h}, theme.accent);
    } else if (t.hovered) {
      gui_.fill(row, mix(theme.panel, theme.text, 0.05f), gui_.px(5));
    }
    if (t.focused && gui_.keyboard().ring_visible()) gui_.ring(row, gui_.px(5));
    gui_.text_in(row.x + gui_.px(18), row.y + row.h / 2, row.w - gui_.px(24), w(one.title),
                 current ? TextStyle::card_title : TextStyle::body, theme.text);
    if (t.activated) wanted = one.id;
    y += gui_.px(24);
  }
  if (!wanted.empty()) {
    start_.leave();
    program_.desk.show_lab(wanted);
    arrangement_.leave_sidebar();
  }
  return y;
}

const state::SearchIndex& Sidebar::index() {
  const words::Words& w = program_.words();
  if (!index_ || index_->first != w.language()) {
    index_.emplace(w.language(), state::SearchIndex(program_.desk.labs(), w));
  }
  return index_->second;
}

std::vector<state::Found> Sidebar::search() { return index().find(query_); }

void Sidebar::choose(const state::Found& found) {
  query_.clear();
  edit_.id.clear();
  arrangement_.leave_sidebar();
  program_.events.add(state::FoundChosen{found});
}

void Sidebar::search_for_anything() {
  arrangement_.open_sidebar();
  open_edit(edit_, "search", query_);
  gui_.keyboard().focus("search", true);
}

namespace {

std::string heading_of(state::Found::Kind kind, const words::Words& w) {
  switch (kind) {
    case state::Found::Kind::lab: return w("Labs");
    case state::Found::Kind::lesson: return w("Lessons");
    case state::Found::Kind::stop: return w("Stops of lessons");
    case state::Found::Kind::preset: return w("Presets");
    default: return w("Knobs");
  }
}

}  // namespace

float Sidebar::search_results(const Rect& r, float y) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  const auto found = search();
  if (found.empty()) {
    return y + gui_.paragraph(r.x + gui_.px(20), y + gui_.px(6), r.w - gui_.px(40),
                              w("Nothing contains all of these words."), TextStyle::body,
                              theme.dim);
  }
  const state::Found* chosen = nullptr;
  std::optional<state::Found::Kind> kind;
  int index = 0;
  for (const state::Found& one : found) {
    if (kind != one.kind) {
      y += gui_.px(kind ? 12 : 4);
      kind = one.kind;
      gui_.text(r.x + gui_.px(20), y + gui_.px(10), heading_of(one.kind, w), TextStyle::label_bold,
                theme.dim);
      y += gui_.px(24);
    }
    const float height = gui_.px(one.where.empty() ? 24 : 40);
    const Rect row{r.x + gui_.px(10), y, r.w - gui_.px(20), height};
    if (found_item("found." + std::to_string(index++), row, one)) chosen = &one;
    y += height;
  }
  if (chosen) choose(state::Found(*chosen));
  return y;
}

// A knob or a preset stands over the name of its lab.
bool Sidebar::found_item(const std::string& id, const Rect& row, const state::Found& found) {
  if (found.where.empty()) return menu_item(gui_, id, row, found.title);
  const Touch t = touch(gui_, id, row);
  const figure::Theme& theme = gui_.theme();
  if (t.hovered || t.held || (t.focused && gui_.keyboard().ring_visible())) {
    gui_.fill(row, mix(theme.card, theme.text, t.held ? 0.14f : 0.08f), gui_.px(5));
  }
  const float x = row.x + gui_.px(10), room = row.w - gui_.px(20);
  gui_.text_or_tip(id + ".title", x, row.y + gui_.px(12), room, found.title, TextStyle::body,
                   theme.text);
  gui_.text_or_tip(id + ".lab", x, row.y + gui_.px(28), room, found.where, TextStyle::small,
                   theme.dim);
  return t.activated;
}

}  // namespace ui
