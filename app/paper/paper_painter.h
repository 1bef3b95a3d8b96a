// Draws a laid-out figure with Cairo: onto pixels, or as vectors for SVG and PDF.
#pragma once

#include "app/figure/drawing.h"
#include "app/paper/paper_text.h"

namespace paper {

enum class Medium { raster, vector };

// The context may be scaled and moved, not turned; clips that the drawing leaves open are closed.
//
// On pixels, straight edges, hairlines and cells are put on whole pixels, and a cell's pixels have
// exactly its ValueColors; masked cells are hatched as the GPU's shader does it. As vectors, up to
// kVectorCells by kVectorCells visible cells are rectangles (equal neighbours of a row in one),
// more of them an image of one pixel a cell.
void paint(const figure::Drawing& drawing, cairo_t* cairo, const PaperMeasure& measure,
           Medium medium);

inline constexpr int kVectorCells = 64;

}  // namespace paper
