#include "app/ui/frame/window_icon.h"

#include "app/desktop/icon.h"
#include "app/gl/window.h"
#include "app/paper/file/picture.h"

namespace ui {

void give_icon(gl::Window& window) {
  std::vector<gl::Image> images;
  for (const int size : {16, 32, 48, 128}) {
    paper::Picture picture = paper::picture(
        desktop::icon(size), static_cast<double>(size) / static_cast<double>(desktop::kIconUnits));
    images.push_back({picture.width, picture.height, std::move(picture.rgba)});
  }
  window.set_icon(images);
}

}  // namespace ui
