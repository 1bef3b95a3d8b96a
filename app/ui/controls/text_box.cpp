#include "app/ui/controls/text_box.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/ui/controls/widgets.h"
#include "app/ui/draw/imgui_versions.h"

namespace ui {

namespace {

constexpr TextStyle kAreaStyle = TextStyle::body;
const std::string kBreak = std::string(kSoftBreak) + "\n";

struct InputColors {
  explicit InputColors(const Gui& gui, TextStyle style) {
    push_font(*gui.fonts()[style]);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(0, 0, 0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0.0f);
  }
  ~InputColors() {
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    ImGui::PopFont();
  }
  InputColors(const InputColors&) = delete;
  InputColors& operator=(const InputColors&) = delete;
};

void draw_frame(const Gui& gui, const Rect& rect, bool wrong, bool typing) {
  const figure::Theme& theme = gui.theme();
  gui.fill(rect, theme.window, gui.px(6));
  const Rgba border = wrong    ? theme.bad
                      : typing ? theme.accent
                               : mix(theme.line, theme.text, 0.06f);
  gui.outline(rect, border, gui.px(6), wrong || typing ? std::max(1.0f, gui.scale()) : 1.0f);
}

// How the typing ended, when it did in this frame.
EditEvent ending(Gui& gui, bool entered, bool still_active) {
  if (entered) return EditEvent::applied;
  if (still_active) return EditEvent::none;
  return gui.keyboard().take(GLFW_KEY_ESCAPE) ? EditEvent::escaped : EditEvent::left;
}

struct AreaShape {
  const Gui* gui;
  float room;
};

// Breaks the lines anew after every change.
int rebreak(ImGuiInputTextCallbackData* data) {
  const auto& shape = *static_cast<const AreaShape*>(data->UserData);
  int cursor = data->CursorPos;
  const std::string before(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const std::string plain = soft_join(before, &cursor);
  const std::string broken = soft_break(*shape.gui, plain, kAreaStyle, shape.room, &cursor);
  if (broken == before) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, broken.data(), broken.data() + broken.size());
  data->CursorPos = data->SelectionStart = data->SelectionEnd = cursor;
  return 0;
}

float area_room(const Gui& gui, float width) {
  return width - 2 * gui.px(8) - ImGui::GetStyle().ScrollbarSize - gui.px(2);
}

std::string remembered_break(const Gui& gui, TextEdit& edit, const std::string& plain, float room) {
  TextEdit::Broken& kept = edit.broken;
  const long fonts = gui.fonts().version();
  if (kept.room != room || kept.fonts != fonts || kept.plain != plain) {
    kept = {plain, soft_break(gui, plain, kAreaStyle, room), room, fonts};
  }
  return kept.lines;
}

std::string typed_now() {
  std::string text;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
    char utf8[5];
    ImTextCharToUtf8(utf8, c);
    text += utf8;
  }
  return text;
}

bool wants_typing(const Touch& t) {
  if (t.activated) return true;
  const ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  return t.focused && !ImGui::GetIO().WantTextInput && !typed.empty() && typed[0] > ' ';
}

}  // namespace

void open_edit(TextEdit& edit, const std::string& id, const std::string& text) {
  edit.id = id;
  edit.buffer = text;
  edit.asked = true;
}

