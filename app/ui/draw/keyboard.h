// The keys pressed in this frame, and which control has the focus of the keyboard.
#pragma once

#include <string>
#include <vector>

#include "app/ui/draw/input.h"

namespace ui {

class Keyboard {
 public:
  // Moves the focus as Tab asked.
  void begin_frame(std::vector<KeyPress> keys);

  // True once when this key was pressed this frame with just these modifiers; takes it away.
  bool take(int key, int mods = 0);
  // True while a text box has the plain keys.
  bool typing() const { return typing_; }
  void set_typing() { typing_ = true; }

  // Registers a control for Tab, in the order of drawing, and says whether it can be reached now.
  bool focusable(const std::string& id);
  // False while a menu or a dialog lies over it, which has the keys.
  bool has_focus(const std::string& id) const { return focus_ == id && layer_ == top_layer_; }
  const std::string& focused() const { return focus_; }
  void focus(const std::string& id, bool by_keyboard);
  bool ring_visible() const { return ring_; }
  // Space then presses what was walked to by keys alone, not what was clicked before: it is a
  // lesson's, which goes on.
  void keep_space(bool kept) { space_kept_ = kept; }
  bool take_space();
  // True in the frame after Tab moved the focus here, for scrolling it into view.
  bool just_tabbed_to(const std::string& id) const { return focus_moved_ && focus_ == id; }
  // True in the frame after Tab moved the focus away: a text box here is left.
  bool just_tabbed_from(const std::string& id) const { return focus_moved_ && focus_ != id; }
  // Inside of a menu or a dialog only its own controls take the focus.
  void push_layer();
  void pop_layer() { --layer_; }

 private:
  void walk_focus();

  std::vector<KeyPress> keys_;
  bool typing_ = false, space_kept_ = false;
  std::string focus_;
  bool ring_ = false, focus_moved_ = false;
  int layer_ = 0, top_layer_ = 0, seen_layer_ = 0;
  std::vector<std::string> order_;
};

}  // namespace ui
