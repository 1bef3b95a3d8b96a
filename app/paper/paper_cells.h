// Heatmap cells and colour bars on a Cairo context; part of the painter.
#pragma once

#include "app/figure/drawing.h"
#include "app/paper/paper_painter.h"

namespace paper {

void paint_cells(const figure::draw::Cells& cells, cairo_t* cairo, Medium medium);
void paint_color_bar(const figure::draw::ColorBar& bar, cairo_t* cairo, Medium medium);

void set_color(cairo_t* cairo, figure::Rgba color);

}  // namespace paper
