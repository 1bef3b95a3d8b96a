// A figure for TeX: its drawing as a PDF without text, and its text as TeX over it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/paper/sheet.h"

namespace paper {

// Takes the texts out of a sheet's drawings. They come back in the order in which they lie.
std::vector<figure::draw::Text> take_texts(Sheet& sheet);

// A picture environment that \includegraphics `pdf`, of the same folder, and puts the texts over
// it; `points` a unit. It is \input where the figure is to stand and needs graphicx and color;
// what is not Latin, Greek or a sign of mathematics needs XeLaTeX or LuaLaTeX with a font that has
// it. With \def\attnscopewidth{...} before it the whole is as wide as that.
std::string tex_picture(const Sheet& sheet, const std::vector<figure::draw::Text>& texts,
                        double points, const std::string& pdf, const PaperMeasure& measure);

// A text with what TeX takes for commands escaped, and signs and Greek letters as mathematics.
std::string tex_escape(const std::string& text);

// The PDF that belongs to a .tex. Throws core::InputError for a name that TeX would read otherwise.
std::filesystem::path pdf_beside(const std::filesystem::path& tex);

}  // namespace paper
