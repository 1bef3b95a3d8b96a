// Cells shown as pixels: which pixel shows which cell, and their colours painted by the processor.
#pragma once

#include <cstdint>
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

// The convention of which pixel shows which cell; everything that draws cells does so by this very
// function. A pixel belongs to the rectangle when its centre does, and it shows the cell in which
// its centre lies. -1 when the centre lies outside of the rectangle or of the image.
int cell_of_pixel(const PixelAxis& axis, int pixel);

// Whether a masked cell shows the hatch colour at this pixel: lines of one pixel at 45 degrees that
// run through the whole framebuffer, so that neighbouring cells join.
bool hatched(int x, int y, float hatch_period);
int period_of(float hatch_period);  // in whole pixels

// Adjacent pixels of one axis and the cell that each shows.
struct PixelSpan {
  int begin = 0;
  std::vector<std::int32_t> cells;
  int size() const { return static_cast<int>(cells.size()); }
  int end() const { return begin + size(); }
};
// The pixels from `low` to before `high` whose centres lie in the quad's rectangle, clip and image.
PixelSpan columns_of(const CellsQuad& quad, int low, int high);
PixelSpan rows_of(const CellsQuad& quad, int low, int high);

// Throws std::invalid_argument when the quad lacks values or colours.
void check(const CellsQuad& quad);

// A colour as one word, red in the lowest byte.
std::uint32_t packed(figure::Rgba color);

// Paints rows of pixels in the colours of their cells.
class CellsPainter {
 public:
  // The quad must outlive this; `columns` are the pixels of every row. `blue_first` exchanges red
  // and blue in what is painted.
  CellsPainter(const CellsQuad& quad, const PixelSpan& columns, bool blue_first = false);
  // A row of columns.size() pixels at `y`, which shows the cells of `row`. The cells' colours are
  // found once for successive rows that show the same.
  void paint(int y, std::int32_t row, std::uint32_t* out);

 private:
  void find_colors(std::int32_t row);
  std::uint32_t ordered(figure::Rgba color) const;

  const CellsQuad& quad_;
  const PixelSpan& columns_;
  bool blue_first_;
  int period_;
  std::int32_t row_ = -1;            // which `line_` shows
  std::vector<std::uint32_t> line_;  // without the hatch
  std::vector<int> masked_;          // where the hatch may run
};

}  // namespace gl
