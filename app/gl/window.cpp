#include "app/gl/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gl/context.h"
#include "app/gl/x_errors.h"
#include "core/system/environment.h"

namespace gl {
namespace {

int open_windows = 0;  // GLFW is one for the process: the last window ends it

std::string last_error() {
  const char* text = nullptr;
  return glfwGetError(&text) != GLFW_NO_ERROR && text ? text : "no reason given";
}

void start_glfw() {
  if (open_windows > 0 || glfwInit() == GLFW_TRUE) return;
  const std::string reason = last_error();
#if defined(__linux__)
  const std::string display = core::environment("DISPLAY").value_or("");
  if (display.empty()) throw Unavailable("no display: DISPLAY is not set");
  throw Unavailable("no display: " + display + " does not answer (" + reason + ")");
#else
  throw Unavailable("no display: " + reason);
#endif
}

void stop_glfw() {
  if (open_windows == 0) glfwTerminate();
}

// What the display offers when nothing is asked of it, such as "2.1 Mesa 22.3.6".
std::string offered_version() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* probe = glfwCreateWindow(16, 16, "", nullptr, nullptr);
  if (!probe) return "no OpenGL (" + last_error() + ")";
  glfwMakeContextCurrent(probe);
  std::string version = "no OpenGL";
  using GetString = const GLubyte* (*)(GLenum);
  if (const auto get = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"))) {
    if (const GLubyte* text = get(GL_VERSION)) version = reinterpret_cast<const char*>(text);
  }
  glfwDestroyWindow(probe);
  return version;
}

void set_hints() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, wants_debug_context() ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  glfwWindowHint(GLFW_RESIZABLE, GLFW_TRUE);
  // Nothing here has depth; without these buffers a frame is cleared and swapped faster.
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_SAMPLES, 0);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "attnscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "attnscope");
}

}  // namespace

Window::Window(int width, int height, const std::string& title, bool behind) {
  start_glfw();
  set_hints();
  glfwWindowHint(GLFW_FOCUSED, behind ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, behind ? GLFW_FALSE : GLFW_TRUE);
  window_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  outlive_x_errors();
  if (!window_) {
    const std::string message = "needs OpenGL 3.3, this display offers " + offered_version();
    outlive_x_errors();
    stop_glfw();
    throw Unavailable(message);
  }
  ++open_windows;
  try {
    glfwMakeContextCurrent(window_);
    load_gl(glfwGetProcAddress);
  } catch (...) {
    glfwDestroyWindow(window_);
    --open_windows;
    stop_glfw();
    throw;
  }
  glfwSwapInterval(1);
}

Window::~Window() {
  glfwDestroyWindow(window_);
  --open_windows;
  stop_glfw();
}

std::string glfw_version() { return glfwGetVersionString(); }

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return x;
}

GLFWmonitor* monitor_of(const std::array<int, 4>& window) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = count > 0 ? monitors[0] : nullptr;
  long most = 0;
  for (int k = 0; k < count; ++k) {
    int x = 0, y = 0;
    glfwGetMonitorPos(monitors[k], &x, &y);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
    if (!mode) continue;
    const long w = std::min(window[0] + window[2], x + mode->width) - std::max(window[0], x);
    const long h = std::min(window[1] + window[3], y + mode->height) - std::max(window[1], y);
    if (w > 0 && h > 0 && w * h > most) most = w * h, best = monitors[k];
  }
  return best;
}

std::array<int, 2> free_place(GLFWwindow* window, int away) {
  std::array<int, 4> place{};
  glfwGetWindowPos(window, &place[0], &place[1]);
  glfwGetWindowSize(window, &place[2], &place[3]);
  GLFWmonitor* taken = monitor_of(place);
  int count = 0, x = 0, y = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  if (taken) glfwGetMonitorPos(taken, &x, &y);
  for (int k = 0; k < count; ++k) {
    if (monitors[k] != taken) glfwGetMonitorPos(monitors[k], &x, &y);
  }
  return {x + away, y + away};
}

}  // namespace gl
