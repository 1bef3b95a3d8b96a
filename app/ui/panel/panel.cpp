#include "app/ui/panel/panel.h"

#include <algorithm>
#include <cmath>

namespace ui {

void Panel::draw(const Rect& r, const lesson::Focus* focus) {
  const figure::Theme& theme = gui_.theme();
  const words::Words& w = gui_.words();
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, to_vec(theme.panel));
  ImGui::BeginChild("panel", {r.w, r.h});
  ImGui::PopStyleColor();
  const float pad = gui_.px(20), x = r.x + pad, width = r.w - 2 * pad;
  // In a high window the knobs and what is read have a scroll area each, so that the sum behind
  // the pinned value stays in view while a knob is turned.
  const bool apart = r.h >= gui_.px(500) && program_.pages.page();
  const float room = r.h - gui_.px(44);
  const float knob_room =
      apart ? std::min(knobs_height_ + gui_.px(8), std::round(room * 0.62f)) : room;
  if (!focus || !focus->knobs.empty())
    gui_.text(x, r.y + gui_.px(27), w("Knobs"), TextStyle::panel, theme.text);
  if (!focus) {
    sweep_bar_.button_for_knobs(
        x + std::ceil(gui_.width(w("Knobs"), TextStyle::panel)) + gui_.px(6), r.y + gui_.px(27));
    to_statements(x + width, r.y + gui_.px(27));
  }
  const auto read = [&](float y) { return read_.draw(x, y, width, focus); };
  const float top = r.y + gui_.px(focus && focus->knobs.empty() ? 4 : 44);
  const bool another = panel_lab_ != program_.desk.lab().id;
  panel_lab_ = program_.desk.lab().id;
  ImGui::SetCursorScreenPos({r.x, top});
  gui_.control("panel.knobs", {r.x, top, r.w, knob_room});
  ImGui::BeginChild("knobs", {r.w, knob_room});
  if (another) ImGui::SetScrollY(0);
  const float first = top - ImGui::GetScrollY();
  float y = focus ? knobs_.draw_only(focus->knobs, x, first, width) : knobs_.draw(x, first, width);
  knobs_height_ = y - first;
  if (!apart) y = read(y);
  extend_content(y + gui_.px(apart ? 4 : 20));
  ImGui::EndChild();
  if (apart) {
    const float below = top + knob_room;
    ImGui::SetCursorScreenPos({r.x, below});
    ImGui::BeginChild("read", {r.w, r.bottom() - below});
    if (read_lab_ != panel_lab_) ImGui::SetScrollY(0);
    read_lab_ = panel_lab_;
    extend_content(read(below - gui_.px(16) - ImGui::GetScrollY()) + gui_.px(20));
    ImGui::EndChild();
    if (!focus || !focus->knobs.empty()) gui_.fill({r.x, below, r.w, 1}, theme.line);
  }
  ImGui::EndChild();
  gui_.fill({r.x, r.y, 1, r.h}, theme.line);
}

// The way to what is commonly said, which stands further down; `right`: where it ends.
void Panel::to_statements(float right, float middle) {
  if (statements_.count() == 0) return;
  ButtonLook look;
  look.icon = Icon::down;
  const std::string label = statements_.heading();
  const float width = button_width(gui_, label, look), height = gui_.px(28);
  const Rect rect{right - width, std::round(middle - height / 2), width, height};
  if (button(gui_, "button.statements", rect, label, look,
             gui_.words()("Common statements about this, for you to judge"))) {
    statements_.bring();
  }
}

}  // namespace ui
