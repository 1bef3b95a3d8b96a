#include "app/ui/draw/input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <limits>

#include "app/ui/draw/imgui_versions.h"

namespace ui {

void InputQueue::button(int button, bool down, std::optional<InputTime> at) {
  InputEvent event{InputEvent::Kind::button};
  event.code = button;
  event.down = down;
  event.at = at;
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
Modifiers modifiers(const std::set<int>& held, const InputEvent& e) {
  const auto holds = [&](int left, int right, int mod) {
    return held.contains(left) || held.contains(right) || (e.down && (e.mods & mod) != 0);
  };
  return {.control = holds(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL),
          .shift = holds(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT),
          .alt = holds(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT),
          .super = holds(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER, GLFW_MOD_SUPER)};
}

}  // namespace

void InputQueue::apply_key(ImGuiIO& io, const InputEvent& e) {
  if (!e.repeat) {
    set_key(io, e.code, e.down);
    if (is_modifier(e.code) && e.down) held_.insert(e.code);
    if (!e.down) held_.erase(e.code);
  }
  set_modifiers(io, modifiers(held_, e));
  if (e.down && !e.repeat) ++count_.keys;
}

// ImGui compares its own time of the frames with io.MouseDoubleClickTime, and then the places.
void InputQueue::apply_button(ImGuiIO& io, const InputEvent& e) {
  constexpr auto kDoubleClick = std::chrono::milliseconds(300);
  if (e.code < 0 || e.code >= ImGuiMouseButton_COUNT) return;
  io.MouseDown[e.code] = e.down;
  if (!e.down || !e.at) return;
  const auto last = pressed_.find(e.code);
  const bool soon = last != pressed_.end() && *e.at - last->second < kDoubleClick;
  io.MouseDoubleClickTime = soon ? std::numeric_limits<float>::max() : 0;
  pressed_[e.code] = *e.at;
}

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
        apply_button(io, e);
        passed.buttons.insert(e.code);
        break;
      case InputEvent::Kind::wheel:
        io.MouseWheelH += e.x;
        io.MouseWheel += e.y;
        passed.wheeled = true;
        ++count_.wheels;
        break;
      case InputEvent::Kind::key:
        apply_key(io, e);
        if (e.down) presses.push_back({e.code, e.mods});
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

}  // namespace ui
