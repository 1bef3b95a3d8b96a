#include "app/ui/controls/widgets.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

Rgba frame_color(const Gui& gui) { return gui.theme().window; }
Rgba border_color(const Gui& gui) { return mix(gui.theme().line, gui.theme().text, 0.06f); }
Rgba accent_tint(const Gui& gui) { return mix(gui.theme().panel, gui.theme().accent, 0.2f); }
// Text on the accent's own colour.
Rgba on_accent(const Gui& gui) {
  return gui.theme().name == figure::ThemeName::dark ? gui.theme().window
                                                     : Rgba{255, 255, 255, 255};
}

}  // namespace

Touch touch(Gui& gui, const std::string& id, const Rect& rect, const std::string& tooltip) {
  gui.control(id, rect);
  Touch t;
  t.focused = gui.keyboard().focusable(id);
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImGuiID item = window->GetID(id.c_str());
  const ImRect box({rect.x, rect.y}, {rect.right(), rect.bottom()});
  if (gui.keyboard().just_tabbed_to(id)) {
    ImGui::SetScrollFromPosY(rect.y + rect.h / 2 - window->Pos.y, 0.5f);
    gui.wake_in(0);
  }
  if (t.focused && !gui.keyboard().typing()) {
    t.activated = gui.keyboard().take(GLFW_KEY_ENTER) || gui.keyboard().take_space() ||
                  gui.keyboard().take(GLFW_KEY_KP_ENTER);
  }
  if (!ImGui::ItemAdd(box, item)) return t;
  const bool clicked = ImGui::ButtonBehavior(box, item, &t.hovered, &t.held);
  if (t.held && ImGui::IsMouseClicked(0)) {
    t.pressed = true;
    gui.keyboard().focus(id, false);
  }
  t.activated |= clicked;
  if (t.hovered && !t.held) gui.tooltip(id, tooltip);
  return t;
}

// Buttons ----------------------------------------------------------------------------------------

float button_width(const Gui& gui, const std::string& label, const ButtonLook& look) {
  float w = 2 * gui.px(label.empty() ? 8 : 13);
  if (!label.empty()) w += std::ceil(gui.width(label, TextStyle::body));
  if (look.icon != Icon::none) w += gui.px(16);
  if (look.icon != Icon::none && !label.empty()) w += gui.px(4);
  return w;
}

bool button(Gui& gui, const std::string& id, const Rect& rect, const std::string& label,
            const ButtonLook& look, const std::string& tooltip) {
  const Touch t = touch(gui, id, rect, tooltip);
  const figure::Theme& theme = gui.theme();
  const float radius = gui.px(6);
  Rgba ink = look.enabled ? theme.text : theme.faint;
  if (look.kind == ButtonLook::Kind::accent) {
    const float lift = t.held ? -0.1f : t.hovered ? 0.12f : 0.0f;
    const Rgba face = lift < 0 ? mix(theme.accent, {0, 0, 0, 255}, -lift)
                               : mix(theme.accent, {255, 255, 255, 255}, lift);
    gui.fill(rect, face, radius);
    ink = on_accent(gui);
  } else if (look.kind == ButtonLook::Kind::plain) {
    gui.fill(rect, mix(theme.card, theme.text, t.held ? 0.1f : t.hovered ? 0.05f : 0.0f), radius);
    gui.outline(rect, border_color(gui), radius);
  } else if (look.on || (look.enabled && (t.hovered || t.held))) {
    gui.fill(rect, mix(theme.window, theme.text, t.held ? 0.14f : 0.08f), radius);
  }
  if (look.kind == ButtonLook::Kind::ghost && look.enabled && !t.hovered) ink = theme.dim;
  if (t.focused && gui.keyboard().ring_visible()) gui.ring(rect, radius);
  const float cy = rect.y + rect.h / 2;
  if (label.empty()) {
    draw_icon(gui, look.icon, rect.x + rect.w / 2, cy, ink);
  } else if (look.icon == Icon::none) {
    gui.text_in(rect.x + rect.w / 2, cy, rect.w - gui.px(8), label,
                look.kind == ButtonLook::Kind::accent ? TextStyle::card_title : TextStyle::body,
                ink, 0.5f);
  } else {
    gui.text_in(rect.x + gui.px(13), cy, rect.w - gui.px(38), label,
                look.kind == ButtonLook::Kind::accent ? TextStyle::card_title : TextStyle::body,
                ink);
    draw_icon(gui, look.icon, rect.right() - gui.px(17), cy, ink);
  }
  return t.activated && look.enabled;
}

