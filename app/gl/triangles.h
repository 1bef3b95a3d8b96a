// Draws coloured triangles, plain or with the letters of a font's texture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "app/gl/box.h"

namespace gl {

struct Vertex {
  float x, y;           // in units of the picture, y down
  float u, v;           // in the texture, 0 to 1
  std::uint32_t color;  // red in the lowest byte; alpha is not multiplied in
};

enum class Ink { plain, letters };  // a letter's colour is multiplied by the texture's coverage

// Needs a current context from construction to destruction.
class Triangles {
 public:
  Triangles();
  ~Triangles();
  Triangles(const Triangles&) = delete;
  Triangles& operator=(const Triangles&) = delete;

  // The texture of the letters, one byte a texel, row by row.
  void set_letters(int width, int height, const std::uint8_t* coverage);

  // What the draws to come draw of, in a picture of width x height units on as many pixels as said.
  struct Picture {
    float width, height;
    int pixels_wide, pixels_high;
  };
  void begin(const Picture& picture, std::span<const Vertex> vertices,
             std::span<const std::uint32_t> indices);
  // Draws triangles of `count` indices from `first` within a box, blended over what is there.
  void draw(const Box& box, std::size_t first, std::size_t count, Ink ink);
  // To be called when somebody else has drawn since `begin`, other than by clearing.
  void interrupted() { bound_ = false; }

 private:
  struct Program {
    unsigned id = 0;
    int u_scale = -1, u_shift = -1;
  };
  void bind(Ink ink);

  Program plain_, letters_;
  unsigned vertex_array_ = 0, vertices_ = 0, indices_ = 0, texture_ = 0;
  Picture picture_{};
  bool bound_ = false;
  Ink ink_ = Ink::plain;
};

}  // namespace gl
