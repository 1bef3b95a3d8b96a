// Draws cells as colours on the GPU: the shader is a port of figure::ValueColors::bin.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/figure/drawing.h"

namespace gl {

// Cells to draw, all in framebuffer pixels with y down.
struct CellsQuad {
  std::string slot;               // names the texture that is kept between frames
  std::uint64_t version = 0;      // the texture is uploaded again when this changes
  const float* values = nullptr;  // rows x cols
  int rows = 0, cols = 0;
  figure::View cells;  // where the image's edges lie, in cells of the source
  figure::View shown;  // which cells fill `rect`
  figure::Rect rect;   // where
  figure::Rect clip;   // scissor
  const figure::ValueColors* colors = nullptr;
  float hatch_period = 6;  // of masked cells, in pixels
};

// Needs a current context from construction to destruction.
class HeatmapRenderer {
 public:
  HeatmapRenderer();
  ~HeatmapRenderer();
  void draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height);
  // Forgets textures that were not drawn since the last call but one.
  void end_frame();

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace gl
