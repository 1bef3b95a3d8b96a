// ImGui on OpenGL: what the window and the windowless picture have in common.
#pragma once

#include <memory>

#include "app/gl/heatmap.h"
#include "app/ui/shell.h"
#include "app/ui/surfaces.h"

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
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // One whole frame of the shell into the current framebuffer: both of the following.
  void frame(Shell& shell, std::vector<KeyPress> keys);
  // The shell takes the input and says what is to be drawn.
  void update(Shell& shell, std::vector<KeyPress> keys);
  // Draws what the last update said.
  void draw(const Shell& shell);

 private:
  std::unique_ptr<gl::HeatmapRenderer> heatmaps_;
  Surfaces surfaces_;
  bool started_ = false;  // a frame was drawn
};

}  // namespace ui
