#include "app/gl/triangles.h"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "app/gl/canvas.h"
#include "app/gl/raster.h"
#include "gl_fixture.h"

namespace triangles_test {

namespace {

constexpr int kWidth = 90, kHeight = 70;
constexpr std::uint32_t kRed = 0xff0000ff, kHalfGreen = 0x8000ff00;
using Pixel = std::array<int, 3>;

Pixel at(const gl::Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * kWidth + x)];
  return {p[0], p[1], p[2]};
}

// Two triangles: a red one over the left, and a half transparent letter over the right.
gl::Image drawn(gl::Triangles& triangles, const gl::Box& box) {
  const std::vector<gl::Vertex> vertices{{0, 0, 0, 0, kRed},        {30, 0, 0, 0, kRed},
                                         {0, 35, 0, 0, kRed},       {30, 0, 0, 0, kHalfGreen},
                                         {45, 0, 1, 0, kHalfGreen}, {45, 35, 1, 1, kHalfGreen}};
  const std::vector<std::uint32_t> indices{0, 1, 2, 3, 4, 5};
  gl::clear(kWidth, kHeight, 10, 20, 30);
  triangles.begin({45, 35, kWidth, kHeight}, vertices, indices);
  triangles.draw(box, 0, 3, gl::Ink::plain);
  triangles.draw(box, 3, 3, gl::Ink::letters);
  CHECK(gl::take_errors() == "");
  return gl::read_pixels(kWidth, kHeight);
}

}  // namespace

TEST_CASE("triangles have their colours, letters their coverage, and boxes clip") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::Triangles triangles;
  const std::array<std::uint8_t, 4> half{128, 128, 128, 128};
  triangles.set_letters(2, 2, half.data());
  const gl::Image whole = drawn(triangles, {0, 0, kWidth, kHeight});
  CHECK(at(whole, 1, 1) == Pixel{255, 0, 0});
  CHECK(at(whole, 40, 60) == Pixel{10, 20, 30});
  const Pixel letter = at(whole, 85, 10);  // a quarter of green over the ground
  CHECK(letter[0] == doctest::Approx(10 * 0.748).epsilon(0.1));
  CHECK(letter[1] == doctest::Approx(20 * 0.748 + 255 * 0.252).epsilon(0.03));
  const gl::Box box{10, 5, 80, 20};
  const gl::Image part = drawn(triangles, box);
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool inside = x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1;
      wrong += at(part, x, y) != (inside ? at(whole, x, y) : Pixel{10, 20, 30});
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a canvas keeps its picture and shows it in the framebuffer that was current") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::Canvas canvas;
  CHECK(canvas.begin(kWidth, kHeight));
  gl::clear(kWidth, kHeight, 1, 2, 3);
  gl::fill(0, kHeight - 10, 20, 10, 200, 100, 50);
  canvas.end(false);
  gl::clear(kWidth, kHeight, 0, 0, 0);
  CHECK_FALSE(canvas.begin(kWidth, kHeight));
  canvas.end(true);
  const gl::Image image = gl::read_pixels(kWidth, kHeight);
  CHECK(at(image, 5, 5) == Pixel{200, 100, 50});
  CHECK(at(image, 25, 5) == Pixel{1, 2, 3});
  CHECK(at(image, 5, 15) == Pixel{1, 2, 3});
  CHECK(canvas.begin(kWidth, kHeight - 1));
  canvas.end(false);
}

TEST_CASE("a canvas takes over boxes of a picture in memory") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::Canvas canvas;
  CHECK(canvas.begin(kWidth, kHeight, gl::Canvas::Source::put));
  gl::Raster raster;
  raster.begin(kWidth, kHeight, {canvas.top_first(), canvas.blue_first()});
  const gl::Box whole{0, 0, kWidth, kHeight};
  raster.fill(whole, {1, 2, 3, 255});
  canvas.put(std::span(&whole, 1), raster.pixels());
  raster.fill(whole, {200, 100, 50, 255});
  const std::vector<gl::Box> boxes{{0, 0, 10, 5}, {80, 60, 90, 70}};
  canvas.put(boxes, raster.pixels());
  canvas.end(true);
  CHECK(gl::take_errors() == "");
  const gl::Image image = gl::read_pixels(kWidth, kHeight);
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const bool inside = (x < 10 && y < 5) || (x >= 80 && y >= 60);
      wrong += at(image, x, y) != (inside ? Pixel{200, 100, 50} : Pixel{1, 2, 3});
    }
  }
  CHECK(wrong == 0);
}

}  // namespace triangles_test
