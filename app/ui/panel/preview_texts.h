// The texts of a preview in a font that the window has not: as the export draws them, kept from one
// frame to the next.
#pragma once

#include <imgui.h>

#include <utility>
#include <vector>

#include "app/figure/drawing.h"
#include "app/paper/paper_text.h"

namespace ui {

class PreviewTexts {
 public:
  void clear();
  // A text, or where what follows is clipped.
  void add(figure::Primitive one) { texts_.primitives.push_back(std::move(one)); }
  // Those within `seen`, in pixels of the window, as is the place of the sheet's origin; `zoom`
  // pixels a unit.
  void paint(ImDrawList& list, const figure::Rect& seen, figure::Point origin, float zoom,
             const paper::PaperMeasure& measure);

 private:
  // Pixels of one colour side by side; from the corner of what is seen.
  struct Run {
    int x, y, width;
    figure::Rgba color;
  };
  void find_runs(float zoom, const paper::PaperMeasure& measure);

  figure::Drawing texts_;  // its bounds: what the runs show
  float zoom_ = 0;         // of the runs; 0: there are none yet
  std::vector<Run> runs_;
};

}  // namespace ui
