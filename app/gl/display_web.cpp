#include "app/gl/display.h"

namespace gl {

void outlive_x_errors() {}

core::Message no_display(const core::Message& reason) {
  return core::Message(N_("no display: {}"), reason);
}

}  // namespace gl
