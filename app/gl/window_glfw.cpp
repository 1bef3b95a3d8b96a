#include "app/gl/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "app/gl/context.h"
#include "app/gl/display.h"

namespace gl {
namespace {

int open_windows = 0;  // GLFW is one for the process: the last window ends it

// As GLFW says it, in English.
core::Message last_error() {
  const char* text = nullptr;
  return glfwGetError(&text) != GLFW_NO_ERROR && text ? core::Message::plain(text)
                                                      : core::Message(N_("no reason given"));
}

void start_glfw() {
  if (open_windows > 0 || glfwInit() == GLFW_TRUE) return;
  throw Unavailable(no_display(last_error()));
}

void stop_glfw() {
  if (open_windows == 0) glfwTerminate();
}

// What the display offers when nothing is asked of it, such as "2.1 Mesa 22.3.6".
core::Message offered_version() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  GLFWwindow* probe = glfwCreateWindow(16, 16, "", nullptr, nullptr);
  if (!probe) return core::Message(N_("no OpenGL ({})"), last_error());
  glfwMakeContextCurrent(probe);
  core::Message version(N_("no OpenGL"));
  using GetString = const GLubyte* (*)(GLenum);
  if (const auto get = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"))) {
    if (const GLubyte* text = get(GL_VERSION)) {
      version = core::Message::plain(reinterpret_cast<const char*>(text));
    }
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
#ifdef GLFW_WAYLAND_APP_ID  // from GLFW 3.4 on: the desktop entry whose icon it has
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "attnscope");
#endif
}

using Rect = std::array<int, 4>;  // x, y, width, height

Rect place_of(GLFWwindow* window) {
  Rect place{};
  glfwGetWindowPos(window, &place[0], &place[1]);
  glfwGetWindowSize(window, &place[2], &place[3]);
  return place;
}

// The screen on which most of a window lies; null: there is none.
GLFWmonitor* monitor_of(const Rect& window) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = count > 0 ? monitors[0] : nullptr;
  double most = 0;
  for (int k = 0; k < count; ++k) {
    int x = 0, y = 0;
    glfwGetMonitorPos(monitors[k], &x, &y);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
    if (!mode) continue;
    const double w = std::min(window[0] + window[2], x + mode->width) - std::max(window[0], x);
    const double h = std::min(window[1] + window[3], y + mode->height) - std::max(window[1], y);
    if (w > 0 && h > 0 && w * h > most) most = w * h, best = monitors[k];
  }
  return best;
}

// A place, so far from a corner, on another screen than a window's; on its own where there is none.
std::array<int, 2> free_place(GLFWwindow* window, int away) {
  GLFWmonitor* taken = monitor_of(place_of(window));
  int count = 0, x = 0, y = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  if (taken) glfwGetMonitorPos(taken, &x, &y);
  for (int k = 0; k < count; ++k) {
    if (monitors[k] != taken) glfwGetMonitorPos(monitors[k], &x, &y);
  }
  return {x + away, y + away};
}

int shape_of(Pointer pointer) {
  switch (pointer) {
    case Pointer::text: return GLFW_IBEAM_CURSOR;
    case Pointer::hand: return GLFW_HAND_CURSOR;
    case Pointer::cross: return GLFW_CROSSHAIR_CURSOR;
    case Pointer::arrow:
    case Pointer::hidden: break;
  }
  return GLFW_ARROW_CURSOR;
}

}  // namespace

struct Window::Inner {
  GLFWwindow* window = nullptr;
  WindowEvents events = {};
  std::array<GLFWcursor*, 4> pointers{};
  std::optional<Rect> windowed = {};  // where it was before it filled the screen
  double pixels_of_unit = 1;

  static Inner& inner_of(GLFWwindow* window) {
    return *static_cast<Inner*>(glfwGetWindowUserPointer(window));
  }
  static WindowEvents& of(GLFWwindow* window) { return inner_of(window).events; }
  void connect();
  void count_pixels();
};

