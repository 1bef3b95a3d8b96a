// What is held, as chips over the figures: which one is compared, its name, and how heatmaps show
// it. Takes no room while nothing is held.
#pragma once

#include <string>
#include <vector>

#include "app/state/program.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"

namespace ui {

class HoldStrip {
 public:
  HoldStrip(state::Program& program, Gui& gui, TextEdit& edit)
      : program_(program), gui_(gui), edit_(edit) {}

  // Draws it from `y` on in a column; returns where what follows begins.
  float draw(float x, float y, float w);
  // Names that were typed may hold new characters.
  void need_fonts(Fonts& fonts) const;

 private:
  struct Key {
    param::Values values;
    session::Holds holds;
    std::string lab;
    words::Language language = words::Language::en;
  };
  void reveal();  // the labels anew, if something changed
  std::string label_of(std::size_t k) const;
  float chip_width(std::size_t k, float most) const;
  void chip(std::size_t k, const Rect& rect);
  void begin_naming(std::size_t k, const Rect& at);
  bool naming(std::size_t k, const Rect& rect);
  void menu(std::size_t k, const Rect& below);
  float cells(float x, float at, float y, float w);
  bool has_cells();

  state::Program& program_;
  Gui& gui_;
  TextEdit& edit_;
  Key key_;
  std::vector<std::string> differs_;  // of each, the knobs that stood otherwise
};

}  // namespace ui
