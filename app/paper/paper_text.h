// Text on paper: Pango shapes it, Cairo draws it. The fonts are the program's own, so that a figure
// looks the same on every machine, whatever is installed there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/paper/style/lettering.h"

typedef struct _cairo cairo_t;

namespace paper {

// Measures and draws in units of 100 %; hinting is off, so a layout does not depend on the
// resolution. Words are set in Inter, numbers in JetBrains Mono, formulas in DejaVu Serif, or all
// of them in a chosen family; what these lack comes from DejaVu Sans (symbols) and Noto Sans CJK
// SC, and what all of the embedded fonts lack (other scripts, emoji) from the installed ones. One
// instance belongs to one thread.
class PaperMeasure final : public figure::TextMeasure {
 public:
  // No text is smaller than `least` units.
  explicit PaperMeasure(float least = 0);
  explicit PaperMeasure(const Lettering& lettering);
  ~PaperMeasure() override;

  // The height is the style's line height times the number of lines, whichever font serves.
  figure::Point size(const std::string& text, figure::TextStyle style) const override;
  // Distance from the top of a line to its baseline, and the size of its letters.
  float ascent(figure::TextStyle style) const;
  float font_size(figure::TextStyle style) const;
  const Lettering& lettering() const;

  // Draws with the current colour; `at` is the top left corner, before any rotation of `cairo`. As
  // `outlines`, glyphs stand where they were measured; as text they are selectable in a PDF, but
  // Cairo 1.16 moves each to a whole pixel of an image.
  void draw(cairo_t* cairo, const std::string& text, figure::TextStyle style, figure::Point at,
            bool outlines) const;

  // The text in lines that are no wider than `width`, broken where its language allows.
  std::vector<std::string> wrap(const std::string& text, figure::TextStyle style,
                                float width) const;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace paper
