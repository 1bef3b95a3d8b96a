#include "app/gl/heatmap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "app/figure/theme.h"
#include "app/gl/raster.h"
#include "gl_fixture.h"

namespace heatmap_test {

namespace {

using figure::ColorScale;
using figure::Index;
using figure::MapName;
using figure::Rgba;
using figure::Transform;
using figure::ValueColors;

constexpr int kWidth = 400, kHeight = 300;
constexpr Rgba kBackground{12, 34, 56, 255};
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// What the screen should show, by the CPU's definitions alone.
Rgba expected(const gl::CellsQuad& q, int x, int y) {
  const auto inside = [](float at, float size, int p) {
    return p + 0.5 >= at && p + 0.5 < static_cast<double>(at) + static_cast<double>(size);
  };
  if (!inside(q.clip.x, q.clip.w, x) || !inside(q.clip.y, q.clip.h, y)) return kBackground;
  const int col = cell_of_pixel(column_axis(q), x), row = cell_of_pixel(row_axis(q), y);
  if (col < 0 || row < 0) return kBackground;
  const float value = q.values[static_cast<std::ptrdiff_t>(row) * q.cols + col];
  if (core::is_masked(value) && gl::hatched(x, y, q.hatch_period)) return q.colors->hatch();
  return q.colors->color(value);
}

// How many pixels differ from what they should be.
int mismatches(const gl::Image& image, const std::vector<gl::CellsQuad>& quads) {
  int count = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      Rgba want = kBackground;
      for (const gl::CellsQuad& quad : quads) {
        const Rgba here = expected(quad, x, y);
        if (!(here == kBackground)) want = here;
      }
      const std::uint8_t* got = &image.rgba[4 * static_cast<std::size_t>(y * kWidth + x)];
      if (!(Rgba{got[0], got[1], got[2], got[3]} == want)) ++count;
    }
  }
  return count;
}

int mismatches(const std::vector<gl::CellsQuad>& quads) {
  return mismatches(gl::read_pixels(kWidth, kHeight), quads);
}

int drawn_wrong(gl::HeatmapRenderer& renderer, const std::vector<gl::CellsQuad>& quads) {
  int wrong = 0;
  // A picture that stands still is drawn in another way from its second frame on.
  for (int frame = 0; frame < 2; ++frame) {
    gl::clear(kWidth, kHeight, kBackground.r, kBackground.g, kBackground.b);
    for (const gl::CellsQuad& quad : quads) renderer.draw(quad, kWidth, kHeight);
    renderer.end_frame();
    CHECK(gl::take_errors() == "");
    wrong += mismatches(quads);
  }
  return wrong;
}

// The same painted by the processor, in both orders of rows and channels.
int painted_wrong(const std::vector<gl::CellsQuad>& quads) {
  int wrong = 0;
  for (const bool as_window : {false, true}) {
    gl::Raster raster;
    raster.begin(kWidth, kHeight, {.top_first = as_window, .blue_first = as_window});
    const gl::Box whole{0, 0, kWidth, kHeight};
    raster.fill(whole, kBackground);
    for (const gl::CellsQuad& quad : quads) raster.cells(whole, quad);
    wrong += mismatches(raster.image(), quads);
  }
  return wrong;
}

// A quad that shows `values`, one cell a pixel unless the test changes it.
gl::CellsQuad quad_of(const std::vector<float>& values, int rows, int cols,
                      const ValueColors& colors) {
  gl::CellsQuad q;
  q.slot = "test";
  static std::uint64_t version = 0;
  q.version = ++version;
  q.values = values.data();
  q.rows = rows;
  q.cols = cols;
  q.cells = q.shown = {0, static_cast<double>(cols), 0, static_cast<double>(rows)};
  q.rect = {3, 5, static_cast<float>(cols), static_cast<float>(rows)};
  q.clip = {0, 0, kWidth, kHeight};
  q.colors = &colors;
  return q;
}

std::vector<ColorScale> scales() {
  std::vector<ColorScale> out{
      {MapName::viridis, Transform::linear, 0, 1},
      {MapName::cividis, Transform::linear, -3.1f, 2.7f},
      {MapName::magma, Transform::log, 1e-6f, 1},
      {MapName::gray, Transform::log, 1e-42f, 3e38f},  // from a denormal
      {MapName::diverging, Transform::linear, -34.5f, 34.5f},
      {MapName::diverging, Transform::symlog, -100, 100, 1e-3f},
      {MapName::diverging, Transform::symlog, -1e-40f, 1e-40f, 1e-43f},  // denormals only
      {MapName::viridis, Transform::linear, 0, 3e-45f},  // three floats: most bins are empty
      {MapName::viridis, Transform::linear, 0, 0},
      {MapName::magma, Transform::linear, -0.0f, 5},
      {MapName::viridis, Transform::linear, -3.4e38f, 3.4e38f},
      {MapName::viridis, Transform::linear, -5, -1},
      {MapName::groups, Transform::linear, 0, 256},
  };
  return out;
}

