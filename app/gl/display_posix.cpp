#include "app/gl/display.h"

#include <X11/Xlib.h>

#include <array>
#include <cstdio>
#include <utility>

#include "app/gl/window.h"
#include "core/system/environment.h"

namespace gl {
namespace {

// One that comes again and again, as of a window that another client has destroyed, is told once.
int handle_error(Display* display, XErrorEvent* error) {
  using Kind = std::array<unsigned char, 3>;
  static Kind reported{};
  const Kind kind{error->error_code, error->request_code, error->minor_code};
  if (std::exchange(reported, kind) == kind) return 0;
  std::array<char, 200> text{};
  ::XGetErrorText(display, error->error_code, text.data(), static_cast<int>(text.size()));
  std::fprintf(stderr, "attnscope: the X server reported: %s (request %d.%d)\n", text.data(),
               error->request_code, error->minor_code);
  return 0;
}

}  // namespace

void outlive_x_errors() { ::XSetErrorHandler(handle_error); }

// GLFW 3.4 speaks to both, asking the session which; a GLFW 3.3 speaks to one of them.
core::Message no_display(const core::Message& reason) {
  const std::string x = core::environment("DISPLAY").value_or("");
  const std::string wayland = core::environment("WAYLAND_DISPLAY").value_or("");
  const auto no_answer = [&](const std::string& display) {
    return core::Message(N_("no display: {} does not answer ({})"), display, reason);
  };
  if (!x.empty()) return no_answer(x);
  if (wayland.empty()) {
    return core::Message(N_("no display: neither WAYLAND_DISPLAY nor DISPLAY is set"));
  }
  const std::string version = glfw_version();
  if (version.find("Wayland") == version.npos) {
    return core::Message(N_("no display: WAYLAND_DISPLAY is {}, but this GLFW ({}) speaks X11 "
                            "alone: expected Xwayland with DISPLAY, or GLFW 3.4"),
                         wayland, version);
  }
  return no_answer(wayland);
}

}  // namespace gl
