#include "app/ui/panel/preview_zoom.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr float kLargest = 4, kNotch = 1.25f;  // times 100 %; of the wheel
constexpr float kLargestFit = 2;               // small sheets are shown so large

}  // namespace

void PreviewZoom::set(const figure::Rect& room, float width, float height, float whole) {
  room_ = room;
  width_ = std::max(width, 1.0f), height_ = std::max(height, 1.0f), whole_ = whole;
  fitting_ = std::min({room.w / width_, room.h / height_, kLargestFit});
  if (zoom_ <= fitting_) fit();
  keep_inside();
}

figure::Rect PreviewZoom::sheet() const {
  const float w = std::round(width_ * zoom()), h = std::round(height_ * zoom());
  if (fits()) return {std::round(room_.x + (room_.w - w) / 2), std::round(room_.y), w, h};
  return {std::round(room_.x + room_.w / 2 - middle_.x * zoom_),
          std::round(room_.y + room_.h / 2 - middle_.y * zoom_), w, h};
}

void PreviewZoom::toggle(figure::Point at) {
  fits() ? zoom_to(std::max(whole_, fitting_ * kNotch), at) : fit();
}

void PreviewZoom::wheel(float notches, figure::Point at) {
  zoom_to(std::min(zoom() * std::pow(kNotch, notches), std::max(kLargest * whole_, fitting_)), at);
}

void PreviewZoom::zoom_to(float zoom, figure::Point at) {
  const figure::Rect before = sheet();
  const float was = this->zoom();
  const figure::Point under{(at.x - before.x) / was, (at.y - before.y) / was};
  if (zoom <= fitting_) return fit();
  zoom_ = zoom;
  middle_ = {under.x + (room_.x + room_.w / 2 - at.x) / zoom,
             under.y + (room_.y + room_.h / 2 - at.y) / zoom};
  keep_inside();
}

void PreviewZoom::drag(figure::Point by) {
  if (fits()) return;
  middle_.x -= by.x / zoom_, middle_.y -= by.y / zoom_;
  keep_inside();
}

// No edge of the sheet comes further in than the room's; a side that has room stands in the middle.
void PreviewZoom::keep_inside() {
  if (fits()) return;
  const auto kept = [this](float middle, float size, float room) {
    const float half = room / zoom_ / 2;
    return 2 * half >= size ? size / 2 : std::clamp(middle, half, size - half);
  };
  middle_ = {kept(middle_.x, width_, room_.w), kept(middle_.y, height_, room_.h)};
}

}  // namespace ui
