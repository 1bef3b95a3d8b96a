// The lecturer's own window during a lecture: notes, what comes next, the clock.
#pragma once

#include <memory>

#include "app/gl/canvas.h"
#include "app/gl/window.h"
#include "app/ui/frame/picture.h"

struct ImGuiContext;

namespace ui {

// It has a GL context and an ImGui context of its own and shares the letters and the keys of the
// other window, whose contexts are current again after each call.
class NotesWindow {
 public:
  // `beside`: the window that fills a screen; this one opens on another, where there is one. Throws
  // gl::Unavailable.
  NotesWindow(gl::Window& beside, const std::string& title);
  ~NotesWindow();
  NotesWindow(const NotesWindow&) = delete;
  NotesWindow& operator=(const NotesWindow&) = delete;

  // Whether a person wants to close it.
  bool closed() { return window_->take_close(); }
  void draw(Shell& shell);

 private:
  class Current;

  gl::Window& beside_;
  std::unique_ptr<gl::Window> window_;
  ImGuiContext* imgui_ = nullptr;
  std::unique_ptr<gl::Canvas> canvas_;
  Picture picture_;
};

}  // namespace ui
