// Paints a laid-out figure into an ImGui draw list. Cells are drawn by a renderer of their own: a
// callback in the list stands where they lie.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "app/figure/drawing.h"
#include "app/gl/cells.h"
#include "app/ui/draw/fonts.h"
#include "app/worker/tile_service.h"

struct ImDrawList;
struct ImDrawCmd;

namespace ui {

class ScreenPainter {
 public:
  // Tiles of heatmaps are kept within the budget, which lives longer.
  ScreenPainter(const Fonts& fonts, std::function<void()> wake, worker::MemoryBudget& budget);

  void begin_frame();
  // Finds the values of all cells that were painted in this frame, side by side.
  void end_frame();

  // Paints with its origin at `origin`; `slot` tells the pictures of different figures apart.
  // `zoom` makes everything smaller or larger; letters, which are as large as the window's scale
  // makes them, by `letters` where that is another.
  void paint(ImDrawList& list, const std::vector<figure::Primitive>& primitives,
             figure::Point origin, const std::string& slot, float zoom = 1,
             std::optional<float> letters = std::nullopt);

  // True while finer cells are being made.
  bool busy() const { return tiles_.busy(); }

  // The cells that a callback of a draw list stands for, in the list's units and without a clip;
  // null when it is not one of ours. They live until the frame after has begun.
  static const gl::CellsQuad* cells_of(const ImDrawCmd& command);

 private:
  // What one callback draws; alive until the frame after has begun.
  struct Job {
    gl::CellsQuad quad;  // without values until the end of the frame
    std::shared_ptr<const worker::CellsImage> image;
    std::shared_ptr<const figure::ValueColors> colors;
  };
  static void show(Job& job, std::shared_ptr<const worker::CellsImage> image);
  static void here(const ImDrawList*, const ImDrawCmd*) {}

  void cells(ImDrawList& list, const figure::draw::Cells& cells, figure::Point origin,
             const std::string& slot, float zoom);

  const Fonts& fonts_;
  worker::TileService tiles_;
  std::deque<Job> jobs_;
  std::vector<worker::TileService::Question> questions_;  // of each job
};

}  // namespace ui
