// The texts of drawings as <text> elements of an SVG.
#pragma once

#include <string>
#include <string_view>

#include "app/figure/drawing.h"
#include "app/paper/paper_text.h"

namespace paper {

// Every text of a drawing that is at least partly seen, `scale` SVG units a unit, moved by
// `-origin` before that. All else is left out.
std::string svg_texts(const figure::Drawing& drawing, const PaperMeasure& measure, double scale,
                      figure::Point origin);

// The drawing without its texts.
figure::Drawing without_texts(const figure::Drawing& drawing);

// Escaped for XML.
std::string xml_escape(std::string_view text);

}  // namespace paper