bool menu_item(Gui& gui, const std::string& id, const Rect& rect, const std::string& label,
               const std::string& right, bool enabled, const std::string& tooltip, bool marked) {
  const Touch t = touch(gui, id, rect, tooltip);
  const figure::Theme& theme = gui.theme();
  if (marked) gui.fill(rect, mix(theme.card, theme.accent, 0.2f), gui.px(5));
  if (enabled && (t.hovered || t.held || (t.focused && gui.keyboard().ring_visible()))) {
    gui.fill(rect, mix(theme.card, theme.text, t.held ? 0.14f : 0.08f), gui.px(5));
  }
  const float cy = rect.y + rect.h / 2;
  float room = rect.w - gui.px(20);
  if (!right.empty()) {
    gui.text(rect.right() - gui.px(10), cy, right, TextStyle::mono_small, theme.dim, 1);
    room -= gui.width(right, TextStyle::mono_small) + gui.px(12);
  }
  gui.text_in(rect.x + gui.px(10), cy, room, label, TextStyle::body,
              enabled ? theme.text : theme.faint);
  return t.activated && enabled;
}

// Sliders, toggles, choices ----------------------------------------------------------------------

SliderResult slider(Gui& gui, const std::string& id, const Rect& rect, double at,
                    const std::string& tooltip) {
  const bool was_held = ImGui::GetActiveID() == ImGui::GetCurrentWindow()->GetID(id.c_str());
  const Touch t = touch(gui, id, rect, tooltip);
  const figure::Theme& theme = gui.theme();
  const float radius = gui.px(6);
  const float x0 = rect.x + radius, x1 = rect.right() - radius,
              cy = std::round(rect.y + rect.h / 2);
  const float length = std::max(1.0f, x1 - x0);
  const auto xg = static_cast<float>(static_cast<double>(x0) +
                                     static_cast<double>(x1 - x0) * std::clamp(at, 0.0, 1.0));
  SliderResult result;
  result.half_pixel = 0.5 / static_cast<double>(length);
  if (t.held) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImGuiID item = ImGui::GetCurrentWindow()->GetID(id.c_str());
    float& off = *ImGui::GetStateStorage()->GetFloatRef(item);  // the grab's middle
    const bool on_grab = std::abs(io.MousePos.x - xg) <= radius;
    if (t.pressed) off = on_grab ? io.MousePos.x - xg : 0;
    if (!on_grab || io.MouseDragMaxDistanceSqr[0] > 0) {
      const float share = (io.MousePos.x - off - x0) / length;
      result.moved_to = std::clamp(static_cast<double>(share), 0.0, 1.0);
    }
  }
  result.released = was_held && !t.held;
  if (t.focused && !gui.keyboard().typing()) {
    for (const auto& [key, mods, steps] : {std::tuple{GLFW_KEY_RIGHT, 0, 1},
                                           {GLFW_KEY_UP, 0, 1},
                                           {GLFW_KEY_LEFT, 0, -1},
                                           {GLFW_KEY_DOWN, 0, -1},
                                           {GLFW_KEY_RIGHT, GLFW_MOD_SHIFT, 10},
                                           {GLFW_KEY_LEFT, GLFW_MOD_SHIFT, -10}}) {
      while (gui.keyboard().take(key, mods)) result.steps += steps;
    }
  }
  const float half = std::max(1.0f, gui.px(1.5f));
  gui.fill({rect.x, cy - half, rect.w, 2 * half}, mix(theme.line, theme.text, 0.05f), half);
  gui.fill({rect.x, cy - half, xg - rect.x, 2 * half}, theme.accent, half);
  const float grab = t.held || t.hovered ? radius + scale_step(gui) : radius;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled({xg, cy}, grab + gui.px(1.5f), to_im(theme.panel));
  list->AddCircleFilled({xg, cy}, grab, to_im(theme.text));
  if (t.focused && gui.keyboard().ring_visible()) {
    list->AddCircle({xg, cy}, grab + gui.px(3), to_im(theme.accent), 0,
                    std::max(1.5f, gui.scale() * 1.5f));
  }
  return result;
}

bool toggle(Gui& gui, const std::string& id, const Rect& rect, bool on,
            const std::string& tooltip) {
  const Touch t = touch(gui, id, rect, tooltip);
  const figure::Theme& theme = gui.theme();
  const float radius = rect.h / 2;
  const Rgba base = on ? theme.accent : mix(theme.line, theme.text, 0.1f);
  gui.fill(rect, base, radius);
  const float cx = on ? rect.right() - radius : rect.x + radius;
  const Rgba knob = on                                      ? on_accent(gui)
                    : theme.name == figure::ThemeName::dark ? theme.text
                                                            : theme.card;
  ImGui::GetWindowDrawList()->AddCircleFilled({cx, rect.y + radius}, radius - gui.px(3),
                                              to_im(knob));
  if (t.focused && gui.keyboard().ring_visible()) gui.ring(rect, radius);
  return t.activated;
}

