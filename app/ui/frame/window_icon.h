// The program's icon, for the windows of systems that take it from the window itself.
#pragma once

struct GLFWwindow;

namespace ui {

// In the sizes that docks, switchers and title bars ask for. Where windows have no icon (Wayland:
// it is that of the desktop entry) nothing happens.
void give_icon(GLFWwindow* window);

}  // namespace ui
