// Paints a laid-out figure into an ImGui draw list. Cells go to the GPU through a callback.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "app/figure/drawing.h"
#include "app/gl/heatmap.h"
#include "app/ui/fonts.h"
#include "app/worker/tile_service.h"

struct ImDrawList;
struct ImDrawCmd;

namespace ui {

class ScreenPainter {
 public:
  // Without a renderer (tests have no GL) cells are asked for but not drawn.
  ScreenPainter(const Fonts& fonts, std::function<void()> wake);

  void set_renderer(gl::HeatmapRenderer* renderer) { renderer_ = renderer; }
  void begin_frame();

  // Paints with its origin at `origin`; `slot` tells the pictures of different figures apart.
  // `zoom` makes everything but cells smaller or larger.
  void paint(ImDrawList& list, const std::vector<figure::Primitive>& primitives,
             figure::Point origin, const std::string& slot, const figure::Theme& theme,
             float zoom = 1);

  // Finer cells are still being made.
  bool busy() const { return tiles_.busy(); }

 private:
  // What one callback draws; alive until the frame after has begun.
  struct Job {
    ScreenPainter* painter = nullptr;
    gl::CellsQuad quad;
    std::shared_ptr<const worker::CellsImage> image;
    std::shared_ptr<const figure::ValueColors> colors;
  };
  static void run(const ImDrawList* list, const ImDrawCmd* command);

  void cells(ImDrawList& list, const figure::draw::Cells& cells, figure::Point origin,
             const std::string& slot, const figure::Theme& theme);

  const Fonts& fonts_;
  worker::TileService tiles_;
  gl::HeatmapRenderer* renderer_ = nullptr;
  std::deque<Job> jobs_;
};

}  // namespace ui
