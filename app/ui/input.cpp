#include "app/ui/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <set>

namespace ui {

void InputQueue::button(int button, bool down) {
  InputEvent event{InputEvent::Kind::button};
  event.code = button;
  event.down = down;
  events_.push_back(event);
}

void InputQueue::key(int key, bool down, bool repeat, int mods) {
  InputEvent event{InputEvent::Kind::key};
  event.code = key;
  event.down = down;
  event.repeat = repeat;
  event.mods = mods;
  events_.push_back(event);
}

void InputQueue::character(unsigned code_point) {
  InputEvent event{InputEvent::Kind::character};
  event.code = static_cast<int>(code_point);
  events_.push_back(event);
}

void InputQueue::tap(int code, int mods) {
  key(code, true, false, mods);
  key(code, false, false, mods);
}

void InputQueue::type(const std::string& utf8) {
  const char* at = utf8.data();
  const char* end = at + utf8.size();
  while (at < end) {
    unsigned code_point = 0;
    at += ImTextCharFromUtf8(&code_point, at, end);
    character(code_point);
  }
}

namespace {

// What has already passed in this frame, to decide whether the next event must wait.
struct Passed {
  std::set<int> keys, buttons;
  bool moved = false, wheeled = false, typed = false;

  bool must_wait(const InputEvent& e) const {
    using Kind = InputEvent::Kind;
    switch (e.kind) {
      case Kind::move:
        return !buttons.empty() || wheeled;
      case Kind::button:
        return buttons.contains(e.code) || wheeled;
      case Kind::wheel:
        return moved || !buttons.empty();
      case Kind::key:
        return keys.contains(e.code) || typed;
      case Kind::character:
        return !keys.empty();
    }
    return false;
  }
};

void apply_modifiers(ImGuiIO& io, int mods) {
  io.KeyCtrl = (mods & GLFW_MOD_CONTROL) != 0;
  io.KeyShift = (mods & GLFW_MOD_SHIFT) != 0;
  io.KeyAlt = (mods & GLFW_MOD_ALT) != 0;
  io.KeySuper = (mods & GLFW_MOD_SUPER) != 0;
}

void apply_key(ImGuiIO& io, const InputEvent& e, std::vector<KeyPress>& presses) {
  constexpr int kKeys = IM_ARRAYSIZE(ImGuiIO::KeysDown);
  if (e.code >= 0 && e.code < kKeys && !e.repeat) io.KeysDown[e.code] = e.down;
  apply_modifiers(io, e.mods);
  if (e.down) presses.push_back({e.code, e.mods});
}

}  // namespace

std::vector<KeyPress> InputQueue::feed(ImGuiIO& io) {
  Passed passed;
  std::vector<KeyPress> presses;
  while (!events_.empty() && !passed.must_wait(events_.front())) {
    const InputEvent e = events_.front();
    events_.pop_front();
    switch (e.kind) {
      case InputEvent::Kind::move:
        io.MousePos = ImVec2(e.x, e.y);
        passed.moved = true;
        break;
      case InputEvent::Kind::button:
        if (e.code >= 0 && e.code < ImGuiMouseButton_COUNT) io.MouseDown[e.code] = e.down;
        passed.buttons.insert(e.code);
        break;
      case InputEvent::Kind::wheel:
        io.MouseWheelH += e.x;
        io.MouseWheel += e.y;
        passed.wheeled = true;
        break;
      case InputEvent::Kind::key:
        apply_key(io, e, presses);
        passed.keys.insert(e.code);
        break;
      case InputEvent::Kind::character:
        io.AddInputCharacter(static_cast<unsigned>(e.code));
        passed.typed = true;
        break;
    }
  }
  return presses;
}

void map_keys(ImGuiIO& io) {
  // Tab is the shell's own: it walks over every control and not over text boxes alone.
  io.KeyMap[ImGuiKey_Tab] = -1;
  io.KeyMap[ImGuiKey_LeftArrow] = GLFW_KEY_LEFT;
  io.KeyMap[ImGuiKey_RightArrow] = GLFW_KEY_RIGHT;
  io.KeyMap[ImGuiKey_UpArrow] = GLFW_KEY_UP;
  io.KeyMap[ImGuiKey_DownArrow] = GLFW_KEY_DOWN;
  io.KeyMap[ImGuiKey_PageUp] = GLFW_KEY_PAGE_UP;
  io.KeyMap[ImGuiKey_PageDown] = GLFW_KEY_PAGE_DOWN;
  io.KeyMap[ImGuiKey_Home] = GLFW_KEY_HOME;
  io.KeyMap[ImGuiKey_End] = GLFW_KEY_END;
  io.KeyMap[ImGuiKey_Insert] = GLFW_KEY_INSERT;
  io.KeyMap[ImGuiKey_Delete] = GLFW_KEY_DELETE;
  io.KeyMap[ImGuiKey_Backspace] = GLFW_KEY_BACKSPACE;
  io.KeyMap[ImGuiKey_Space] = GLFW_KEY_SPACE;
  io.KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
  io.KeyMap[ImGuiKey_Escape] = GLFW_KEY_ESCAPE;
  io.KeyMap[ImGuiKey_KeyPadEnter] = GLFW_KEY_KP_ENTER;
  io.KeyMap[ImGuiKey_A] = GLFW_KEY_A;
  io.KeyMap[ImGuiKey_C] = GLFW_KEY_C;
  io.KeyMap[ImGuiKey_V] = GLFW_KEY_V;
  io.KeyMap[ImGuiKey_X] = GLFW_KEY_X;
  io.KeyMap[ImGuiKey_Y] = GLFW_KEY_Y;
  io.KeyMap[ImGuiKey_Z] = GLFW_KEY_Z;
}

}  // namespace ui
