// The sentence for the person, for a while at the bottom of the page.
#pragma once

#include <deque>

#include "app/state/program.h"
#include "app/ui/controls/widgets.h"

namespace ui {

class Toast {
 public:
  // Both outlive it.
  Toast(state::Program& program, Gui& gui) : program_(program), gui_(gui) {}

  void draw(const Rect& page);
  // The last few, the newest last.
  const std::deque<state::Message>& said() const { return said_; }

 private:
  void note();

  state::Program& program_;
  Gui& gui_;
  std::deque<state::Message> said_;
  long seen_ = 0;
  double since_ = 0;
};

}  // namespace ui
