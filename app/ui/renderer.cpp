#include "app/ui/renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/gl/window.h"

namespace ui {

ImGuiSession::ImGuiSession() {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = true;
  map_keys(io);
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(); }

Renderer::Renderer() {
  if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
    throw gl::Unavailable("the drawing of the controls could not be set up");
  }
  heatmaps_ = std::make_unique<gl::HeatmapRenderer>();
}

Renderer::~Renderer() { ImGui_ImplOpenGL3_Shutdown(); }

void Renderer::frame(Shell& shell, std::vector<KeyPress> keys) {
  update(shell, std::move(keys));
  draw(shell);
}

void Renderer::update(Shell& shell, std::vector<KeyPress> keys) {
  shell.painter().set_renderer(heatmaps_.get());
  // The first texture is made by NewFrame itself.
  if (shell.prepare() && started_) {
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
  }
  started_ = true;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  shell.frame(std::move(keys));
  ImGui::Render();
  surfaces_.take_from(*ImGui::GetDrawData());
}

void Renderer::draw(const Shell& shell) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pixels = [](float size, float ratio) { return static_cast<int>(size * ratio); };
  const figure::Rgba back = shell.gui().theme().window;
  gl::clear(pixels(io.DisplaySize.x, io.DisplayFramebufferScale.x),
            pixels(io.DisplaySize.y, io.DisplayFramebufferScale.y), back.r, back.g, back.b);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  heatmaps_->end_frame();
}

}  // namespace ui
