#include "app/ui/frame/notes_window.h"

#include "app/ui/frame/window_icon.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace ui {

namespace {

constexpr int kWidth = 960, kHeight = 680, kAway = 48;  // window units

}  // namespace

// Makes its contexts the current ones for a while.
class NotesWindow::Current {
 public:
  explicit Current(const NotesWindow& notes)
      : window_(notes.beside_), imgui_(ImGui::GetCurrentContext()) {
    glfwMakeContextCurrent(notes.handle());
    ImGui::SetCurrentContext(notes.imgui_);
  }
  ~Current() {
    ImGui::SetCurrentContext(imgui_);
    glfwMakeContextCurrent(window_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  GLFWwindow* window_;
  ImGuiContext* imgui_;
};

NotesWindow::NotesWindow(GLFWwindow* beside, const std::string& title) : beside_(beside) {
  try {
    window_ = std::make_unique<gl::Window>(kWidth, kHeight, title, true);
  } catch (...) {
    glfwMakeContextCurrent(beside_);
    throw;
  }
  give_icon(handle());
  glfwSwapInterval(0);  // the other window waits for the screen
  canvas_ = std::make_unique<gl::Canvas>();
  glfwMakeContextCurrent(beside_);
  ImGuiContext* other = ImGui::GetCurrentContext();
  imgui_ = ImGui::CreateContext(ImGui::GetIO().Fonts);
  ImGui::SetCurrentContext(imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui::SetCurrentContext(other);
  const auto [x, y] = gl::free_place(beside_, kAway);
  glfwSetWindowPos(handle(), x, y);
  glfwSetWindowAttrib(handle(), GLFW_FLOATING, GLFW_TRUE);
}

NotesWindow::~NotesWindow() {
  {
    const Current current(*this);
    canvas_.reset();
  }
  ImGui::DestroyContext(imgui_);
  window_.reset();
  glfwMakeContextCurrent(beside_);
}

bool NotesWindow::closed() const { return glfwWindowShouldClose(handle()) == GLFW_TRUE; }

void NotesWindow::draw(Shell& shell) {
  int w = 0, h = 0, pixels_w = 0, pixels_h = 0;
  glfwGetWindowSize(handle(), &w, &h);
  glfwGetFramebufferSize(handle(), &pixels_w, &pixels_h);
  if (w <= 0 || h <= 0) return;
  ImFont* font = ImGui::GetIO().FontDefault;
  const Current current(*this);
  ImGuiIO& io = ImGui::GetIO();
  io.FontDefault = font;  // the letters may have been made anew
  io.DisplaySize = {static_cast<float>(w), static_cast<float>(h)};
  io.DisplayFramebufferScale = {static_cast<float>(pixels_w) / static_cast<float>(w),
                                static_cast<float>(pixels_h) / static_cast<float>(h)};
  io.DeltaTime = 1.0f / 60;
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  ImGui::NewFrame();
  shell.notes_frame();
  ImGui::Render();
  const bool undefined = canvas_->begin(Frame::width(), Frame::height(), gl::Canvas::Source::put);
  picture_.draw(shell, {canvas_->top_first(), canvas_->blue_first()}, undefined);
  canvas_->put(picture_.drawn(), picture_.pixels().pixels());
  canvas_->end(true);
  glfwSwapBuffers(handle());
}

}  // namespace ui
