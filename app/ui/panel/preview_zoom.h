// How much of a sheet a preview shows: all of it, or a part as large as it will be, which is
// dragged.
#pragma once

#include "app/figure/drawing.h"

namespace ui {

class PreviewZoom {
 public:
  // All of it.
  void fit() { zoom_ = 0; }
  bool fits() const { return zoom_ <= 0; }

  // Pixels a unit of a sheet of this size in a room, in which `whole` of them show it at 100 %.
  // Call it every frame, before what is below.
  void set(const figure::Rect& room, float width, float height, float whole);
  float zoom() const { return fits() ? fitting_ : zoom_; }
  // Where the sheet lies; larger than the room where only a part of it is shown.
  figure::Rect sheet() const;

  // To 100 % with what is at this place there still, or all of it again.
  void toggle(figure::Point at);
  // Nearer or further; not further than all of it.
  void wheel(float notches, figure::Point at);
  void drag(figure::Point by);

 private:
  void zoom_to(float zoom, figure::Point at);
  void keep_inside();

  figure::Rect room_{};
  float width_ = 1, height_ = 1, whole_ = 1, fitting_ = 1;
  float zoom_ = 0;          // 0: all of it
  figure::Point middle_{};  // of the room, in the sheet's units
};

}  // namespace ui
