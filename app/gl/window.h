// The GL 3.3 core contexts: a window of GLFW's, and a windowless one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

struct GLFWmonitor;
struct GLFWwindow;

namespace gl {

// No display, no driver, or less than OpenGL 3.3: one sentence for the person.
struct Unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // row 0 at the top
};

class Window {
 public:
  // Opens a window with a current context; `behind`: the keyboard stays where it is. Throws
  // Unavailable.
  Window(int width, int height, const std::string& title, bool behind = false);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  GLFWwindow* handle() const { return window_; }
  float content_scale() const;

 private:
  GLFWwindow* window_ = nullptr;
};

// The screen on which most of a window lies: x, y, width, height; null: there is none.
GLFWmonitor* monitor_of(const std::array<int, 4>& window);
// A place, so far from a corner, on another screen than a window's; on its own where there is none.
std::array<int, 2> free_place(GLFWwindow* window, int away);

class Windowless {
 public:
  // Makes a context with a framebuffer of this size current. Throws Unavailable.
  Windowless(int width, int height);
  ~Windowless();
  Windowless(const Windowless&) = delete;
  Windowless& operator=(const Windowless&) = delete;
  void bind();

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

struct Size {
  int width = 0, height = 0;
};
// The picture of at most this size that the current context can make: cut down to its longest side,
// and then to 67 million pixels.
Size largest_picture(int width, int height);
// The same with sides up to `side`.
Size largest_picture(int width, int height, int side);

// Clears the current framebuffer; `rgba` from 0 to 255.
void clear(int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b);
// Fills pixels of the current framebuffer, y up, with an opaque colour; leaves a scissor set.
void fill(int x, int y, int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b);
// The pixels of the current framebuffer.
Image read_pixels(int width, int height);
// Every pending GL error as text, empty when there is none.
std::string take_errors();
// "llvmpipe (LLVM 15.0.6, 256 bits), OpenGL 4.5 ..."
std::string description();
// "3.3.8 X11 GLX EGL OSMesa": GLFW as it was found when the program began.
std::string glfw_version();
// Whether there is no GPU behind the current context: the driver draws on the processor.
bool draws_on_processor();

}  // namespace gl
