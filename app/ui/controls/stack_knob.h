// The knob of a stack: a card for each item with what it is, its arguments, and buttons that move
// and remove it; below them a button that adds one.
#pragma once

#include <string>

#include "app/param/param.h"
#include "app/state/program.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"

namespace ui {

class StackKnob {
 public:
  // `parameter` is a stack and lives while it is drawn.
  StackKnob(Gui& gui, state::Program& program, TextEdit& edit, const param::Parameter& parameter);

  // Draws from `y` (top) downwards and returns the height. Every change is one step of undo.
  float draw(float x, float y, float w);

 private:
  float item(std::size_t k, const Rect& at);
  void buttons(std::size_t k, float right, float y);
  void operation(std::size_t k, const Rect& rect);
  void entry(std::size_t k, const Rect& rect);
  void argument(std::size_t k, std::size_t a, const Rect& at);
  float add(float x, float y);
  float height_of(std::size_t k) const;
  std::string id_of(std::size_t k, std::string_view part) const;
  void set(const param::StackItems& items, const std::string& gesture = "");
  void set_argument(std::size_t k, std::size_t a, int value, const std::string& gesture);
  void type_argument(std::size_t k, std::size_t a, const Rect& box, const std::string& tooltip);

  Gui& gui_;
  state::Program& program_;
  TextEdit& edit_;
  const param::Stack& stack_;
  const param::StackItems items_;  // as they are when it is drawn
  std::string id_;
};

}  // namespace ui
