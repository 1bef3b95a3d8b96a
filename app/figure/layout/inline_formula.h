// Formulas in the texts of figures on paper: what stands between two kFormulaSign.
#pragma once

#include <string>

#include "app/figure/layout/pen.h"

namespace figure::parts {

// Whether the text has a formula and PaperLook says how large these are.
bool has_formula(const std::string& text, const Pen& pen);

// The size of such a text on one line, and how it is drawn.
Point formula_text_size(const std::string& text, TextStyle style, const Pen& pen);
void draw_formula_text(const draw::Text& text, const Pen& pen);

}  // namespace figure::parts
