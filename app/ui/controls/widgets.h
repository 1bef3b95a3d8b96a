// The controls: buttons, sliders, boxes, choices. Each lies in a rectangle it is given, registers
// that rectangle under its id, takes the keyboard focus, and has a tooltip.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/draw/gui.h"

namespace ui {

// What the pointer or the keyboard does with a control in this frame.
struct Touch {
  bool hovered = false, held = false, focused = false;
  bool pressed = false;    // the mouse went down on it
  bool activated = false;  // clicked, or Enter or Space while focused
};

Touch touch(Gui& gui, const std::string& id, const Rect& rect, const std::string& tooltip = "");

enum class Icon {
  none,
  undo,
  redo,
  sun,
  moon,
  help,
  menu,
  knobs,
  down,
  close,
  more,
  search,
  up,
  to_start,
  step_back,
  play,
  pause,
  step_forward,
  screen
};
void draw_icon(const Gui& gui, Icon icon, float cx, float cy, Rgba color);

struct ButtonLook {
  enum class Kind { plain, accent, ghost };
  Kind kind = Kind::plain;
  Icon icon = Icon::none;
  bool enabled = true;
  bool on = false;  // stays pressed
};

// The width that a button needs for its label.
float button_width(const Gui& gui, const std::string& label, const ButtonLook& look);
bool button(Gui& gui, const std::string& id, const Rect& rect, const std::string& label,
            const ButtonLook& look = {}, const std::string& tooltip = "");

// A line of a menu or of the sidebar's list.
bool menu_item(Gui& gui, const std::string& id, const Rect& rect, const std::string& label,
               const std::string& right = "", bool enabled = true, const std::string& tooltip = "",
               bool marked = false);

// Where the grab stands, 0 to 1; returns where it was moved to. Taken hold of off its middle, the
// grab does not jump.
struct SliderResult {
  std::optional<double> moved_to;  // 0 to 1, by the mouse
  double half_pixel = 0;           // of the mouse, of the same
  int steps = 0;                   // by arrow keys
  bool released = false;
};
SliderResult slider(Gui& gui, const std::string& id, const Rect& rect, double at,
                    const std::string& tooltip);

bool toggle(Gui& gui, const std::string& id, const Rect& rect, bool on, const std::string& tooltip);

// Index of the option chosen now, if any. `ids` name the controls of the segments.
std::optional<int> segments(Gui& gui, const std::vector<std::string>& ids,
                            const std::vector<std::string>& labels, const Rect& rect, int chosen,
                            const std::vector<std::string>& tooltips);
// The width below which the labels would be cut.
float segments_width(const Gui& gui, const std::vector<std::string>& labels);

// The pages of a choice, as tabs from the left of `at` on; they go on in rows below where they have
// no room. Arrow keys go from one to the next.
struct TabsResult {
  std::optional<int> chosen;
  float height = 0;
};
TabsResult tabs(Gui& gui, const std::vector<std::string>& ids,
                const std::vector<std::string>& labels, const Rect& at, int chosen,
                const std::string& tooltip);

// A menu below a control: an ImGui popup that was opened under `popup`'s name. Its items keep the
// keyboard focus among themselves; Escape closes it.
class Menu {
 public:
  // `at`: where its top left corner stands, and how wide it is.
  Menu(Gui& gui, const std::string& popup, const Rect& at);
  ~Menu();
  Menu(const Menu&) = delete;
  Menu& operator=(const Menu&) = delete;
  explicit operator bool() const { return open_; }
  bool item(const std::string& id, const std::string& label, const std::string& right = "",
            bool enabled = true, const std::string& tooltip = "", bool marked = false);
  void heading(const std::string& label);
  // The next `height`, for something else.
  Rect room(float height);

 private:
  Gui& gui_;
  bool open_ = false;
  float width_ = 0;
};

// The frame of a field that opens a list, with the arrow at its right end; `wrong`: red.
void choice_frame(const Gui& gui, const Rect& rect, const Touch& touch, bool wrong = false);

std::optional<int> combo(Gui& gui, const std::string& id, const std::vector<std::string>& ids,
                         const std::vector<std::string>& labels, const Rect& rect, int chosen,
                         const std::string& tooltip);

// Says how far down a scrolled window's content reaches.
void extend_content(float bottom);

// Half a pixel at 100 %: by how much a grab grows under the pointer.
float scale_step(const Gui& gui);

}  // namespace ui
