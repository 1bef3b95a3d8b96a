// The window as a picture in memory, drawn by the processor. Needs no OpenGL.
#pragma once

#include <optional>
#include <vector>

#include "app/gl/raster.h"
#include "app/ui/draw/frame_plan.h"
#include "app/ui/frame/shell.h"

namespace ui {

// An ImGui context, current from construction to destruction.
class ImGuiSession {
 public:
  ImGuiSession();
  ~ImGuiSession();
  ImGuiSession(const ImGuiSession&) = delete;
  ImGuiSession& operator=(const ImGuiSession&) = delete;
};

// The shell takes the input and says to ImGui what is to be drawn.
void update(Shell& shell, std::vector<KeyPress> keys);

// An update's draw data in pixels; whoever draws takes it from here. Needs an ImGuiSession.
class Frame {
 public:
  // How large the picture is now.
  static int width();
  static int height();

  // Takes what the last update said and finds what differs from the frame before. `forget`: the
  // pixels of the frame before are lost.
  void take(const Shell& shell, bool forget);
  const FramePlan& plan() const { return plan_; }

  // The texture of the letters, when it is another than at the last call.
  struct Letters {
    int width, height;
    const std::uint8_t* coverage;
  };
  std::optional<Letters> new_letters(const Shell& shell);

 private:
  FramePlan plan_;
  long letters_ = -1;  // the version of the fonts
};

class Picture {
 public:
  // Draws what the last update said, and of it only what differs from the frame before, in bands
  // side by side. `forget` as of Frame.
  void draw(const Shell& shell, gl::Raster::Storage storage = {}, bool forget = false);
  // Boxes that the last draw drew anew.
  const std::vector<gl::Box>& drawn() const { return frame_.plan().boxes(); }
  const gl::Raster& pixels() const { return raster_; }

 private:
  void draw_part(const gl::Box& part, FramePlan::Steps& steps);

  Frame frame_;
  gl::Raster raster_;
  std::vector<FramePlan::Steps> steps_;  // for each thread
};

}  // namespace ui
