// Draws cells as colours on the GPU: the shader is a port of figure::ValueColors::bin.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "app/gl/cells.h"

namespace gl {

struct HeatmapOptions {
  int texture_limit = 0;  // lowers the driver's largest texture, for tests; 0 asks the driver
};

// Draws cells. Needs a current context from construction to destruction.
//
// `draw` sets all the state that it needs and restores none: program, vertex array, viewport,
// scissor, blending and the textures of units 0 to 2 are left changed (unit 0 stays active).
class HeatmapRenderer {
 public:
  explicit HeatmapRenderer(const HeatmapOptions& options = {});
  ~HeatmapRenderer();
  // Images larger than the driver's textures are sampled at the pixels shown before the upload.
  void draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height);
  // The same within some boxes only, which do not overlap.
  void draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height,
            std::span<const Box> boxes);
  // Says that a slot is on screen although it is not drawn now.
  void keep(const std::string& slot);
  // Forgets textures that were neither drawn nor kept since the last call but one.
  void end_frame();

  // How often values were uploaded for the shader, how often pixels were painted and uploaded
  // instead, and how many slots are kept.
  long uploads() const;
  long paintings() const;
  int slots() const;

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace gl
