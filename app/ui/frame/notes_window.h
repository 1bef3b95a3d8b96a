// The lecturer's own window during a lecture: notes, what comes next, the clock.
#pragma once

#include <memory>

#include "app/gl/canvas.h"
#include "app/gl/window.h"
#include "app/ui/frame/picture.h"

struct ImGuiContext;

namespace ui {

// It has a GL context and an ImGui context of its own and shares the letters of the other window,
// whose contexts are current again after each call.
class NotesWindow {
 public:
  // `beside`: the window that fills a screen; this one opens on another, where there is one. Throws
  // gl::Unavailable.
  NotesWindow(GLFWwindow* beside, const std::string& title);
  ~NotesWindow();
  NotesWindow(const NotesWindow&) = delete;
  NotesWindow& operator=(const NotesWindow&) = delete;

  GLFWwindow* handle() const { return window_->handle(); }
  bool closed() const;
  void draw(Shell& shell);

 private:
  class Current;

  GLFWwindow* beside_;
  std::unique_ptr<gl::Window> window_;
  ImGuiContext* imgui_ = nullptr;
  std::unique_ptr<gl::Canvas> canvas_;
  Picture picture_;
};

}  // namespace ui
