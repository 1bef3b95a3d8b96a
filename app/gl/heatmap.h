// Draws cells as colours on the GPU: the shader is a port of figure::ValueColors::bin.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/figure/drawing.h"
#include "app/gl/box.h"

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
  float hatch_period = 6;  // of masked cells, in pixels; rounded to whole ones, at least 2
};

// One axis of a quad: `count` cells of the image lie between `cells0` and `cells1`, and the cells
// from `shown0` to `shown1` fill the pixels from `at` to `at + size`.
struct PixelAxis {
  double cells0, cells1, shown0, shown1, at, size;
  int count;
};
PixelAxis column_axis(const CellsQuad& quad);
PixelAxis row_axis(const CellsQuad& quad);

// The convention of which pixel shows which cell; the renderer draws by this very function. A pixel
// belongs to the rectangle when its centre does, and it shows the cell in which its centre lies.
// -1 when the centre lies outside of the rectangle or of the image.
int cell_of_pixel(const PixelAxis& axis, int pixel);

// Whether a masked cell shows the hatch colour at this pixel: lines of one pixel at 45 degrees that
// run through the whole framebuffer, so that neighbouring cells join.
bool hatched(int x, int y, float hatch_period);

struct HeatmapOptions {
  int texture_limit = 0;  // lowers the driver's largest texture, for tests; 0 asks the driver
  // Whether the processor paints what changes from frame to frame, too, and the shader nothing;
  // unset: where the driver draws on the processor as well.
  std::optional<bool> on_processor;
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
  // The same within some boxes only, which do not overlap; `top_first` as of Canvas.
  void draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height,
            std::span<const Box> boxes, bool top_first = false);
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
