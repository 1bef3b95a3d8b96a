#include "app/ui/renderer.h"

#include <imgui.h>

#include <algorithm>

#include "app/gl/heatmap.h"
#include "app/gl/triangles.h"
#include "app/gl/window.h"
#include "core/parallel.h"

namespace ui {

namespace {

using Step = FramePlan::Step;

// Pixels that are worth waking a thread, and parts for each thread, since some have more in them.
constexpr long kWorthAThread = 1 << 15, kPartsAThread = 8;
constexpr int kLeastRows = 8;

// The boxes cut into parts about as large as each other.
std::vector<gl::Box> parts_of(const std::vector<gl::Box>& boxes, int threads) {
  long all = 0;
  for (const gl::Box& box : boxes) all += area(box);
  const long most = std::max(all / (kPartsAThread * threads), kWorthAThread);
  std::vector<gl::Box> parts;
  for (const gl::Box& box : boxes) {
    const auto rows = static_cast<int>(std::max<long>(most / box.width(), kLeastRows));
    for (int y = box.y0; y < box.y1; y += rows) {
      parts.push_back({box.x0, y, box.x1, std::min(y + rows, box.y1)});
    }
  }
  return parts;
}

}  // namespace

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

struct Renderer::Driver {
  gl::HeatmapRenderer heatmaps;
  gl::Triangles triangles;
  FramePlan::Steps plan;
};

Renderer::Renderer(std::optional<By> by) {
  if (!by) by = gl::draws_on_processor() ? By::processor : By::driver;
  if (by == By::driver) driver_ = std::make_unique<Driver>();
}

Renderer::~Renderer() = default;

bool Renderer::draw(const Shell& shell, Show show) {
  const ImDrawData& data = *ImGui::GetDrawData();
  const auto pixels = [](float size, float ratio) { return static_cast<int>(size * ratio); };
  const int width = pixels(data.DisplaySize.x, data.FramebufferScale.x);
  const int height = pixels(data.DisplaySize.y, data.FramebufferScale.y);
  if (width <= 0 || height <= 0) return false;
  take_letters(shell.gui().fonts());
  const auto source = driver_ ? gl::Canvas::Source::drawn : gl::Canvas::Source::put;
  if (canvas_.begin(width, height, source)) plan_.forget();
  if (!driver_ && raster_.begin(width, height, {canvas_.top_first(), canvas_.blue_first()}))
    plan_.forget();
  plan_.take(data, width, height, shell.gui().theme().window, static_cast<std::uint64_t>(letters_));
  const bool changed = !plan_.boxes().empty();
  if (driver_) {
    draw_by_driver(width, height);
  } else {
    draw_by_processor();
  }
  canvas_.end(changed || show == Show::always);
  return changed;
}

// The atlas is built anew when characters are missing or the scale changes.
void Renderer::take_letters(const Fonts& fonts) {
  if (letters_ == fonts.version()) return;
  letters_ = fonts.version();
  unsigned char* coverage = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&coverage, &width, &height);
  if (driver_) {
    driver_->triangles.set_letters(width, height, coverage);
  } else {
    raster_.set_letters(width, height, coverage);
  }
}

void Renderer::draw_by_driver(int width, int height) {
  auto& [heatmaps, triangles, plan] = *driver_;
  plan.steps.clear(), plan.indices.clear();
  plan_.plan(plan_.boxes(), plan);
  const ImVec2 size = ImGui::GetDrawData()->DisplaySize;
  if (!plan.steps.empty()) {
    triangles.begin({size.x, size.y, width, height}, plan_.vertices(), plan.indices);
  }
  for (const Step& step : plan.steps) {
    const gl::Box& box = step.box;
    switch (step.kind) {
      case Step::Kind::fill:
        gl::fill(box.x0, height - box.y1, box.width(), box.height(), step.color.r, step.color.g,
                 step.color.b);
        break;
      case Step::Kind::triangles:
        triangles.draw(box, step.first, step.count, step.ink);
        break;
      case Step::Kind::cells:
        heatmaps.draw(*step.cells, width, height, plan_.boxes());
        triangles.interrupted();
        break;
    }
  }
  for (const gl::CellsQuad& cells : plan_.cells()) heatmaps.keep(cells.slot);
  heatmaps.end_frame();
}

void Renderer::draw_by_processor() {
  const int threads = core::thread_count(0);
  const std::vector<gl::Box> parts = parts_of(plan_.boxes(), threads);
  steps_.resize(static_cast<std::size_t>(threads));
  core::parallel_for(std::ssize(parts), threads, [&](core::Index part, int worker) {
    draw_part(parts[static_cast<std::size_t>(part)], steps_[static_cast<std::size_t>(worker)]);
  });
  canvas_.put(plan_.boxes(), raster_.pixels());
}

void Renderer::draw_part(const gl::Box& part, FramePlan::Steps& plan) {
  plan.steps.clear(), plan.indices.clear();
  plan_.plan({&part, 1}, plan);
  const gl::Raster::Ratio ratio{plan_.ratio().x, plan_.ratio().y};
  for (const Step& step : plan.steps) {
    switch (step.kind) {
      case Step::Kind::fill:
        raster_.fill(step.box, step.color);
        break;
      case Step::Kind::triangles:
        raster_.draw(step.box, plan_.vertices(),
                     std::span(plan.indices).subspan(step.first, step.count), step.ink, ratio);
        break;
      case Step::Kind::cells:
        raster_.cells(common(step.box, part), *step.cells);
        break;
    }
  }
}

}  // namespace ui
