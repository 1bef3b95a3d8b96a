#include "app/gl/raster.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "app/gl/triangles.h"
#include "gl_fixture.h"

namespace raster_test {

namespace {

using gl::Box;
using gl::Ink;
using gl::Raster;
using gl::Vertex;
using Pixel = std::array<int, 4>;

constexpr int kWidth = 160, kHeight = 120;
constexpr Box kWhole{0, 0, kWidth, kHeight};
constexpr figure::Rgba kGround{10, 20, 30, 255};
constexpr std::uint32_t kRed = 0xff0000ff, kHalfGreen = 0x8000ff00;

Pixel at(const gl::Image& image, int x, int y) {
  const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * image.width + x)];
  return {p[0], p[1], p[2], p[3]};
}

struct Scene {
  Ink ink = Ink::plain;
  std::vector<Vertex> vertices = {};
  std::vector<std::uint32_t> indices = {};

  void triangle(const Vertex& a, const Vertex& b, const Vertex& c) {
    for (const Vertex& v : {a, b, c}) {
      indices.push_back(static_cast<std::uint32_t>(vertices.size()));
      vertices.push_back(v);
    }
  }
  // As ImDrawList makes them.
  void rectangle(float x0, float y0, float x1, float y1, std::uint32_t color) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    vertices.insert(vertices.end(), {{x0, y0, 0.1f, 0.2f, color},
                                     {x1, y0, 0.9f, 0.2f, color},
                                     {x1, y1, 0.9f, 0.7f, color},
                                     {x0, y1, 0.1f, 0.7f, color}});
    for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) indices.push_back(first + corner);
  }
};

// Sixteen by sixteen texels of every coverage.
std::vector<std::uint8_t> letters() {
  std::vector<std::uint8_t> coverage(256);
  for (std::size_t i = 0; i < 256; ++i) coverage[i] = static_cast<std::uint8_t>(i * 73 % 256);
  return coverage;
}

gl::Image painted(const Scene& scene, std::span<const Box> boxes, Raster::Storage storage = {},
                  Raster::Ratio ratio = {}) {
  Raster raster;
  raster.set_letters(16, 16, letters().data());
  CHECK(raster.begin(kWidth, kHeight, storage));
  raster.fill(kWhole, kGround);
  for (const Box& box : boxes) {
    raster.draw(box, scene.vertices, scene.indices, scene.ink, ratio);
  }
  return raster.image();
}

gl::Image painted(const Scene& scene) { return painted(scene, std::span(&kWhole, 1)); }

gl::Image by_driver(const Scene& scene, Raster::Ratio ratio = {}) {
  gl::Triangles triangles;
  triangles.set_letters(16, 16, letters().data());
  gl::clear(kWidth, kHeight, kGround.r, kGround.g, kGround.b);
  triangles.begin({kWidth / ratio.x, kHeight / ratio.y, kWidth, kHeight}, scene.vertices,
                  scene.indices);
  triangles.draw(kWhole, 0, scene.indices.size(), scene.ink);
  CHECK(gl::take_errors() == "");
  return gl::read_pixels(kWidth, kHeight);
}

// How many pixels differ by more than `most` in a channel.
int differing(const gl::Image& a, const gl::Image& b, int most) {
  REQUIRE(a.rgba.size() == b.rgba.size());
  int count = 0;
  for (std::size_t i = 0; i < a.rgba.size(); i += 4) {
    int worst = 0;
    for (std::size_t k = i; k < i + 4; ++k)
      worst = std::max(worst, std::abs(a.rgba[k] - b.rgba[k]));
    count += worst > most;
  }
  return count;
}

int colored(const gl::Image& image, const Pixel& color) {
  int count = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) count += at(image, x, y) == color;
  }
  return count;
}

float between(std::mt19937& random, float lo, float hi) {
  return std::uniform_real_distribution<float>(lo, hi)(random);
}

Vertex some_vertex(std::mt19937& random, std::uint32_t color) {
  return {between(random, -40, kWidth + 40), between(random, -40, kHeight + 40),
          between(random, 0, 1), between(random, 0, 1), color};
}

}  // namespace