EditEvent text_box(Gui& gui, TextEdit& edit, const std::string& id, const Rect& rect,
                   const std::string& shown, const BoxLook& look, const std::string& tooltip) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const std::string input = "##" + id + ".input";
  const ImGuiID input_id = window->GetID(input.c_str());
  const figure::Theme& theme = gui.theme();
  const float cy = rect.y + rect.h / 2, pad = gui.px(8);
  if (edit.id == id && gui.keyboard().just_tabbed_from(id)) {
    edit.id.clear();
    return EditEvent::left;
  }
  if (edit.id == id && !edit.asked && ImGui::GetActiveID() != input_id) {
    // Something that was drawn before it took the mouse: the click is that one's.
    edit.id.clear();
    return EditEvent::left;
  }
  bool opening = edit.id == id && edit.asked, typed_open = false;
  if (edit.id != id) {
    const Touch t = touch(gui, id, rect, tooltip);
    draw_frame(gui, rect, look.wrong, false);
    if (t.focused && gui.keyboard().ring_visible()) gui.ring(rect, gui.px(6));
    if (wants_typing(t)) {
      // While it opens, ImGui's box reads no characters: the first ones are put in here.
      open_edit(edit, id, t.activated ? shown : typed_now());
      opening = true;
      typed_open = !t.activated;
    } else {
      const bool empty = shown.empty();
      const Rgba ink = empty ? theme.faint : theme.text;
      const std::string& face = empty ? look.hint : look.face.empty() ? shown : look.face;
      const float x = rect.x + pad + (rect.w - 2 * pad) * look.align;
      gui.text_in(x, cy, rect.w - 2 * pad + gui.px(4), face, look.style, ink, look.align);
      return EditEvent::none;
    }
  }
  gui.control(id, rect);
  gui.keyboard().focusable(id);
  gui.keyboard().set_typing();
  draw_frame(gui, rect, look.wrong, true);
  const InputColors colors(gui, look.style);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(pad, std::round((rect.h - gui.line(look.style)) / 2)));
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::SetNextItemWidth(rect.w);
  if (opening) activate_now(input_id);
  const std::string before = edit.buffer;
  const bool entered =
      ImGui::InputText(input.c_str(), &edit.buffer,
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_NoUndoRedo);
  ImGui::PopStyleVar();
  edit.asked = false;
  // What was typed to open the box stays when typing goes on.
  if (ImGuiInputTextState* state = ImGui::GetInputTextState(input_id); state && typed_open) {
    state->ClearSelection();
  }
  const EditEvent end = ending(gui, entered, ImGui::GetActiveID() == input_id);
  if (end == EditEvent::applied)
    gui.keyboard().take(GLFW_KEY_ENTER), gui.keyboard().take(GLFW_KEY_KP_ENTER);
  if (end != EditEvent::none) {
    edit.id.clear();
    return end;
  }
  return edit.buffer == before ? EditEvent::none : EditEvent::changed;
}

float text_area_height(const Gui& gui, const std::string& shown, float width, int most) {
  // The box shows the first lines of a very long text; counting the rest would be for nothing.
  const std::string head = shown.substr(0, 4000);
  const std::string broken = soft_break(gui, head, kAreaStyle, area_room(gui, width));
  const auto lines = static_cast<int>(std::count(broken.begin(), broken.end(), '\n')) + 1;
  return gui.line(kAreaStyle) * static_cast<float>(std::clamp(lines, 2, most)) + 2 * gui.px(7);
}

