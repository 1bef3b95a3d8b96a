// A drawing by itself as a picture: no sheet, no session.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figure/drawing.h"
#include "app/paper/paper_text.h"

namespace paper {

// Red, green, blue and opacity (straight, 0 to 255), row by row from the top.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

// `drawing.bounds` at so many pixels a unit, on no ground, its texts as `measure` has them.
Picture picture(const figure::Drawing& drawing, double scale,
                const PaperMeasure& measure = PaperMeasure());
// The same as a file's bytes: .png, and .svg, where a unit is a pixel.
std::string picture_png(const figure::Drawing& drawing, double scale);
std::string picture_svg(const figure::Drawing& drawing);

}  // namespace paper