TEST_CASE("a pixel belongs to a rectangle when its centre does, its upper and left rim included") {
  Scene scene;
  scene.rectangle(10, 20, 13, 22, kRed);              // whole pixels
  scene.rectangle(30.5f, 20.5f, 33.5f, 22.5f, kRed);  // from centre to centre
  scene.rectangle(50.6f, 20, 50.9f, 22, kRed);        // between two centres
  const gl::Image image = painted(scene);
  CHECK(at(image, 10, 20) == Pixel{255, 0, 0, 255});
  CHECK(at(image, 12, 21) == Pixel{255, 0, 0, 255});
  CHECK(at(image, 30, 20) == Pixel{255, 0, 0, 255});
  CHECK(at(image, 32, 21) == Pixel{255, 0, 0, 255});
  CHECK(colored(image, {255, 0, 0, 255}) == 6 + 6);
}

TEST_CASE("a rectangle may be given from any corner") {
  Scene scene, turned;
  scene.rectangle(10.25f, 20, 33, 41.5f, kHalfGreen);
  turned.rectangle(33, 41.5f, 10.25f, 20, kHalfGreen);
  CHECK(differing(painted(scene), painted(turned), 0) == 0);
  CHECK(at(painted(turned), 20, 30) != Pixel{10, 20, 30, 255});
}

TEST_CASE("what is half transparent is blended and rounded") {
  Scene scene;
  scene.rectangle(0, 0, 4, 4, kHalfGreen);
  // 128 of 255 of the ink, the rest of the ground.
  const auto mixed = [](int ink, int ground) {
    return static_cast<int>(std::lround((128.0 * ink + 127.0 * ground) / 255));
  };
  CHECK(at(painted(scene), 1, 1) == Pixel{mixed(0, 10), mixed(255, 20), mixed(0, 30), 255});
  scene = {};
  scene.triangle({0, 0, 0, 0, kHalfGreen}, {40, 0, 0, 0, kHalfGreen}, {0, 40, 0, 0, kHalfGreen});
  CHECK(at(painted(scene), 1, 1) == Pixel{mixed(0, 10), mixed(255, 20), mixed(0, 30), 255});
}

TEST_CASE("triangles around a point leave no pixel out and draw none twice") {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    Scene scene;
    const Vertex middle{between(random, 60, 100), between(random, 40, 80), 0, 0, kHalfGreen};
    constexpr int kCount = 13;
    const auto rim = [&](int k) {
      const double angle = 2 * std::numbers::pi * k / kCount + round;
      return Vertex{middle.x + 200 * static_cast<float>(std::cos(angle)),
                    middle.y + 200 * static_cast<float>(std::sin(angle)), 0, 0, kHalfGreen};
    };
    for (int k = 0; k < kCount; ++k) scene.triangle(middle, rim(k), rim((k + 1) % kCount));
    const gl::Image image = painted(scene);
    CHECK(colored(image, at(image, 0, 0)) == kWidth * kHeight);
    CHECK(at(image, 0, 0) != Pixel{10, 20, 30, 255});
  }
}

TEST_CASE("the driver draws the same") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  std::mt19937 random(4);
  for (const float ratio : {1.0f, 1.5f}) {
    for (const Ink ink : {Ink::plain, Ink::letters}) {
      CAPTURE(ratio);
      CAPTURE(static_cast<int>(ink));
      constexpr int kRounds = 60;
      int apart = 0;
      for (int round = 0; round < kRounds; ++round) {
        Scene scene{.ink = ink};
        for (int k = 0; k < 3; ++k) {
          const auto color = static_cast<std::uint32_t>(random());
          const bool shaded = ink == Ink::plain && k == 2;
          const auto vertex = [&](std::uint32_t alpha) {
            if (shaded) return some_vertex(random, static_cast<std::uint32_t>(random()));
            // A letter has one colour, else alpha alone changes.
            return some_vertex(random, ink == Ink::letters ? color : (color & 0xffffff) | alpha);
          };
          scene.triangle(vertex(0xff000000), vertex(0x40000000), vertex(0));
          const float x = between(random, -10, kWidth), y = between(random, -10, kHeight);
          scene.rectangle(x, y, x + between(random, 0, 40), y + between(random, 0, 40), color);
        }
        const gl::Image ours =
            painted(scene, std::span(&kWhole, 1), {}, Raster::Ratio{ratio, ratio});
        apart += differing(ours, by_driver(scene, {ratio, ratio}), 3);
      }
      // Single pixels on the slanted rims: the driver's all lie higher by a step.
      CHECK(apart < 4 * kRounds);
    }
  }
}