float segments_width(const Gui& gui, const std::vector<std::string>& labels) {
  float sum = gui.px(4);
  for (const std::string& label : labels) {
    sum += std::ceil(gui.width(label, TextStyle::label_bold)) + gui.px(12);
  }
  return sum;
}

namespace {

// Equal widths where every label fits into its share, else each as wide as its label needs.
std::vector<Rect> segment_rects(const Gui& gui, const std::vector<std::string>& labels,
                                const Rect& r) {
  const float inset = gui.px(2);
  const auto count = static_cast<float>(labels.size());
  const float each = (r.w - 2 * inset) / count;
  float widest = 0;
  for (const std::string& label : labels)
    widest = std::max(widest, gui.width(label, TextStyle::label_bold));
  const bool equal = widest + gui.px(10) <= each;
  const float spare = (r.w - segments_width(gui, labels)) / count;
  std::vector<Rect> rects;
  float at = r.x + inset;
  for (const std::string& label : labels) {
    const float own = std::ceil(gui.width(label, TextStyle::label_bold)) + gui.px(12) + spare;
    const float next = at + (equal ? each : own);
    rects.push_back(
        {std::round(at), r.y + inset, std::round(next) - std::round(at), r.h - 2 * inset});
    at = next;
  }
  return rects;
}

// Where an arrow key leads from the i-th of controls that stand side by side; it takes the focus.
std::optional<int> neighbor(Gui& gui, const Touch& touch, const std::vector<std::string>& ids,
                            std::size_t i) {
  if (!touch.focused || gui.keyboard().typing()) return std::nullopt;
  const std::size_t to = gui.keyboard().take(GLFW_KEY_RIGHT)  ? i + 1
                         : gui.keyboard().take(GLFW_KEY_LEFT) ? i - 1
                                                              : i;
  if (to == i || to >= ids.size()) return std::nullopt;
  gui.keyboard().focus(ids[to], true);
  return static_cast<int>(to);
}

}  // namespace

std::optional<int> segments(Gui& gui, const std::vector<std::string>& ids,
                            const std::vector<std::string>& labels, const Rect& rect, int chosen,
                            const std::vector<std::string>& tooltips) {
  const figure::Theme& theme = gui.theme();
  gui.fill(rect, frame_color(gui), gui.px(6));
  gui.outline(rect, border_color(gui), gui.px(6));
  const std::vector<Rect> rects = segment_rects(gui, labels, rect);
  std::optional<int> result;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Rect& segment = rects[i];
    const Touch t = touch(gui, ids[i], segment, tooltips[i]);
    const bool is_chosen = chosen == static_cast<int>(i);
    if (is_chosen) gui.fill(segment, accent_tint(gui), gui.px(4));
    if (!is_chosen && t.hovered) {
      gui.fill(segment, mix(frame_color(gui), theme.text, 0.06f), gui.px(4));
    }
    if (t.focused && gui.keyboard().ring_visible()) gui.ring(segment, gui.px(4));
    const Rgba ink = is_chosen ? theme.text : theme.dim;
    gui.text_in(segment.x + segment.w / 2, segment.y + segment.h / 2, segment.w - gui.px(2),
                labels[i], is_chosen ? TextStyle::label_bold : TextStyle::label, ink, 0.5f);
    if (t.activated) result = static_cast<int>(i);
    if (const auto to = neighbor(gui, t, ids, i)) result = to;
  }
  return result;
}

TabsResult tabs(Gui& gui, const std::vector<std::string>& ids,
                const std::vector<std::string>& labels, const Rect& at, int chosen,
                const std::string& tooltip) {
  const figure::Theme& theme = gui.theme();
  const float row = gui.px(32);
  float x = at.x, y = at.y;
  TabsResult result;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const float width = std::ceil(gui.width(labels[i], TextStyle::card_title)) + gui.px(24);
    if (x > at.x && x + width > at.right()) x = at.x, y += row;
    const Rect tab{x, y, width, row};
    const Touch t = touch(gui, ids[i], tab, tooltip);
    const bool is_chosen = chosen == static_cast<int>(i);
    const bool lit = is_chosen || t.hovered;
    gui.text(tab.x + tab.w / 2, tab.y + tab.h / 2, labels[i],
             is_chosen ? TextStyle::card_title : TextStyle::body, lit ? theme.text : theme.dim,
             0.5f);
    gui.fill({tab.x, tab.bottom() - gui.px(2), tab.w, gui.px(2)},
             is_chosen ? theme.accent : theme.line);
    if (t.focused && gui.keyboard().ring_visible()) gui.ring(tab, gui.px(4));
    if (t.activated) result.chosen = static_cast<int>(i);
    if (const auto to = neighbor(gui, t, ids, i)) result.chosen = to;
    x += width;
  }
  result.height = y + row - at.y;
  return result;
}

