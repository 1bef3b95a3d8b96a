// The program's icon, for the windows of systems that take it from the window itself.
#pragma once

namespace gl {
class Window;
}

namespace ui {

// In the sizes that docks, switchers and title bars ask for.
void give_icon(gl::Window& window);

}  // namespace ui
