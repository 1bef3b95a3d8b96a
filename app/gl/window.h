// The GL 3.3 core contexts: a window with its events, and a windowless one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/message.h"

namespace gl {

// No display, no driver, or less than OpenGL 3.3: one sentence for the person, in any language.
struct Unavailable : std::runtime_error, core::Translatable {
  explicit Unavailable(const core::Message& reason)
      : std::runtime_error(reason.in_english()), Translatable(reason) {}
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // row 0 at the top
};

struct Size {
  int width = 0, height = 0;
};

enum class Pointer { arrow, text, hand, cross, hidden };

// What a window hears, called while it polls or waits. Keys and modifiers are GLFW's (GLFW_KEY_*,
// GLFW_MOD_*), on every system.
struct WindowEvents {
  std::function<void(float x, float y)> move;  // in units of the window
  std::function<void()> leave;                 // the pointer is over it no more
  std::function<void(int button, bool down)> button;
  std::function<void(float x, float y)> wheel;
  std::function<void(int key, bool down, bool repeat, int mods)> key;
  std::function<void(unsigned code_point)> character;
  std::function<void(const std::vector<std::string>& paths)> drop;
  std::function<void()> expose;       // what was on the screen is lost
  std::function<void()> rescale;      // it came onto a screen of another content scale
  std::function<void()> touch;        // something else: it has the keyboard now, or has it no more
  std::function<void()> keep;         // there may be no further turn: what is kept is written now
  std::function<std::string()> view;  // as a link, with which a page that begins anew goes on
  // Where a person is, as a link without knobs, for a browser's way back; and a way to any link.
  std::function<std::string()> place;
  std::function<void(const std::string& link)> go;
};

class Window {
 public:
  // Opens a window with a current context, as large as the system's own units say; `behind`: the
  // keyboard stays where it is. Throws Unavailable.
  Window(int width, int height, const std::string& title, bool behind = false);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  void listen(WindowEvents events);
  // The same for keys alone, as `other` has them.
  void share_keys_of(const Window& other);

  Size size() const;    // in units of the window: those of the pointer
  Size pixels() const;  // of its framebuffer
  float content_scale() const;
  void resize(Size size);
  // It cannot be made smaller than this, or the screen where that is smaller.
  void keep_at_least(Size size);
  // No larger than what its screen has free of panels. A window system that places windows itself
  // (Wayland) is left to do so.
  void fit_to_screen();
  // Whether it fills the screen on which most of it lies; else it stands where it was.
  void fill_screen(bool filled);
  // On another screen than `other`, so far from a corner, and above all else; on its own where
  // there is no other.
  void float_beside(const Window& other, int away);
  void hide();

  void make_current();
  void present();
  // Whether presenting waits for the screen.
  void wait_for_screen(bool waits);

  // In several sizes. Where windows have no icon (Wayland: it is that of the desktop entry) nothing
  // happens.
  void set_icon(const std::vector<Image>& images);
  void set_pointer(Pointer pointer);
  void set_clipboard(const std::string& text);
  std::string clipboard() const;
  // Whether the system asks for files itself. `choose_files` has it do so, in answer to a key or a
  // button; `done` gets each of them, or the folder of those that are one model.
  bool chooses_files() const;
  void choose_files(std::function<void(const std::string& path)> done);

  // Whether a person wants to close it; asked once for each time.
  bool take_close();

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

// Hands on what has happened to all windows.
void poll_events();
// Ends waiting in run_turns; from any thread.
void wake();
// Calls `turn` again and again, until it returns a negative number: else seconds to wait for
// events before the next; 0: none, infinity: until there is one. Then calls `end`. In a browser it
// returns at once, and the browser calls them.
void run_turns(std::function<double()> turn, std::function<void()> end);

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