// On X11 and Windows GLFW counts in pixels; on Wayland and macOS a unit may have several.
void Window::Inner::count_pixels() {
  int units = 0, pixels = 0, height = 0;
  glfwGetWindowSize(window, &units, &height);
  glfwGetFramebufferSize(window, &pixels, &height);
  if (units > 0 && pixels > 0) pixels_of_unit = static_cast<double>(pixels) / units;
}

void Window::Inner::connect() {
  glfwSetWindowUserPointer(window, this);
  count_pixels();
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    const double ratio = inner_of(w).pixels_of_unit;
    if (const auto& move = of(w).move) {
      move(static_cast<float>(x * ratio), static_cast<float>(y * ratio));
    }
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (const auto& heard = entered ? of(w).touch : of(w).leave) heard();
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    if (const auto& heard = of(w).button) heard(button, action == GLFW_PRESS);
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    if (const auto& wheel = of(w).wheel) wheel(static_cast<float>(x), static_cast<float>(y));
  });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
    if (const auto& heard = of(w).key) {
      heard(key, action != GLFW_RELEASE, action == GLFW_REPEAT, mods);
    }
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned code_point) {
    if (const auto& character = of(w).character) character(code_point);
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    if (const auto& drop = of(w).drop) drop(std::vector<std::string>(paths, paths + count));
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) {
    inner_of(w).count_pixels();
    if (const auto& expose = of(w).expose) expose();
  });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) {
    if (const auto& expose = of(w).expose) expose();
  });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) {
    inner_of(w).count_pixels();
    if (const auto& rescale = of(w).rescale) rescale();
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) {
    if (const auto& touch = of(w).touch) touch();
  });
}

Window::Window(int width, int height, const std::string& title, bool behind)
    : inner_(std::make_unique<Inner>()) {
  start_glfw();
  set_hints();
  glfwWindowHint(GLFW_FOCUSED, behind ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHint(GLFW_FOCUS_ON_SHOW, behind ? GLFW_FALSE : GLFW_TRUE);
  GLFWwindow* window = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
  outlive_x_errors();
  if (!window) {
    const core::Message message(N_("needs OpenGL 3.3, this display offers {}"), offered_version());
    outlive_x_errors();
    stop_glfw();
    throw Unavailable(message);
  }
  ++open_windows;
  inner_->window = window;
  try {
    glfwMakeContextCurrent(window);
    load_gl(glfwGetProcAddress);
  } catch (...) {
    glfwDestroyWindow(window);
    --open_windows;
    stop_glfw();
    throw;
  }
  inner_->connect();
  glfwSwapInterval(1);
}

Window::~Window() {
  for (GLFWcursor* pointer : inner_->pointers) {
    if (pointer) glfwDestroyCursor(pointer);
  }
  glfwDestroyWindow(inner_->window);
  --open_windows;
  stop_glfw();
}

void Window::listen(WindowEvents events) { inner_->events = std::move(events); }

void Window::share_keys_of(const Window& other) { inner_->events.key = other.inner_->events.key; }

Size Window::size() const { return pixels(); }

Size Window::pixels() const {
  Size size;
  glfwGetFramebufferSize(inner_->window, &size.width, &size.height);
  return size;
}

float Window::content_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(inner_->window, &x, &y);
  return x;
}

void Window::resize(Size size) {
  const double ratio = inner_->pixels_of_unit;
  glfwSetWindowSize(inner_->window, static_cast<int>(size.width / ratio),
                    static_cast<int>(size.height / ratio));
}

void Window::keep_at_least(Size size) {
  const double ratio = inner_->pixels_of_unit;
  size = {static_cast<int>(std::ceil(size.width / ratio)),
          static_cast<int>(std::ceil(size.height / ratio))};
  GLFWmonitor* monitor = monitor_of(place_of(inner_->window));
  if (const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr) {
    size = {std::min(size.width, mode->width), std::min(size.height, mode->height)};
  }
  glfwSetWindowSizeLimits(inner_->window, size.width, size.height, GLFW_DONT_CARE, GLFW_DONT_CARE);
}

