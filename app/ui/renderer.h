// ImGui on OpenGL: what the window and the windowless picture have in common.
#pragma once

#include <memory>
#include <optional>

#include "app/gl/canvas.h"
#include "app/gl/raster.h"
#include "app/ui/frame_plan.h"
#include "app/ui/shell.h"

namespace ui {

// An ImGui context, current from construction to destruction.
class ImGuiSession {
 public:
  ImGuiSession();
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;
};

// Needs a current GL context and an ImGuiSession from construction to destruction.
class Renderer {
 public:
  // Who draws: OpenGL, or the program itself on the processor.
  enum class By { driver, processor };
  // Without a word, `processor` where the driver has no GPU either and takes longer.
  explicit Renderer(std::optional<By> by = {});
  ~Renderer();

  // Whether a frame that is the same as the last one is copied to the framebuffer all the same.
  enum class Show { always, when_changed };

  // One whole frame of the shell into the current framebuffer: both of the following.
  bool frame(Shell& shell, std::vector<KeyPress> keys, Show show = Show::always);
  // The shell takes the input and says what is to be drawn.
  void update(Shell& shell, std::vector<KeyPress> keys);
  // Draws what the last update said, and of it only what differs from the frame before. False when
  // nothing does.
  bool draw(const Shell& shell, Show show = Show::always);
  // The pixels that the last draw drew anew.
  const std::vector<gl::Box>& drawn() const { return plan_.boxes(); }

 private:
  struct Driver;
  void take_letters(const Fonts& fonts);
  void draw_by_driver(int width, int height);
  void draw_by_processor();
  void draw_part(const gl::Box& part, FramePlan::Steps& plan);

  std::unique_ptr<Driver> driver_;  // null: the processor draws
  gl::Raster raster_;
  gl::Canvas canvas_;
  FramePlan plan_;
  std::vector<FramePlan::Steps> steps_;  // for each thread
  long letters_ = -1;                    // the version of the fonts whose texture there is
};

}  // namespace ui