TEST_CASE("parts of a picture, in either order of rows and channels, are as the whole") {
  std::mt19937 random(5);
  const std::array<Box, 4> parts{
      {{0, 0, 47, kHeight}, {47, 0, kWidth, 31}, {47, 31, kWidth, 32}, {47, 32, kWidth, kHeight}}};
  for (const Ink ink : {Ink::plain, Ink::letters}) {
    Scene scene{.ink = ink};
    for (int k = 0; k < 20; ++k) {
      const auto color = static_cast<std::uint32_t>(random());
      scene.triangle(some_vertex(random, color), some_vertex(random, color ^ 0x7f000000),
                     some_vertex(random, k % 2 == 0 ? color : color ^ 0x5a5a5a));
      scene.rectangle(between(random, 0, 100), between(random, 0, 80), between(random, 60, 160),
                      between(random, 60, 120), color);
    }
    const gl::Image whole = painted(scene);
    CHECK(colored(whole, {10, 20, 30, 255}) < kWidth * kHeight / 2);
    for (const bool top : {true, false}) {
      for (const bool blue : {true, false}) {
        CHECK(differing(painted(scene, parts, {top, blue}), whole, 0) == 0);
      }
    }
    const Box one = parts[1];
    const gl::Image part = painted(scene, std::span(&one, 1));
    CHECK(at(part, 20, 20) == Pixel{10, 20, 30, 255});
    CHECK(at(part, 100, 31) == Pixel{10, 20, 30, 255});
    CHECK(at(part, 100, 30) == at(whole, 100, 30));
  }
}

TEST_CASE("the bytes lie as asked for") {
  for (const bool blue_first : {false, true}) {
    for (const bool top_first : {false, true}) {
      Raster raster;
      CHECK(raster.begin(4, 3, {top_first, blue_first}));
      CHECK_FALSE(raster.begin(4, 3, {top_first, blue_first}));
      raster.fill({0, 0, 4, 3}, {1, 2, 3, 255});
      raster.fill({-5, -5, 1, 1}, {200, 100, 50, 255});
      const std::uint32_t first = raster.pixels()[top_first ? 0 : 8];
      CHECK(first == (blue_first ? 0xffc86432u : 0xff3264c8u));
      CHECK(raster.pixels()[top_first ? 8 : 0] == (blue_first ? 0xff010203u : 0xff030201u));
    }
  }
}

TEST_CASE("no corner is too strange") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::array<float, 12> strange{kNan,  kInf, -kInf, 3e38f, -3e38f, 1e9f,
                                      -1e9f, 9e6f, -9e6f, 0,     1e-40f, 50};
  std::mt19937 random(6);
  const auto any = [&] { return strange[random() % strange.size()]; };
  for (const Ink ink : {Ink::plain, Ink::letters}) {
    Scene scene{.ink = ink};
    for (int k = 0; k < 3000; ++k) {
      const auto color = static_cast<std::uint32_t>(random());
      scene.triangle({any(), any(), 0, 1, color}, {any(), any(), 1, 0, color ^ 0x33000000},
                     {any(), any(), 0.5f, 0.5f, k % 2 == 0 ? color : ~color});
      scene.rectangle(any(), any(), any(), any(), color);
    }
    scene.ink = ink;
    const gl::Image image = painted(scene);
    CHECK(image.rgba.size() == 4u * kWidth * kHeight);
  }
  // A long thin triangle from far outside still lies where it should.
  Scene scene;
  scene.triangle({-9e6f, 60, 0, 0, kRed}, {9e6f, 60, 0, 0, kRed}, {9e6f, 70, 0, 0, kRed});
  const gl::Image image = painted(scene);
  CHECK(at(image, 80, 62) == Pixel{255, 0, 0, 255});
  CHECK(at(image, 80, 66) == Pixel{10, 20, 30, 255});
}

}  // namespace raster_test