void Window::fit_to_screen() {
  GLFWwindow* window = inner_->window;
  GLFWmonitor* monitor = monitor_of(place_of(window));
  if (!monitor) return;
  Rect free{}, frame{};  // frame: left, top, right, bottom
  glfwGetMonitorWorkarea(monitor, &free[0], &free[1], &free[2], &free[3]);
  glfwGetWindowFrameSize(window, &frame[0], &frame[1], &frame[2], &frame[3]);
  const Rect place = place_of(window);
  const int width = free[2] - frame[0] - frame[2], height = free[3] - frame[1] - frame[3];
  if (width <= 0 || height <= 0 || (place[2] <= width && place[3] <= height)) return;
  glfwSetWindowSize(window, std::min(place[2], width), std::min(place[3], height));
  glfwSetWindowPos(window, free[0] + frame[0], free[1] + frame[1]);
  inner_->count_pixels();
}

void Window::fill_screen(bool filled) {
  if (filled == inner_->windowed.has_value()) return;
  GLFWwindow* window = inner_->window;
  if (!filled) {
    const auto [x, y, w, h] = *std::exchange(inner_->windowed, std::nullopt);
    return glfwSetWindowMonitor(window, nullptr, x, y, w, h, GLFW_DONT_CARE);
  }
  const Rect place = place_of(window);
  GLFWmonitor* monitor = monitor_of(place);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  inner_->windowed = place;
  // It stays there while another window is used: that of the lecturer.
  glfwSetWindowAttrib(window, GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void Window::float_beside(const Window& other, int away) {
  const auto [x, y] = free_place(other.inner_->window, away);
  glfwSetWindowPos(inner_->window, x, y);
  glfwSetWindowAttrib(inner_->window, GLFW_FLOATING, GLFW_TRUE);
}

void Window::hide() { glfwHideWindow(inner_->window); }
void Window::make_current() { glfwMakeContextCurrent(inner_->window); }
void Window::present() { glfwSwapBuffers(inner_->window); }
void Window::wait_for_screen(bool waits) { glfwSwapInterval(waits ? 1 : 0); }

void Window::set_icon(const std::vector<Image>& images) {
  std::vector<GLFWimage> icons;
  for (const Image& image : images) {
    // It is read only.
    icons.push_back({image.width, image.height, const_cast<unsigned char*>(image.rgba.data())});
  }
  glfwSetWindowIcon(inner_->window, static_cast<int>(icons.size()), icons.data());
}

void Window::set_pointer(Pointer pointer) {
  const bool hidden = pointer == Pointer::hidden;
  glfwSetInputMode(inner_->window, GLFW_CURSOR, hidden ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL);
  if (hidden) return;
  GLFWcursor*& shape = inner_->pointers[static_cast<std::size_t>(pointer)];
  if (!shape) shape = glfwCreateStandardCursor(shape_of(pointer));
  glfwSetCursor(inner_->window, shape);
}

void Window::set_clipboard(const std::string& text) {
  glfwSetClipboardString(inner_->window, text.c_str());
}

bool Window::chooses_files() const { return false; }

void Window::choose_files(std::function<void(const std::string&)>) {}

std::string Window::clipboard() const {
  const char* text = glfwGetClipboardString(inner_->window);
  return text ? text : "";
}

bool Window::take_close() {
  const bool wanted = glfwWindowShouldClose(inner_->window) == GLFW_TRUE;
  glfwSetWindowShouldClose(inner_->window, GLFW_FALSE);
  return wanted;
}

void poll_events() { glfwPollEvents(); }
void wake() { glfwPostEmptyEvent(); }

void run_turns(std::function<double()> turn, std::function<void()> end) {
  constexpr double kLeastWait = 0.005;
  for (double seconds; (seconds = turn()) >= 0;) {
    if (seconds == 0) {
      glfwPollEvents();
    } else if (std::isinf(seconds)) {
      glfwWaitEvents();
    } else {
      glfwWaitEventsTimeout(std::max(seconds, kLeastWait));
    }
  }
  end();
}

std::string glfw_version() { return glfwGetVersionString(); }

}  // namespace gl