// Each edge and its neighbours, and every kind of float there is.
std::vector<float> special_values(const ValueColors& colors) {
  std::vector<float> v{0.0f,   -0.0f,   kInfinity,       -kInfinity, core::kMasked, 1e-45f, -1e-45f,
                       1e-40f, -1e-40f, 1.17549435e-38f, 3.4028e38f, -3.4028e38f,   1,      -1};
  for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fc0a77fu, 0xffc0a77eu,
                                   0x7fffffffu, core::kMaskedBits}) {
    v.push_back(std::bit_cast<float>(bits));
  }
  std::vector<float> edges(colors.edges().begin(), colors.edges().end());
  edges.push_back(colors.scale().lo);
  edges.push_back(colors.scale().hi);
  for (const float edge : edges) {
    v.push_back(edge);
    v.push_back(std::nextafter(edge, -kInfinity));
    v.push_back(std::nextafter(edge, kInfinity));
  }
  return v;
}

// `count` values: the special ones, then random ones within and beyond the scale, then random bits.
std::vector<float> values_for(const ValueColors& colors, std::size_t count, std::mt19937& random) {
  std::vector<float> v = special_values(colors);
  const ColorScale& s = colors.scale();
  std::uniform_real_distribution<double> unit(-0.1, 1.1);
  while (v.size() < count) {
    const double at = unit(random);
    const double lo = s.lo, hi = s.hi;
    if (v.size() % 4 == 0) {
      v.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    } else if (s.transform == Transform::log) {
      v.push_back(static_cast<float>(std::exp(std::log(lo) + at * (std::log(hi) - std::log(lo)))));
    } else {
      v.push_back(static_cast<float>(lo + at * (hi - lo)));
    }
  }
  v.resize(count);
  return v;
}

}  // namespace

TEST_CASE("which pixel shows which cell") {
  // Ten cells over twenty pixels from 3: two pixels a cell.
  const gl::PixelAxis plain{0, 10, 0, 10, 3, 20, 10};
  CHECK(gl::cell_of_pixel(plain, 2) == -1);
  CHECK(gl::cell_of_pixel(plain, 3) == 0);
  CHECK(gl::cell_of_pixel(plain, 4) == 0);
  CHECK(gl::cell_of_pixel(plain, 5) == 1);
  CHECK(gl::cell_of_pixel(plain, 22) == 9);
  CHECK(gl::cell_of_pixel(plain, 23) == -1);
  // A centre on the border of two cells belongs to the later one, one on the end to none.
  const gl::PixelAxis half{0, 4, 0, 4, 0.5, 4, 4};
  CHECK(gl::cell_of_pixel(half, 0) == 0);
  CHECK(gl::cell_of_pixel(half, 1) == 1);
  CHECK(gl::cell_of_pixel(half, 4) == -1);
  // Pooled cells that reach beyond the matrix, shown in part.
  const gl::PixelAxis pooled{8, 24, 10, 20, 0, 10, 2};
  CHECK(gl::cell_of_pixel(pooled, 0) == 0);
  CHECK(gl::cell_of_pixel(pooled, 5) == 0);
  CHECK(gl::cell_of_pixel(pooled, 6) == 1);
  // More shown than the image has: pixels without a cell.
  const gl::PixelAxis short_image{0, 5, -5, 10, 0, 15, 5};
  CHECK(gl::cell_of_pixel(short_image, 4) == -1);
  CHECK(gl::cell_of_pixel(short_image, 5) == 0);
  CHECK(gl::cell_of_pixel(short_image, 9) == 4);
  CHECK(gl::cell_of_pixel(short_image, 10) == -1);
  // Nothing to show: no pixel, and no division by zero that is taken for a cell.
  CHECK(gl::cell_of_pixel({0, 0, 0, 0, 0, 10, 5}, 5) == -1);
  CHECK(gl::cell_of_pixel({0, 5, 0, 5, 0, 0, 5}, 0) == -1);
}

TEST_CASE("shader and painter equal the definition on every scale, theme and kind of value") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer shader;
  std::mt19937 random(5);
  for (const figure::ThemeName name : {figure::ThemeName::dark, figure::ThemeName::light}) {
    for (const ColorScale& scale : scales()) {
      CAPTURE(scale.lo);
      CAPTURE(scale.hi);
      const ValueColors colors(scale, figure::theme(name));
      const int rows = 250, cols = 350;
      const auto values = values_for(colors, static_cast<std::size_t>(rows * cols), random);
      const gl::CellsQuad quad = quad_of(values, rows, cols, colors);
      CHECK(drawn_wrong(shader, {quad}) == 0);
      CHECK(painted_wrong({quad}) == 0);
    }
  }
  CHECK(shader.uploads() == 2 * std::ssize(scales()));
  CHECK(shader.paintings() == shader.uploads());  // in the second frame
}

