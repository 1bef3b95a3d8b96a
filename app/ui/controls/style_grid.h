// How a figure looks: a control for each parameter of paper::Style.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/paper/style/style.h"
#include "app/ui/controls/text_box.h"
#include "app/ui/draw/gui.h"

namespace ui {

class StyleGrid {
 public:
  StyleGrid(Gui& gui, TextEdit& edit) : gui_(gui), edit_(edit) {}

  // Draws the parameters of a group from `r`'s left to its right, from `y` downwards, and sets what
  // is chosen. Returns where they end.
  float draw(const Rect& r, float y, std::string_view group, paper::Style& style);
  // The same for parameters by their ids, two in a row; the controls are called `prefix` and these.
  float draw(const Rect& r, float y, std::span<const std::string_view> ids,
             const std::string& prefix, paper::Style& style);
  // Why a text or a choice is refused, in the reader's language; empty: none is.
  const std::string& fault() const { return fault_; }
  // Nothing is refused any longer.
  void forget() { wrong_.clear(), fault_.clear(); }
  // The next place of the same size, for a control of another kind.
  Rect next_place(const Rect& r) const;

 private:
  Rect place(const Rect& r, float y, std::size_t k) const;
  void control(const param::Parameter& parameter, const Rect& at, paper::Style& style);
  float end(float y, std::size_t count);
  // Sets a parameter of the style from text, if all of it is good then; else keeps why not.
  void take(std::string_view parameter, const std::string& text, const std::string& id,
            paper::Style& style);
  void family(const std::string& id, const Rect& at, const std::string& tip, paper::Style& style);
  void typed(const param::Parameter& parameter, const std::string& id, const Rect& at,
             const std::string& tip, paper::Style& style);

  Gui& gui_;
  TextEdit& edit_;
  std::string wrong_, fault_;          // the control of what is refused, and why
  std::vector<std::string> families_;  // found when they are first shown
  std::string prefix_;                 // of the controls' names
  std::size_t columns_ = 0;
  float last_y_ = 0;
  std::size_t last_count_ = 0;
};

}  // namespace ui
