// The window's frames in a framebuffer of OpenGL's.
#pragma once

#include <memory>
#include <optional>

#include "app/gl/canvas.h"
#include "app/gl/window.h"
#include "app/ui/frame/picture.h"

struct ImGuiIO;

namespace ui {

// Tells ImGui how large the window is; false where it has no size, as one that is minimized.
bool show_on(const gl::Window& window, ImGuiIO& io);

// Needs a current GL context and an ImGuiSession from construction to destruction.
class Renderer {
 public:
  // Who draws: OpenGL, or the program itself on the processor.
  enum class By { driver, processor };
  // Empty: what the environment variable ATTNSCOPE_DRAW names (driver or processor; another word is
  // an InputError), else `processor` where the driver has no GPU either and takes longer.
  explicit Renderer(std::optional<By> by = {});
  ~Renderer();

  // Whether a frame that is the same as the last one is copied to the framebuffer all the same.
  enum class Show { always, when_changed };

  // One whole frame of the shell into the current framebuffer: `update` and `draw`.
  bool frame(Shell& shell, std::vector<KeyPress> keys, Show show = Show::always);
  // Draws what the last update said, and of it only what differs from the frame before. False when
  // nothing does.
  bool draw(const Shell& shell, Show show = Show::always);
  // The pixels that the last draw drew anew.
  const std::vector<gl::Box>& drawn() const;

 private:
  struct Driver;

  std::unique_ptr<Driver> driver_;  // null: the processor draws
  Picture picture_;
  gl::Canvas canvas_;
};

}  // namespace ui
