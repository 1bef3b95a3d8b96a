#include "app/ui/panel/preview_texts.h"

#include <cmath>

#include "app/paper/file/picture.h"
#include "app/ui/draw/theme.h"

namespace ui {

void PreviewTexts::clear() { *this = {}; }

void PreviewTexts::find_runs(float zoom, const paper::PaperMeasure& measure) {
  const paper::Picture picture = paper::picture(texts_, static_cast<double>(zoom), measure);
  runs_.clear();
  const std::uint8_t* pixel = picture.rgba.data();
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x, pixel += 4) {
      if (pixel[3] == 0) continue;
      const figure::Rgba color{pixel[0], pixel[1], pixel[2], pixel[3]};
      const bool goes_on = !runs_.empty() && runs_.back().y == y && runs_.back().color == color &&
                           runs_.back().x + runs_.back().width == x;
      if (goes_on) {
        ++runs_.back().width;
      } else {
        runs_.push_back({x, y, 1, color});
      }
    }
  }
  zoom_ = zoom;
}

void PreviewTexts::paint(ImDrawList& list, const figure::Rect& seen, figure::Point origin,
                         float zoom, const paper::PaperMeasure& measure) {
  if (texts_.primitives.empty()) return;
  const float x = std::floor(seen.x), y = std::floor(seen.y);
  const figure::Rect shown{(x - origin.x) / zoom, (y - origin.y) / zoom,
                           std::ceil(seen.right() - x) / zoom, std::ceil(seen.bottom() - y) / zoom};
  if (zoom != zoom_ || !(shown == texts_.bounds)) {
    texts_.bounds = shown;
    find_runs(zoom, measure);
  }
  for (const Run& run : runs_) {
    const float left = x + static_cast<float>(run.x), top = y + static_cast<float>(run.y);
    list.AddRectFilled({left, top}, {left + static_cast<float>(run.width), top + 1},
                       to_im(run.color));
  }
}

}  // namespace ui
