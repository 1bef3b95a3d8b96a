#include "app/ui/frame/window_icon.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>

#include "app/desktop/icon.h"
#include "app/paper/file/picture.h"

namespace ui {

void give_icon(GLFWwindow* window) {
  constexpr std::array kSizes = {16, 32, 48, 128};
  std::array<paper::Picture, kSizes.size()> pictures;
  std::array<GLFWimage, kSizes.size()> images;
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    pictures[k] =
        paper::picture(desktop::icon(kSizes[k]),
                       static_cast<double>(kSizes[k]) / static_cast<double>(desktop::kIconUnits));
    images[k] = {pictures[k].width, pictures[k].height, pictures[k].rgba.data()};
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

}  // namespace ui
