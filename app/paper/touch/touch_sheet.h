// A sheet as SVG that follows the reader's theme.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/paper/sheet.h"

namespace paper {

// Each color as it is in the light and in the dark theme: a variable of the page's style.
class TouchPalette {
 public:
  // An opaque color that painters take along, from which `index` finds the pair again.
  figure::Rgba code(figure::Rgba light, figure::Rgba dark);
  struct Pair {
    figure::Rgba light, dark;
  };
  const std::vector<Pair>& pairs() const { return pairs_; }
  // "--c0:#rrggbbaa;--c1:...".
  std::string style(bool dark) const;

 private:
  std::vector<Pair> pairs_;
  std::map<std::string, std::size_t> found_;
};

// What the page itself fills with cells: a heatmap or the colors of a bar.
struct TouchImage {
  const figure::draw::Cells* cells = nullptr;  // null: a bar
  const figure::ValueColors *light = nullptr, *dark = nullptr;
  core::Region region = {};  // in pooled cells
  int drawing = 0;           // of the sheet
};

struct TouchInk {
  // In order; all together are elements of an SVG. Texts alone may stand between tags.
  std::vector<std::string> pieces;
  std::vector<TouchImage> images;  // by the number in data-m
};

// Paints a sheet that was laid out in both themes. A figure's elements stand in a group with its
// id; `ids` are those of the sheet's drawings, empty for captions. Both sheets outlive the images.
TouchInk touch_ink(const Sheet& light, const Sheet& dark, const std::vector<std::string>& ids,
                   const PaperMeasure& measure, TouchPalette& palette);

// The style of the classes that texts have instead of fonts.
std::string touch_fonts(const PaperMeasure& measure);

// Escaped for an attribute's value in quotes.
std::string attribute_escape(const std::string& text);

}  // namespace paper