TEST_CASE("shader and painter equal the definition at any size, zoom and offset") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer shader;
  std::mt19937 random(6);
  const auto between = [&](double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random);
  };
  const ValueColors colors({MapName::viridis, Transform::linear, 0, 1},
                           figure::theme(figure::ThemeName::dark));
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const int rows = static_cast<int>(between(1, round % 3 == 0 ? 900 : 20));
    const int cols = static_cast<int>(between(1, round % 3 == 0 ? 900 : 20));
    auto values = values_for(colors, static_cast<std::size_t>(rows * cols), random);
    std::shuffle(values.begin(), values.end(), random);
    gl::CellsQuad q = quad_of(values, rows, cols, colors);
    const double pooled = std::exp2(std::floor(between(0, 6)));
    const double col = std::floor(between(0, 5000)), row = std::floor(between(0, 5000));
    q.cells = {col * pooled, (col + cols) * pooled, row * pooled, (row + rows) * pooled};
    const auto part = [&](double a, double b, double& lo, double& hi) {
      lo = a + (b - a) * between(-0.1, 0.6);
      hi = lo + (b - a) * between(0.001, 0.6);
    };
    part(q.cells.x0, q.cells.x1, q.shown.x0, q.shown.x1);
    part(q.cells.y0, q.cells.y1, q.shown.y0, q.shown.y1);
    if (round % 4 == 0) q.shown = q.cells;
    q.rect = {static_cast<float>(between(-100, 300)), static_cast<float>(between(-100, 200)),
              static_cast<float>(between(0, 500)), static_cast<float>(between(0, 400))};
    q.clip = {static_cast<float>(between(-10, 100)), static_cast<float>(between(-10, 100)),
              static_cast<float>(between(50, 500)), static_cast<float>(between(50, 500))};
    q.hatch_period = static_cast<float>(between(0, 15));
    CHECK(drawn_wrong(shader, {q}) == 0);
    CHECK(painted_wrong({q}) == 0);
  }
}

TEST_CASE("cells that share an edge leave no gap and no overlap") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer renderer;
  const ValueColors colors({}, figure::theme(figure::ThemeName::light));
  const std::vector<float> one(1, 0.25f), two(1, 0.75f);
  gl::CellsQuad left = quad_of(one, 1, 1, colors), right = quad_of(two, 1, 1, colors);
  right.slot = "other";
  left.rect = {10.25f, 10, 100.25f, 50};
  right.rect = {110.5f, 10, 80, 50};
  CHECK(drawn_wrong(renderer, {left, right}) == 0);
  const gl::Image image = gl::read_pixels(kWidth, kHeight);
  int background = 0;
  for (int x = 10; x < 190; ++x) {
    if (image.rgba[4 * static_cast<std::size_t>(20 * kWidth + x)] == kBackground.r) ++background;
  }
  CHECK(background == 0);
}

TEST_CASE(
    "nothing outside of the rectangle and the clip is touched, and nothing drawn is no error") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer renderer;
  const ValueColors colors({}, figure::theme(figure::ThemeName::dark));
  const std::vector<float> values(100, 0.5f);
  gl::CellsQuad q = quad_of(values, 10, 10, colors);
  q.rect = {50, 50, 100, 100};
  q.clip = {70, 60, 20, 500};
  CHECK(drawn_wrong(renderer, {q}) == 0);
  const gl::Image image = gl::read_pixels(kWidth, kHeight);
  int touched = 0;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) touched += image.rgba[i] != kBackground.r;
  CHECK(touched == 20 * 90);
  for (const figure::Rect& nowhere :
       {figure::Rect{0, 0, 40, 40}, figure::Rect{60, 60, 0, 5}, figure::Rect{500, 0, 50, 50}}) {
    q.clip = nowhere;
    CHECK(drawn_wrong(renderer, {q}) == 0);
  }
  q = quad_of(values, 0, 0, colors);
  CHECK(drawn_wrong(renderer, {q}) == 0);
  q.values = nullptr;
  CHECK_THROWS_AS(renderer.draw(q, kWidth, kHeight), std::invalid_argument);
}

