#include "app/ui/controls/palette.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr const char* kPalettePopup = "palette";
constexpr const char* kPaletteBox = "palette.query";
constexpr float kPaletteRow = 42, kPaletteBoxHeight = 36, kPalettePad = 10;

}  // namespace

std::string kind_name(state::Found::Kind kind, const words::Words& w) {
  switch (kind) {
    case state::Found::Kind::lab: return w("Lab");
    case state::Found::Kind::lesson: return w("Lesson");
    case state::Found::Kind::action: return w("Action");
    case state::Found::Kind::preset: return w("Preset");
    case state::Found::Kind::stop: return w("Stop");
    case state::Found::Kind::paper: return w("Paper");
    case state::Found::Kind::knob: return w("Knob");
  }
  return {};
}

void Palette::show() {
  open_ = opening_ = true;
  query_.clear();
  found_for_.reset();
  at_ = 0;
}

void Palette::close() {
  open_ = false;
  if (edit_.id == kPaletteBox) edit_.id.clear();
  ImGui::ClearActiveID();
  ImGui::CloseCurrentPopup();
  gui_.wake_in(0);
}

void Palette::find(const state::SearchIndex& index) {
  if (found_for_ == query_ && found_in_ == &index) return;
  found_ = index.ranked(query_, kMost);
  if (found_for_ != query_) at_ = 0;
  at_ = std::min(at_, found_.empty() ? 0 : found_.size() - 1);
  found_for_ = query_;
  found_in_ = &index;
  moved_ = true;
}

void Palette::walk() {
  const auto count = static_cast<std::ptrdiff_t>(found_.size());
  constexpr std::ptrdiff_t kPage = 8;
  std::ptrdiff_t to = static_cast<std::ptrdiff_t>(at_);
  for (const auto& [key, by] : {std::pair{GLFW_KEY_DOWN, std::ptrdiff_t{1}},
                                {GLFW_KEY_UP, std::ptrdiff_t{-1}},
                                {GLFW_KEY_PAGE_DOWN, kPage},
                                {GLFW_KEY_PAGE_UP, -kPage}}) {
    while (gui_.keyboard().take(key)) to += by, moved_ = true;
  }
  at_ = count == 0 ? 0 : static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, count - 1));
}

