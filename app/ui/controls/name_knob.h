// The knob of a name: a field that opens a list of the names there are, with a box to search them
// where they are many. A name that is not there is marked, and what there is is said.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/state/program.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/controls/widgets.h"
#include "app/ui/draw/gui.h"

namespace ui {

class NameKnob {
 public:
  NameKnob(Gui& gui, state::Program& program, TextEdit& edit)
      : gui_(gui), program_(program), edit_(edit) {}

  // Draws the knob of a parameter that is a name, and its list while that is open; the height.
  float draw(const param::Parameter& parameter, float x, float y, float w,
             const std::string& tooltip);

 private:
  float field(const param::Parameter& parameter, const Rect& rect, const std::string& tooltip);
  void open(const param::Name& name);
  void list(const param::Parameter& parameter, const Rect& field);
  void search_box(const param::Name& name, const std::string& box, Menu& menu);
  void find(const param::Name& name);
  void walk(std::size_t rows);
  void rows(const param::Name& name, const std::string& id, std::size_t rows, Menu& menu);
  void choose(const param::Name& name, std::size_t k);

  Gui& gui_;
  state::Program& program_;
  TextEdit& edit_;
  // The parameter whose list is open; only one is.
  std::string of_;  // the parameter
  std::string query_;
  param::Names searched_;
  std::vector<std::size_t> found_;  // the names that have what was typed
  std::size_t at_ = 0, first_ = 0;  // of those: the one that Enter takes, the first in view
  float widest_ = 0;                // of the names
  float wheel_ = 0;                 // turned and not yet a row
};

}  // namespace ui
