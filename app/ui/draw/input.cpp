#include "app/ui/draw/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <set>

#include "app/ui/draw/imgui_versions.h"

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

// Keys that do something in a text box. The others only come along with their characters, which
// must not wait for them.
bool acts_in_text(const InputEvent& e) {
  constexpr int kCommand = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
  return e.code >= GLFW_KEY_ESCAPE || (e.mods & kCommand) != 0;
}

bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

// What has already passed in this frame, to decide whether the next event must wait.
struct Passed {
  std::set<int> keys, modifiers, buttons;
  bool moved = false, wheeled = false, typed = false;

  bool must_wait(const InputEvent& e) const {
    using Kind = InputEvent::Kind;
    switch (e.kind) {
      case Kind::move: return !buttons.empty() || wheeled;
      case Kind::button: return buttons.contains(e.code) || wheeled;
      case Kind::wheel: return moved || !buttons.empty();
      case Kind::key:
        // A command keeps its modifiers for the whole frame, whichever key is let go first.
        if (is_modifier(e.code)) {
          return modifiers.contains(e.code) || !keys.empty() || typed || wheeled;
        }
        return keys.contains(e.code) || (acts_in_text(e) && typed);
      case Kind::character: return !keys.empty();
    }
    return false;
  }

  void key(const InputEvent& e) {
    if (is_modifier(e.code)) {
      modifiers.insert(e.code);
    } else if (acts_in_text(e)) {
      keys.insert(e.code);
    }
  }
};

// The modifiers of a release are those from before it, so only a press is asked for its own; else
// what counts is which modifier keys are down.
void apply_modifiers(ImGuiIO& io, const InputEvent& e) {
  const auto held = [&](int left, int right, int mod) {
    return io.KeysDown[left] || io.KeysDown[right] || (e.down && (e.mods & mod) != 0);
  };
  io.KeyCtrl = held(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL);
  io.KeyShift = held(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT);
  io.KeyAlt = held(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT);
  io.KeySuper = held(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER, GLFW_MOD_SUPER);
}

void apply_key(ImGuiIO& io, const InputEvent& e, std::vector<KeyPress>& presses) {
  constexpr int kKeys = IM_ARRAYSIZE(ImGuiIO::KeysDown);
  if (e.code >= 0 && e.code < kKeys && !e.repeat) io.KeysDown[e.code] = e.down;
  apply_modifiers(io, e);
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
        ++count_.wheels;
        break;
      case InputEvent::Kind::key:
        apply_key(io, e, presses);
        if (e.down && !e.repeat) ++count_.keys;
        passed.key(e);
        break;
      case InputEvent::Kind::character:
        io.AddInputCharacter(static_cast<unsigned>(e.code));
        passed.typed = true;
        ++count_.characters;
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
  io.KeyMap[kKeypadEnter] = GLFW_KEY_KP_ENTER;
  io.KeyMap[ImGuiKey_A] = GLFW_KEY_A;
  io.KeyMap[ImGuiKey_C] = GLFW_KEY_C;
  io.KeyMap[ImGuiKey_V] = GLFW_KEY_V;
  io.KeyMap[ImGuiKey_X] = GLFW_KEY_X;
  io.KeyMap[ImGuiKey_Y] = GLFW_KEY_Y;
  io.KeyMap[ImGuiKey_Z] = GLFW_KEY_Z;
}

}  // namespace ui
