#include "app/gl/display.h"

namespace gl {

void outlive_x_errors() {}

std::string no_display(const std::string& reason) { return "no display: " + reason; }

}  // namespace gl