void choice_frame(const Gui& gui, const Rect& rect, const Touch& touch, bool wrong) {
  const figure::Theme& theme = gui.theme();
  gui.fill(rect, mix(frame_color(gui), theme.text, touch.hovered ? 0.05f : 0.0f), gui.px(6));
  gui.outline(rect, wrong ? theme.bad : border_color(gui), gui.px(6));
  if (touch.focused && gui.keyboard().ring_visible()) gui.ring(rect, gui.px(6));
  draw_icon(gui, Icon::down, rect.right() - gui.px(13), rect.y + rect.h / 2, theme.dim);
}

std::optional<int> combo(Gui& gui, const std::string& id, const std::vector<std::string>& ids,
                         const std::vector<std::string>& labels, const Rect& rect, int chosen,
                         const std::string& tooltip) {
  const figure::Theme& theme = gui.theme();
  const std::string popup = id + ".list";
  const Touch t = touch(gui, id, rect, tooltip);
  choice_frame(gui, rect, t);
  const float cy = rect.y + rect.h / 2;
  const std::size_t now = static_cast<std::size_t>(std::max(chosen, 0));
  if (now < labels.size()) {
    gui.text_in(rect.x + gui.px(9), cy, rect.w - gui.px(32), labels[now], TextStyle::label_bold,
                theme.text);
  }
  std::optional<int> result;
  if (t.focused && !gui.keyboard().typing()) {
    if (gui.keyboard().take(GLFW_KEY_DOWN))
      result = std::min(chosen + 1, static_cast<int>(labels.size()) - 1);
    if (gui.keyboard().take(GLFW_KEY_UP)) result = std::max(chosen - 1, 0);
  }
  if (t.activated) ImGui::OpenPopup(popup.c_str());
  if (!ImGui::IsPopupOpen(popup.c_str())) return result;
  float width = rect.w;  // and more where a name needs it
  for (const std::string& label : labels) {
    width = std::max(width, gui.width(label, TextStyle::body) + gui.px(50));
  }
  width = std::min(width, ImGui::GetIO().DisplaySize.x - gui.px(8));
  Menu menu(gui, popup, {rect.x, rect.bottom() + gui.px(4), width, 0});
  if (!menu) return result;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (menu.item(ids[i], labels[i], static_cast<int>(i) == chosen ? "•" : "")) {
      result = static_cast<int>(i);
    }
  }
  return result;
}

float scale_step(const Gui& gui) { return std::max(0.5f, gui.scale() * 0.5f); }

void extend_content(float bottom) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  window->DC.CursorMaxPos.y = std::max(window->DC.CursorMaxPos.y, bottom);
}

// Menus ------------------------------------------------------------------------------------------

Menu::Menu(Gui& gui, const std::string& popup, const Rect& at) : gui_(gui) {
  if (!ImGui::IsPopupOpen(popup.c_str())) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float margin = gui.px(4);
  const float x = std::clamp(at.x, margin, std::max(margin, screen.x - at.w - margin));
  ImGui::SetNextWindowPos({x, at.y}, ImGuiCond_Always);
  ImGui::SetNextWindowSizeConstraints({at.w, 0},
                                      {at.w, std::max(gui.px(80), screen.y - at.y - margin)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui.px(5), gui.px(5)));
  open_ =
      ImGui::BeginPopup(popup.c_str(), ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                                           ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar();
  if (!open_) return;
  gui.keyboard().push_layer();
  width_ = at.w - 2 * gui.px(5);
  if (gui.keyboard().take(GLFW_KEY_ESCAPE)) ImGui::CloseCurrentPopup();
}

Menu::~Menu() {
  if (!open_) return;
  gui_.keyboard().pop_layer();
  ImGui::EndPopup();
}

bool Menu::item(const std::string& id, const std::string& label, const std::string& right,
                bool enabled, const std::string& tooltip, bool marked) {
  const Rect rect = room(gui_.px(28));
  const bool chosen = menu_item(gui_, id, rect, label, right, enabled, tooltip, marked);
  if (chosen) ImGui::CloseCurrentPopup();
  return chosen;
}

Rect Menu::room(float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width_, height});
  return {at.x, at.y, width_, height};
}

void Menu::heading(const std::string& label) {
  const Rect at = room(gui_.px(24));
  gui_.text_in(at.x + gui_.px(10), at.y + gui_.px(13), width_ - gui_.px(20), label,
               TextStyle::small, gui_.theme().dim);
}

}  // namespace ui
