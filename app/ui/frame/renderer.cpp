#include "app/ui/frame/renderer.h"

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/gl/heatmap.h"
#include "app/gl/triangles.h"
#include "app/gl/window.h"
#include "core/system/environment.h"
#include "core/types.h"

namespace ui {

struct Renderer::Driver {
  Frame frame;
  gl::HeatmapRenderer heatmaps;
  gl::Triangles triangles;
  FramePlan::Steps steps;

  void draw(const Shell& shell, bool forget);
  void run(const FramePlan::Step& step);
};

void Renderer::Driver::draw(const Shell& shell, bool forget) {
  if (const auto letters = frame.new_letters(shell)) {
    triangles.set_letters(letters->width, letters->height, letters->coverage);
  }
  frame.take(shell, forget);
  const FramePlan& plan = frame.plan();
  steps.steps.clear(), steps.indices.clear();
  plan.plan(plan.boxes(), steps);
  const ImVec2 size = ImGui::GetDrawData()->DisplaySize;
  if (!plan.boxes().empty()) {
    triangles.begin({size.x, size.y, Frame::width(), Frame::height()}, plan.vertices(),
                    steps.indices);
  }
  for (const FramePlan::Step& step : steps.steps) run(step);
  for (const gl::CellsQuad& cells : plan.cells()) heatmaps.keep(cells.slot);
  heatmaps.end_frame();
}

void Renderer::Driver::run(const FramePlan::Step& step) {
  using Kind = FramePlan::Step::Kind;
  const gl::Box& box = step.box;
  switch (step.kind) {
    case Kind::fill:
      gl::fill(box.x0, Frame::height() - box.y1, box.width(), box.height(), step.color.r,
               step.color.g, step.color.b);
      break;
    case Kind::triangles: triangles.draw(box, step.first, step.count, step.ink); break;
    case Kind::cells:
      heatmaps.draw(*step.cells, Frame::width(), Frame::height(), frame.plan().boxes());
      triangles.interrupted();
      break;
  }
}

namespace {

std::optional<Renderer::By> requested() {
  const std::string setting = core::environment("ATTNSCOPE_DRAW").value_or("");
  if (setting.empty()) return std::nullopt;
  if (setting == "driver") return Renderer::By::driver;
  if (setting == "processor") return Renderer::By::processor;
  throw core::InputError("ATTNSCOPE_DRAW: expected driver or processor, got " + setting);
}

}  // namespace

bool show_on(const gl::Window& window, ImGuiIO& io) {
  const gl::Size units = window.size(), pixels = window.pixels();
  if (units.width <= 0 || units.height <= 0) return false;
  const auto w = static_cast<float>(units.width), h = static_cast<float>(units.height);
  io.DisplaySize = {w, h};
  io.DisplayFramebufferScale = {static_cast<float>(pixels.width) / w,
                                static_cast<float>(pixels.height) / h};
  return true;
}

Renderer::Renderer(std::optional<By> by) {
  if (!by) by = requested();
  if (!by) by = gl::draws_on_processor() ? By::processor : By::driver;
  if (by == By::driver) driver_ = std::make_unique<Driver>();
}

Renderer::~Renderer() = default;

const std::vector<gl::Box>& Renderer::drawn() const {
  return driver_ ? driver_->frame.plan().boxes() : picture_.drawn();
}

bool Renderer::frame(Shell& shell, std::vector<KeyPress> keys, Show show) {
  update(shell, std::move(keys));
  return draw(shell, show);
}

bool Renderer::draw(const Shell& shell, Show show) {
  if (Frame::width() <= 0 || Frame::height() <= 0) return false;
  const auto source = driver_ ? gl::Canvas::Source::drawn : gl::Canvas::Source::put;
  const bool undefined = canvas_.begin(Frame::width(), Frame::height(), source);
  if (driver_) {
    driver_->draw(shell, undefined);
  } else {
    picture_.draw(shell, {canvas_.top_first(), canvas_.blue_first()}, undefined);
    canvas_.put(picture_.drawn(), picture_.pixels().pixels());
  }
  const bool changed = !drawn().empty();
  canvas_.end(changed || show == Show::always);
  return changed;
}

}  // namespace ui
