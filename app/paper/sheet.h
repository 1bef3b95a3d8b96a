// Figures on a sheet of paper: where each stands, with its caption below.
#pragma once

#include <vector>

#include "app/paper/export_figure.h"
#include "app/paper/paper_text.h"

namespace paper {

struct Sheet {
  float width = 0, height = 0;  // units of 100 %
  figure::Point origin;         // what stands in the top left corner: {0, 0} unless it is cropped
  // The kind of each drawing, for readers who cannot see it.
  enum class Part { figure, caption, parameters };
  std::vector<figure::Drawing> drawings;
  std::vector<Part> parts;  // as many
  SheetRoom room;           // that was taken
};

// Lays the figures out in `options.width` by `options.height`, or at their natural size.
// `pixel_ratio`: device pixels a unit. Throws core::InputError when they do not fit.
Sheet compose(const std::vector<figure::Figure>& figures, const figure::Views& views,
              const PaperOptions& options, const PaperMeasure& measure, float pixel_ratio);

}  // namespace paper
