#include "app/ui/frame/notes_window.h"

#include <imgui.h>

#include "app/ui/frame/renderer.h"
#include "app/ui/frame/window_icon.h"

namespace ui {

namespace {

constexpr int kWidth = 960, kHeight = 680, kAway = 48;  // window units

}  // namespace

// Makes its contexts the current ones for a while.
class NotesWindow::Current {
 public:
  explicit Current(const NotesWindow& notes)
      : window_(notes.beside_), imgui_(ImGui::GetCurrentContext()) {
    notes.window_->make_current();
    ImGui::SetCurrentContext(notes.imgui_);
  }
  ~Current() {
    ImGui::SetCurrentContext(imgui_);
    window_.make_current();
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  gl::Window& window_;
  ImGuiContext* imgui_;
};

NotesWindow::NotesWindow(gl::Window& beside, const std::string& title) : beside_(beside) {
  try {
    window_ = std::make_unique<gl::Window>(kWidth, kHeight, title, true);
  } catch (...) {
    beside_.make_current();
    throw;
  }
  give_icon(*window_);
  window_->share_keys_of(beside_);
  window_->wait_for_screen(false);  // the other window does
  canvas_ = std::make_unique<gl::Canvas>();
  beside_.make_current();
  ImGuiContext* other = ImGui::GetCurrentContext();
  imgui_ = ImGui::CreateContext(ImGui::GetIO().Fonts);
  ImGui::SetCurrentContext(imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui::SetCurrentContext(other);
  window_->float_beside(beside_, kAway);
}

NotesWindow::~NotesWindow() {
  {
    const Current current(*this);
    canvas_.reset();
  }
  ImGui::DestroyContext(imgui_);
  window_.reset();
  beside_.make_current();
}

void NotesWindow::draw(Shell& shell) {
  ImFont* font = ImGui::GetIO().FontDefault;
  const Current current(*this);
  ImGuiIO& io = ImGui::GetIO();
  io.FontDefault = font;  // the letters may have been made anew
  if (!show_on(*window_, io)) return;
  io.DeltaTime = 1.0f / 60;
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  ImGui::NewFrame();
  shell.notes_frame();
  ImGui::Render();
  const bool undefined = canvas_->begin(Frame::width(), Frame::height(), gl::Canvas::Source::put);
  picture_.draw(shell, {canvas_->top_first(), canvas_->blue_first()}, undefined);
  canvas_->put(picture_.drawn(), picture_.pixels().pixels());
  canvas_->end(true);
  window_->present();
}

}  // namespace ui
