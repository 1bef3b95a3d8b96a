// Draws fills and triangles on the processor, into a picture in memory: the same as Triangles draws
// by OpenGL, for computers whose driver would do it on the processor too. A driver has to be ready
// for any shader; this is ready for rectangles, letters, and thin triangles, which a window is made
// of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/gl/box.h"
#include "app/gl/cells.h"
#include "app/gl/triangles.h"
#include "app/gl/window.h"

namespace gl {

class Raster {
 public:
  // The texture of the letters, one byte a texel, row by row.
  void set_letters(int width, int height, const std::uint8_t* coverage);

  // How the picture is stored.
  struct Storage {
    bool top_first = true;    // its rows begin at the top
    bool blue_first = false;  // the lowest byte of a pixel, and the third one red
    bool operator==(const Storage&) const = default;
  };
  // Makes the picture so many pixels large. True when its pixels are undefined: it is new or was of
  // another kind before.
  bool begin(int width, int height, Storage storage);

  // All of these draw within a box; several threads may draw in boxes that do not overlap.
  void fill(const Box& box, figure::Rgba color);
  // Triangles of three indices each, blended over what is there; `ratio` is pixels a unit.
  struct Ratio {
    float x = 1, y = 1;
  };
  void draw(const Box& box, std::span<const Vertex> vertices,
            std::span<const std::uint32_t> indices, Ink ink, Ratio ratio);
  void cells(const Box& box, const CellsQuad& quad);

  // All pixels, width x height, as they are stored; their alpha is 255.
  const std::uint32_t* pixels() const { return pixels_.data(); }
  Image image() const;

 private:
  class Brush;
  int stored(int y) const { return storage_.top_first ? y : height_ - 1 - y; }
  std::uint32_t* row(int y) { return pixels_.data() + std::ptrdiff_t{stored(y)} * width_; }
  Box seen(const Box& box) const;
  // A colour with red in the lowest byte as it lies in the picture, opaque.
  std::uint32_t ordered(std::uint32_t color) const;

  // The letters' texels above and below a place, and how far it lies between them, of 256. Places
  // count from the centre of the first texel; outside of the texture its rim goes on.
  struct TexelRows {
    const std::uint8_t *upper, *lower;
    std::uint32_t part;
  };
  TexelRows texel_rows(double v) const;
  // 0 to 255.
  std::uint32_t coverage(const TexelRows& rows, double u) const;

  int width_ = 0, height_ = 0;
  Storage storage_;
  std::vector<std::uint32_t> pixels_;
  int letters_wide_ = 0, letters_high_ = 0;
  std::vector<std::uint8_t> letters_;
};

}  // namespace gl
