#include "app/ui/renderer.h"

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
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // lists of more than 65,536 vertices
  map_keys(io);
}

ImGuiSession::~ImGuiSession() { ImGui::DestroyContext(); }

bool Renderer::frame(Shell& shell, std::vector<KeyPress> keys, Show show) {
  update(shell, std::move(keys));
  return draw(shell, show);
}

void Renderer::update(Shell& shell, std::vector<KeyPress> keys) {
  shell.prepare();
  ImGui::NewFrame();
  shell.frame(std::move(keys));
  ImGui::Render();
}

bool Renderer::draw(const Shell& shell, Show show) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const auto pixels = [](float size, float ratio) { return static_cast<int>(size * ratio); };
  const int width = pixels(data.DisplaySize.x, data.FramebufferScale.x);
  const int height = pixels(data.DisplaySize.y, data.FramebufferScale.y);
  if (width <= 0 || height <= 0) return false;
  take_letters(shell.gui().fonts());
  if (canvas_.begin(width, height)) plan_.forget();
  plan_.make(data, width, height, shell.gui().theme().window, static_cast<std::uint64_t>(letters_));
  const bool changed = !plan_.boxes().empty();
  if (changed) {
    triangles_.begin({data.DisplaySize.x, data.DisplaySize.y, width, height, canvas_.top_first()},
                     plan_.vertices(), plan_.indices());
  }
  for (const FramePlan::Step& step : plan_.steps()) run(step, width, height);
  canvas_.end(changed || show == Show::always);
  for (const gl::CellsQuad& cells : plan_.cells()) heatmaps_.keep(cells.slot);
  heatmaps_.end_frame();
  return changed;
}

// The atlas is built anew when characters are missing or the scale changes.
void Renderer::take_letters(const Fonts& fonts) {
  if (letters_ == fonts.version()) return;
  letters_ = fonts.version();
  unsigned char* coverage = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&coverage, &width, &height);
  triangles_.set_letters(width, height, coverage);
}

void Renderer::run(const FramePlan::Step& step, int width, int height) {
  switch (step.kind) {
    case FramePlan::Step::Kind::fill:
      gl::fill(step.box.x0, canvas_.top_first() ? step.box.y0 : height - step.box.y1,
               step.box.width(), step.box.height(), step.color.r, step.color.g, step.color.b);
      return;
    case FramePlan::Step::Kind::triangles:
      triangles_.draw(step.box, step.first, step.count, step.ink);
      return;
    case FramePlan::Step::Kind::cells:
      heatmaps_.draw(*step.cells, width, height, plan_.boxes(), canvas_.top_first());
      triangles_.interrupted();
      return;
  }
}

}  // namespace ui
