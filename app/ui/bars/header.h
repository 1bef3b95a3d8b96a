// The lab's title, and the buttons for what concerns the whole page.
#pragma once

#include "app/ui/bars/arrangement.h"
#include "app/ui/controls/dialogs.h"

namespace ui {

class Header {
 public:
  // All outlive it.
  Header(state::Program& program, Gui& gui, Dialogs& dialogs, PageView& page,
         Arrangement& arrangement)
      : program_(program),
        gui_(gui),
        dialogs_(dialogs),
        page_view_(page),
        arrangement_(arrangement) {}

  void draw(const Rect& r);
  // Draws the header over a single figure: the way back, the question, and the knobs.
  void draw_alone(const Rect& r);

 private:
  void written_items(Menu& menu);
  void menus(const Rect& presets, const Rect& exports, const Rect& more, const Rect& scale);

  state::Program& program_;
  Gui& gui_;
  Dialogs& dialogs_;
  PageView& page_view_;
  Arrangement& arrangement_;
};

}  // namespace ui