EditEvent text_area(Gui& gui, TextEdit& edit, const std::string& id, const Rect& rect,
                    const std::string& shown, const BoxLook& look, const std::string& tooltip) {
  gui.control(id, rect);
  const bool focused = gui.keyboard().focusable(id);
  const std::string input = "##" + id + ".input";
  const ImGuiID input_id = ImGui::GetCurrentWindow()->GetID(input.c_str());
  const AreaShape shape{&gui, area_room(gui, rect.w)};
  const bool open = edit.id == id;
  draw_frame(gui, rect, look.wrong, open);
  // The ImGui box holds the broken text; `edit.buffer` is always the plain one.
  std::string broken = remembered_break(gui, edit, open ? edit.buffer : shown, shape.room);
  const bool by_key = focused && !open &&
                      (gui.keyboard().just_tabbed_to(id) || gui.keyboard().take(GLFW_KEY_ENTER));
  if (by_key) activate_now(input_id);
  bool entered = false;
  {
    const InputColors colors(gui, kAreaStyle);
    ImGui::PushStyleColor(ImGuiCol_Text, to_vec(gui.theme().text));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(gui.px(8), gui.px(7)));
    ImGui::SetCursorScreenPos({rect.x, rect.y});
    entered = ImGui::InputTextMultiline(
        input.c_str(), &broken, {rect.w, rect.h},
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CtrlEnterForNewLine |
            ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackEdit,
        rebreak, const_cast<AreaShape*>(&shape));
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
  }
  if (ImGui::IsItemHovered() && !open) gui.tooltip(id, tooltip);
  if (!open && shown.empty() && !look.hint.empty()) {
    ImGui::PushClipRect({rect.x, rect.y}, {rect.x + rect.w, rect.y + rect.h}, true);
    std::istringstream lines(soft_break(gui, look.hint, kAreaStyle, shape.room));
    float y = rect.y + gui.px(7) + gui.line(kAreaStyle) / 2;
    for (std::string line; std::getline(lines, line); y += gui.line(kAreaStyle)) {
      gui.text_in(rect.x + gui.px(8), y, rect.w, line, kAreaStyle, gui.theme().faint);
    }
    ImGui::PopClipRect();
  }
  const bool active = ImGui::GetActiveID() == input_id;
  if (active) gui.keyboard().set_typing();
  const std::string plain = soft_join(broken);
  if (active && !open) {
    open_edit(edit, id, plain);
    gui.keyboard().focus(id, by_key);
    return plain == shown ? EditEvent::none : EditEvent::changed;
  }
  if (!open) return EditEvent::none;
  const bool changed = plain != edit.buffer;
  edit.buffer = plain;
  const EditEvent end = ending(gui, entered, active);
  if (end == EditEvent::applied)
    gui.keyboard().take(GLFW_KEY_ENTER), gui.keyboard().take(GLFW_KEY_KP_ENTER);
  if (end != EditEvent::none) {
    edit.id.clear();
    return end;
  }
  return changed ? EditEvent::changed : EditEvent::none;
}

// Soft line ends ---------------------------------------------------------------------------------

std::string soft_break(const Gui& gui, const std::string& plain, TextStyle style, float room,
                       int* cursor) {
  ImFont& font = *gui.fonts()[style];
  const int wanted = cursor ? *cursor : -1;
  int carried = wanted;
  std::string out;
  std::size_t line = 0, last = 0;  // where the line began and may be broken, in `out`
  float used = 0, used_at_last = 0;
  const char* at = plain.data();
  const char* end = at + plain.size();
  while (at < end) {
    unsigned c = 0;
    const int bytes = std::max(1, ImTextCharFromUtf8(&c, at, end));
    const float advance = advance_of(font, c > 0xFFFF ? '?' : c);
    if (c != '\n' && c != ' ' && used + advance > room && out.size() > line) {
      const std::size_t where = last > line ? last : out.size();
      out.insert(where, kBreak);
      // A cursor that stands at the break stays at the end of the line before it.
      if (carried > static_cast<int>(where)) carried += static_cast<int>(kBreak.size());
      used = last > line ? used - used_at_last : 0;
      line = where + kBreak.size();
      last = line;
      used_at_last = 0;
    }
    out.append(at, static_cast<std::size_t>(bytes));
    at += bytes;
    used += advance;
    if (c == '\n') line = last = out.size(), used = used_at_last = 0;
    if (c == ' ' || c >= 0x2E80) last = out.size(), used_at_last = used;
  }
  if (cursor) *cursor = std::clamp(carried, 0, static_cast<int>(out.size()));
  return out;
}

std::string soft_join(const std::string& broken, int* cursor) {
  std::string out;
  int carried = cursor ? *cursor : 0;
  for (std::size_t i = 0; i < broken.size();) {
    const std::size_t mark = std::string_view(kSoftBreak).size();
    std::size_t skip = 0;
    if (broken.compare(i, mark, kSoftBreak) == 0) {
      skip = mark + (i + mark < broken.size() && broken[i + mark] == '\n' ? 1 : 0);
    }
    if (skip == 0) {
      out += broken[i++];
      continue;
    }
    if (cursor && *cursor > static_cast<int>(i)) {
      carried -= std::min(static_cast<int>(skip), *cursor - static_cast<int>(i));
    }
    i += skip;
  }
  if (cursor) *cursor = carried;
  return out;
}

}  // namespace ui
