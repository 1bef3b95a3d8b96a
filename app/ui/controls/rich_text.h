// Sentences with strong words and words that stand for something, broken into lines.
#pragma once

#include <optional>
#include <vector>

#include "app/lesson/text/text.h"
#include "app/ui/draw/gui.h"

namespace ui {

struct RichLook {
  TextStyle style = TextStyle::reading, strong = TextStyle::panel;
  Rgba ink;
  float pitch = 1.4f;  // of a line, in font sizes
};

// The height of a line.
float rich_pitch(const Gui& gui, const RichLook& look);
// Draws it from `y` (top) downwards; returns its height. `pointed` becomes what the word under the
// pointer stands for; words that stand for one of `lit` are lit.
float rich_paragraph(Gui& gui, float x, float y, float room,
                     const std::vector<lesson::TextRun>& text, const RichLook& look,
                     std::optional<lesson::Reference>* pointed = nullptr,
                     const std::vector<lesson::Reference>* lit = nullptr);

}  // namespace ui
