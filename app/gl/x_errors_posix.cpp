#include "app/gl/x_errors.h"

#include <X11/Xlib.h>

#include <array>
#include <cstdio>

namespace gl {
namespace {

int handle_error(Display* display, XErrorEvent* error) {
  std::array<char, 200> text{};
  ::XGetErrorText(display, error->error_code, text.data(), static_cast<int>(text.size()));
  std::fprintf(stderr, "attnscope: the X server reported: %s (request %d.%d)\n", text.data(),
               error->request_code, error->minor_code);
  return 0;
}

}  // namespace

void outlive_x_errors() { ::XSetErrorHandler(handle_error); }

}  // namespace gl
