// ImGui on OpenGL: what the window and the windowless picture have in common.
#pragma once

#include "app/gl/canvas.h"
#include "app/gl/heatmap.h"
#include "app/gl/triangles.h"
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
  void take_letters(const Fonts& fonts);
  void run(const FramePlan::Step& step, int width, int height);

  gl::HeatmapRenderer heatmaps_;
  gl::Triangles triangles_;
  gl::Canvas canvas_;
  FramePlan plan_;
  long letters_ = -1;  // the version of the fonts whose texture there is
};

}  // namespace ui
