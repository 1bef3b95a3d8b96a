// ImGui on OpenGL: what the window and the windowless picture have in common.
#pragma once

#include <memory>

#include "app/gl/heatmap.h"
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
  Renderer();
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  // One whole frame of the shell into the current framebuffer.
  void frame(Shell& shell, std::vector<KeyPress> keys);

 private:
  std::unique_ptr<gl::HeatmapRenderer> heatmaps_;
  bool started_ = false;  // a frame was drawn
};

}  // namespace ui
