// What an SVG is written with: numbers, colours, texts.
#pragma once

#include <string>
#include <string_view>

#include "app/figure/drawing.h"
#include "app/paper/paper_text.h"

namespace paper {

// Up to three decimals, without those that are 0.
std::string svg_number(double value);

// The attributes that make `name` ("fill" or "stroke") of this colour, with a space before each.
std::string svg_color(const char* name, figure::Rgba color);

// A <text> element, `scale` SVG units a unit, moved by `-origin` before that.
std::string svg_text(const figure::draw::Text& text, const PaperMeasure& measure, double scale,
                     figure::Point origin);

// Escaped for XML.
std::string xml_escape(std::string_view text);

}  // namespace paper
