// Figures on a sheet of paper: where each stands, with its caption below.
#pragma once

#include <vector>

#include "app/page/export_figure.h"
#include "app/page/paper_text.h"

namespace page {

struct Sheet {
  float width = 0, height = 0;  // units of 100 %
  std::vector<figure::Drawing> drawings;
};

// Lays the figures out in `options.width` by `options.height`, or at their natural size.
// `pixel_ratio`: device pixels a unit. Throws core::InputError when they do not fit.
Sheet compose(const std::vector<figure::Figure>& figures, const figure::Views& views,
              const PaperOptions& options, const PaperMeasure& measure, float pixel_ratio);

}  // namespace page