TEST_CASE("values go up once for each version and size, and are forgotten after two frames") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer renderer;
  const ValueColors dark({}, figure::theme(figure::ThemeName::dark));
  const ValueColors gray({MapName::gray}, figure::theme(figure::ThemeName::light));
  std::vector<float> values(64 * 64);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) / 4096;
  gl::CellsQuad q = quad_of(values, 64, 64, dark);
  for (int frame = 0; frame < 5; ++frame) CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 1);
  // Another view or other colours move no value.
  q.shown = {3.25, 17, 60, 64};
  q.colors = &gray;
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 1);
  // The texture is what is drawn, not the memory: the version says when to look again.
  values.assign(values.size(), 0.5f);
  gl::clear(kWidth, kHeight, kBackground.r, kBackground.g, kBackground.b);
  renderer.draw(q, kWidth, kHeight);
  CHECK(mismatches({q}) > 0);
  q.version += 1000;
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 2);
  q.rows = 32;  // another size under the same version
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 3);
  CHECK(renderer.slots() == 1);
  renderer.end_frame();
  CHECK(renderer.slots() == 1);  // one frame without it: it may only have been hidden
  renderer.end_frame();
  CHECK(renderer.slots() == 0);
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 4);
}

TEST_CASE("a picture that stands still is painted once") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer renderer;
  const ValueColors dark({}, figure::theme(figure::ThemeName::dark));
  const ValueColors gray({MapName::gray}, figure::theme(figure::ThemeName::light));
  const std::vector<float> values(64 * 64, core::kMasked);
  gl::CellsQuad q = quad_of(values, 64, 64, dark);
  long paintings = 0;
  const auto paints_again = [&](long more) {
    for (int frame = 0; frame < 3; ++frame) CHECK(drawn_wrong(renderer, {q}) == 0);
    CHECK(renderer.paintings() == paintings + more);
    paintings = renderer.paintings();
  };
  paints_again(1);
  paints_again(0);
  q.version += 1000;
  paints_again(1);
  q.shown = {3.25, 17, 60, 64};
  paints_again(1);
  q.colors = &gray;
  paints_again(1);
  q.rect.x += 1;  // the hatch stands still
  paints_again(1);
  q.hatch_period = 9;
  paints_again(1);
}

TEST_CASE("images beyond the driver's largest texture are drawn all the same") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer renderer({.texture_limit = 500});
  std::mt19937 random(8);
  const ValueColors colors({}, figure::theme(figure::ThemeName::dark));
  const int rows = 40, cols = 3000;
  auto values = values_for(colors, static_cast<std::size_t>(rows * cols), random);
  gl::CellsQuad q = quad_of(values, rows, cols, colors);
  q.rect = {10, 10, 380, 200};
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 1);
  q.shown = {1000, 1100.5, 3, 17};
  CHECK(drawn_wrong(renderer, {q}) == 0);
  CHECK(renderer.uploads() == 2);
  q.cols = 300;  // the first 300 of 3000 numbers: small enough for a texture again
  q.cells = q.shown = {0, 300, 0, 40};
  CHECK(drawn_wrong(renderer, {q}) == 0);
}

TEST_CASE("boxes show their part") {
  const auto context = try_windowless(kWidth, kHeight);
  if (!context) return;
  gl::HeatmapRenderer renderer;
  std::mt19937 random(9);
  const ValueColors colors({}, figure::theme(figure::ThemeName::dark));
  constexpr int side = 180;
  auto values = values_for(colors, static_cast<std::size_t>(side * side), random);
  gl::CellsQuad q = quad_of(values, side, side, colors);
  q.rect = {20.5f, 10, 200, 190};
  q.clip = {30, 12, 180, 160};
  const std::vector<gl::Box> boxes{{0, 0, 90, 60}, {100, 20, 300, 50}, {40, 100, 60, 240}};
  const auto wrong = [&](const gl::Image& image) {
    int count = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        const bool inside = std::any_of(boxes.begin(), boxes.end(), [&](const gl::Box& b) {
          return x >= b.x0 && x < b.x1 && y >= b.y0 && y < b.y1;
        });
        const Rgba want = inside ? expected(q, x, y) : kBackground;
        const std::uint8_t* p = &image.rgba[4 * static_cast<std::size_t>(y * kWidth + x)];
        count += !(Rgba{p[0], p[1], p[2], p[3]} == want);
      }
    }
    return count;
  };
  for (int frame = 0; frame < 3; ++frame) {
    gl::clear(kWidth, kHeight, kBackground.r, kBackground.g, kBackground.b);
    renderer.draw(q, kWidth, kHeight, boxes);
    renderer.end_frame();
    CHECK(wrong(gl::read_pixels(kWidth, kHeight)) == 0);
  }
  gl::Raster raster;
  raster.begin(kWidth, kHeight, {});
  raster.fill({0, 0, kWidth, kHeight}, kBackground);
  for (const gl::Box& box : boxes) raster.cells(box, q);
  CHECK(wrong(raster.image()) == 0);
}

}  // namespace heatmap_test