std::optional<state::Found> Palette::draw(const state::SearchIndex& index) {
  if (!open_) return {};
  if (opening_) {
    ImGui::OpenPopup(kPalettePopup);
    open_edit(edit_, kPaletteBox, query_);
    gui_.keyboard().focus(kPaletteBox, true);
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float pad = gui_.px(kPalettePad), w = std::min(gui_.px(620), screen.x - gui_.px(24));
  const float top = std::min(gui_.px(90), std::round(screen.y * 0.12f));
  const float most = screen.y - top - gui_.px(24);
  const float rows = gui_.px(kPaletteRow) * 9 + gui_.px(12);
  const float h = std::min(gui_.px(kPaletteBoxHeight) + 3 * pad + rows, most);
  const Rect r{std::round((screen.x - w) / 2), top, w, h};
  ImGui::SetNextWindowPos({r.x, r.y});
  ImGui::SetNextWindowSize({r.w, r.h});
  if (!ImGui::BeginPopup(kPalettePopup, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                            ImGuiWindowFlags_NoNav |
                                            ImGuiWindowFlags_NoScrollWithMouse)) {
    if (!opening_) open_ = false;
    if (edit_.id == kPaletteBox && !open_) edit_.id.clear();
    return {};
  }
  gui_.keyboard().push_layer();
  gui_.outline(r, mix(gui_.theme().line, gui_.theme().text, 0.2f), gui_.px(8));
  gui_.control("palette", r);
  find(index);
  walk();
  const Rect box{r.x + pad, r.y + pad, r.w - 2 * pad, gui_.px(kPaletteBoxHeight)};
  BoxLook look;
  look.style = TextStyle::reading;
  look.align = 0;
  look.hint = gui_.words()("Labs, lessons, stops, presets, knobs, papers, actions");
  const EditEvent event = text_box(gui_, edit_, kPaletteBox, box, query_, look);
  if (edit_.id == kPaletteBox) query_ = edit_.buffer;
  if (edit_.id == kPaletteBox && query_.empty()) {
    gui_.text_in(box.x + gui_.px(9), box.y + box.h / 2, box.w - gui_.px(16), look.hint,
                 TextStyle::reading, gui_.theme().faint);
  }
  find(index);
  const float under = box.bottom() + pad;
  std::optional<std::size_t> chosen = list({r.x + pad, under, r.w - 2 * pad, r.bottom() - under});
  if (event == EditEvent::applied && !found_.empty()) chosen = at_;
  const bool enter = edit_.id != kPaletteBox && gui_.keyboard().take(GLFW_KEY_ENTER);
  if (enter && !found_.empty() && !chosen) chosen = at_;
  std::optional<state::Found> result;
  if (chosen) result = found_[*chosen];
  // Ctrl K again closes it, too.
  const bool again = !opening_ && gui_.keyboard().take(GLFW_KEY_K, GLFW_MOD_CONTROL);
  const bool escaped = event == EditEvent::escaped || gui_.keyboard().take(GLFW_KEY_ESCAPE);
  opening_ = false;
  if (result || again || escaped) {
    close();
  } else if (event == EditEvent::applied) {
    open_edit(edit_, kPaletteBox, query_);  // nothing was found: it is typed on
  }
  gui_.keyboard().pop_layer();
  ImGui::EndPopup();
  return result;
}

std::optional<std::size_t> Palette::list(const Rect& r) {
  if (found_.empty()) {
    gui_.paragraph(r.x + gui_.px(6), r.y + gui_.px(4), r.w - gui_.px(12),
                   gui_.words()("Nothing contains all of these words."), TextStyle::body,
                   gui_.theme().dim);
    gui_.control("palette.nothing", r);
    return {};
  }
  ImGui::SetCursorScreenPos({r.x, r.y});
  ImGui::BeginChild("found", {r.w, r.h - gui_.px(6)});
  const float pitch = gui_.px(kPaletteRow), room = ImGui::GetWindowHeight();
  if (std::exchange(moved_, false)) {
    const float y = pitch * static_cast<float>(at_), scroll = ImGui::GetScrollY();
    if (y < scroll) ImGui::SetScrollY(y);
    if (y + pitch > scroll + room) ImGui::SetScrollY(y + pitch - room);
    gui_.wake_in(0);
  }
  std::optional<std::size_t> chosen;
  float y = r.y - ImGui::GetScrollY();
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (const auto hit = row(k, {r.x, y, r.w - gui_.px(4), pitch})) chosen = hit;
    y += pitch;
  }
  extend_content(y);
  ImGui::EndChild();
  return chosen;
}

std::optional<std::size_t> Palette::row(std::size_t k, const Rect& r) {
  const state::Found& one = found_[k];
  const figure::Theme& theme = gui_.theme();
  const std::string id = "palette." + std::to_string(k);
  if (!ImGui::IsRectVisible({r.x, r.y}, {r.right(), r.bottom()})) return {};
  gui_.control(id, r);
  const bool over = ImGui::IsWindowHovered() &&
                    r.contains({ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y});
  const ImVec2 by = ImGui::GetIO().MouseDelta;
  if (over && (by.x != 0 || by.y != 0)) at_ = k;
  if (k == at_) {
    gui_.fill(r, mix(theme.panel, theme.accent, 0.2f), gui_.px(6));
    gui_.control("palette.chosen", r);
  } else if (over) {
    gui_.fill(r, mix(theme.card, theme.text, 0.06f), gui_.px(6));
  }
  const std::string kind = kind_name(one.kind, gui_.words());
  const float x = r.x + gui_.px(10), right = r.right() - gui_.px(10);
  const std::string& tail = one.keys.empty() ? kind : one.keys;
  const TextStyle style = one.keys.empty() ? TextStyle::small : TextStyle::mono_small;
  const bool two = !one.where.empty();
  const float first = two ? r.y + gui_.px(13) : r.y + r.h / 2;
  gui_.text(right, first, tail, style, theme.dim, 1);
  const float room = right - gui_.width(tail, style) - gui_.px(12) - x;
  gui_.text_or_tip(id + ".title", x, first, room, one.title, TextStyle::body, theme.text);
  if (two) {
    gui_.text_or_tip(id + ".where", x, r.y + gui_.px(30), right - x, one.where, TextStyle::small,
                     theme.dim);
  }
  if (over && ImGui::IsMouseClicked(0)) return k;
  return {};
}

}  // namespace ui
