// The boxes that are typed into: one line for exact values and searches, several for texts.
#pragma once

#include <string>

#include "app/ui/draw/gui.h"

namespace ui {

// What is being typed; one box at a time.
struct TextEdit {
  std::string id;      // of the box, empty when none is open
  std::string buffer;  // what stands in it
  bool asked = false;  // it is to take the keyboard, and has not yet

  // The last text that was broken into lines: breaking a megabyte anew every frame would be felt.
  struct Broken {
    std::string plain, lines;
    float room = -1;
    long fonts = -1;
  } broken;
};

enum class EditEvent {
  none,
  changed,  // edit.buffer differs from the frame before
  applied,  // Enter
  left,     // the box was left for another control
  escaped,  // Escape: the old value holds
};

struct BoxLook {
  TextStyle style = TextStyle::mono;
  float align = 1;     // of the text while nobody types
  bool wrong = false;  // red border
  std::string hint;    // shown while empty
  std::string face;    // shown while nobody types; empty: the value itself
};

// Shows `shown`; a click, or Enter or a character while it has the focus, opens it for typing.
EditEvent text_box(Gui& gui, TextEdit& edit, const std::string& id, const Rect& rect,
                   const std::string& shown, const BoxLook& look, const std::string& tooltip = "");

// Several lines; long ones are broken by the box and come back unbroken. Enter applies.
EditEvent text_area(Gui& gui, TextEdit& edit, const std::string& id, const Rect& rect,
                    const std::string& shown, const BoxLook& look, const std::string& tooltip = "");
// The height that a text needs, from two lines to `most`.
float text_area_height(const Gui& gui, const std::string& shown, float width, int most);

// Opens a box for typing, as a click would; text_box takes over in the same frame.
void open_edit(TextEdit& edit, const std::string& id, const std::string& text);

// Breaks a text for a box `room` wide with marked line ends, and takes these out again. A byte
// offset (the cursor's) is carried along.
std::string soft_break(const Gui& gui, const std::string& plain, TextStyle style, float room,
                       int* cursor = nullptr);
std::string soft_join(const std::string& broken, int* cursor = nullptr);

}  // namespace ui
