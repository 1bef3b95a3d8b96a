// Input as a queue of events that is fed to ImGui frame by frame. ImGui looks at the state of
// the keys once a frame: a press and its release between two frames would be lost, and so would
// the order of a click and the move after it. So at most one change of each key or button is let
// through a frame, and what comes later waits for the next.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

struct ImGuiIO;

namespace ui {

// A key as GLFW names it (GLFW_KEY_*), with its modifiers (GLFW_MOD_*).
struct KeyPress {
  int key = 0;
  int mods = 0;
};

using InputTime = std::chrono::steady_clock::time_point;

struct InputEvent {
  enum class Kind { move, button, wheel, key, character };
  Kind kind = Kind::move;
  float x = 0, y = 0;                // move: window pixels; wheel: notches
  int code = 0;                      // button, key or code point
  bool down = false;                 // button, key
  bool repeat = false;               // key
  int mods = 0;                      // key
  std::optional<InputTime> at = {};  // button
};

// Number of inputs passed on so far.
struct InputCount {
  long keys = 0;  // presses, without repeats
  long wheels = 0;
  long characters = 0;
};

class InputQueue {
 public:
  void move(float x, float y) { events_.push_back({InputEvent::Kind::move, x, y}); }
  // `at` is when it happened: two presses are a double click by it, however slow the frames are.
  // Without it ImGui counts the time of its frames.
  void button(int button, bool down, std::optional<InputTime> at = {});
  void wheel(float x, float y) { events_.push_back({InputEvent::Kind::wheel, x, y}); }
  void key(int key, bool down, bool repeat, int mods);
  void character(unsigned code_point);
  // Press and release at once.
  void tap(int key, int mods = 0);
  void type(const std::string& utf8);

  // Passes one frame's share on. Presses (with repeats) are also returned, in order.
  std::vector<KeyPress> feed(ImGuiIO& io);
  bool empty() const { return events_.empty(); }
  const InputCount& count() const { return count_; }

 private:
  void apply_key(ImGuiIO& io, const InputEvent& e);
  void apply_button(ImGuiIO& io, const InputEvent& e);

  InputCount count_;
  std::set<int> held_;                // the modifiers
  std::map<int, InputTime> pressed_;  // when each button was last
  std::deque<InputEvent> events_;
};

}  // namespace ui
