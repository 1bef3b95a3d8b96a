// How long a frame with one heatmap takes, as a window without a GPU shows it, by the shader and by
// one quad a cell, on a windowless
// framebuffer of 1600 x 1000. Minima of many frames, each waited for; beside the time on the wall
// stands the processor's, which other programs disturb less and which is all there is to a frame
// when the driver draws in software.
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/theme.h"
#include "app/gl/canvas.h"
#include "app/gl/heatmap.h"
#include "app/gl/program.h"
#include "app/gl/raster.h"
#include "app/gl/window.h"
#include "core/parallel.h"

namespace {

constexpr int kWidth = 1600, kHeight = 1000;
constexpr int kRounds = 30;
constexpr float kSide = 912;  // pixels of the heatmap, as in a window of this size

struct Cost {
  double wall_ms = 1e30, cpu_ms = 1e30;

  void add(const std::function<void()>& frame) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const std::clock_t cpu = std::clock();
    gl::clear(kWidth, kHeight, 14, 17, 22);
    frame();
    glFinish();
    const std::chrono::duration<double, std::milli> wall = Clock::now() - begin;
    wall_ms = std::min(wall_ms, wall.count());
    cpu_ms = std::min(cpu_ms, 1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  }
};

Cost cost_of(const std::function<void()>& frame, int count) {
  Cost best;
  for (int i = 0; i < count; ++i) best.add(frame);
  return best;
}

std::string text_of(const Cost& cost) {
  return fmt::format("{:>8.2f} {:>8.2f}", cost.wall_ms, cost.cpu_ms);
}

std::vector<float> values(int n) {
  std::vector<float> v(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  std::uint32_t state = 1;
  for (float& x : v) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return v;
}

gl::CellsQuad quad_of(const std::vector<float>& v, int n, const figure::ValueColors& colors) {
  gl::CellsQuad q;
  q.slot = "bench";
  q.version = 1;
  q.values = v.data();
  q.rows = q.cols = n;
  q.cells = q.shown = {0, static_cast<double>(n), 0, static_cast<double>(n)};
  q.rect = {40, 40, kSide, kSide};
  q.clip = {0, 0, kWidth, kHeight};
  q.colors = &colors;
  return q;
}

// The usual way: two coloured triangles a cell, kept in a buffer on the GPU.
class Quads {
 public:
  Quads(const std::vector<float>& v, int n, const figure::ValueColors& colors) {
    program_ = gl::make_program(
        "quads",
        "#version 330 core\nlayout(location=0) in vec2 a_at;\nlayout(location=1) in vec4 a_color;\n"
        "out vec4 t_color;\nvoid main() { t_color = a_color; gl_Position = vec4(a_at, 0, 1); }\n",
        "#version 330 core\nin vec4 t_color;\nout vec4 o_color;\n"
        "void main() { o_color = t_color; }\n");
    glGenVertexArrays(1, &array_);
    glGenBuffers(2, buffers_);
    glBindVertexArray(array_);
    fill(v, n, colors);
  }
  ~Quads() {
    glDeleteBuffers(2, buffers_);
    glDeleteVertexArrays(1, &array_);
    glDeleteProgram(program_);
  }
  Quads(const Quads&) = delete;
  Quads& operator=(const Quads&) = delete;

  void draw() const {
    glDisable(GL_SCISSOR_TEST);
    glUseProgram(program_);
    glBindVertexArray(array_);
    glDrawElements(GL_TRIANGLES, count_, GL_UNSIGNED_INT, nullptr);
  }

 private:
  struct Vertex {
    float x, y;
    figure::Rgba color;
  };

  void fill(const std::vector<float>& v, int n, const figure::ValueColors& colors) {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    vertices.reserve(4 * v.size());
    indices.reserve(6 * v.size());
    const float cell = kSide / static_cast<float>(n);
    for (int i = 0; i < n * n; ++i) {
      const auto row = static_cast<float>(i / n), col = static_cast<float>(i % n);
      const auto first = static_cast<std::uint32_t>(vertices.size());
      for (const auto& [dx, dy] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
        const float x = 40 + (col + static_cast<float>(dx)) * cell;
        const float y = 40 + (row + static_cast<float>(dy)) * cell;
        vertices.push_back({2 * x / kWidth - 1, 1 - 2 * y / kHeight,
                            colors.color(v[static_cast<std::size_t>(i)])});
      }
      for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) indices.push_back(first + corner);
    }
    count_ = static_cast<GLsizei>(indices.size());
    glBindBuffer(GL_ARRAY_BUFFER, buffers_[0]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)),
                 vertices.data(), GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers_[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, static_cast<GLsizeiptr>(indices.size() * 4),
                 indices.data(), GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), nullptr);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex),
                          reinterpret_cast<const void*>(8));
  }

  GLuint program_ = 0, array_ = 0, buffers_[2] = {};
  GLsizei count_ = 0;
};

// A picture that the processor draws and that is then copied to the framebuffer.
class Painted {
 public:
  void draw(const gl::CellsQuad& quad) {
    canvas_.begin(kWidth, kHeight, gl::Canvas::Source::put);
    raster_.begin(kWidth, kHeight, {canvas_.top_first(), canvas_.blue_first()});
    constexpr int kRows = 25;
    core::parallel_for(kHeight / kRows, 0, [&](core::Index k, int) {
      const int y = static_cast<int>(k) * kRows;
      const gl::Box band{0, y, kWidth, y + kRows};
      raster_.fill(band, {14, 17, 22, 255});
      raster_.cells(band, quad);
    });
    const gl::Box whole{0, 0, kWidth, kHeight};
    canvas_.put(std::span(&whole, 1), raster_.pixels());
    canvas_.end(true);
  }

 private:
  gl::Raster raster_;
  gl::Canvas canvas_;
};

// A matrix of n x n cells in every way of drawing it.
class Row {
 public:
  explicit Row(int n)
      : n_(n), colors_({}, figure::theme(figure::ThemeName::dark)), values_(values(n)) {
    // As the program draws: pooled so far that a pixel has no more than one cell.
    const int level = figure::level_for(n, kSide);
    const auto side = static_cast<int>(figure::pooled_size(n, level));
    cells_.resize(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    figure::DenseSource(nullptr, values_.data(), n, n)
        .pooled(level, {0, 0, side, side}, figure::Pool::max, cells_.data(), {});
    pooled_ = quad_of(cells_, side, colors_);
    status_ = pooled_;
    whole_ = quad_of(values_, n, colors_);
  }

  // One frame of each kind but the quads. The sizes take turns, so that what else the machine does
  // meets them all.
  void measure() {
    fresh_.add([&] { painted_.draw(pooled_); });
    still_.add([&] { draw(still_shader_, status_, 0); });
    shaded_.add([&] { draw(shader_, pooled_, 1); });
    unpooled_.add([&] { draw(shader_, whole_, 1); });
  }

  void print(bool with_quads) const {
    std::string quads = "-", ratio = "-";
    if (with_quads) {
      const Quads drawn(values_, n_, colors_);
      const Cost cost = cost_of([&] { drawn.draw(); }, n_ > 1024 ? 3 : 10);
      quads = text_of(cost);
      ratio = fmt::format("{:.0f}", cost.cpu_ms / fresh_.cpu_ms);
    }
    fmt::print("{:>5}^2 | {:>17} | {:>17} | {:>17} | {:>17} | {:>17} | {:>5}\n", n_,
               text_of(fresh_), text_of(still_), text_of(shaded_), text_of(unpooled_), quads,
               ratio);
  }

 private:
  static void draw(gl::HeatmapRenderer& renderer, gl::CellsQuad& quad, int versions) {
    quad.version += static_cast<std::uint64_t>(versions);
    renderer.draw(quad, kWidth, kHeight);
    renderer.end_frame();
  }

  int n_;
  figure::ValueColors colors_;
  std::vector<float> values_, cells_;
  gl::CellsQuad pooled_, status_, whole_;
  Painted painted_;
  gl::HeatmapRenderer shader_, still_shader_;
  Cost fresh_, still_, shaded_, unpooled_;
};

}  // namespace

// The largest side that is also drawn by quads may be given (4096^2 of them take 1 GB).
int main(int argc, char** argv) {
  try {
    const int largest_quads = argc > 1 ? std::atoi(argv[1]) : 2048;
    const gl::Windowless context(kWidth, kHeight);
    const Cost empty = cost_of([] {}, 30);
    fmt::print("{}\nms a frame of {} x {}, heatmap {} pixels a side; an empty frame takes {}\n\n",
               gl::description(), kWidth, kHeight, kSide, text_of(empty));
    fmt::print("{:7} | {:17} | {:17} | {:17} | {:17} | {:17} | ratio\n", "cells", "painted, new",
               "by shader, still", "by shader, new", "unpooled, new", "a quad a cell");
    fmt::print("{0:7} | {1} | {1} | {1} | {1} | {1} | cpu\n", "", "    wall      cpu");
    std::vector<std::unique_ptr<Row>> rows;
    const int sizes[] = {512, 1024, 2048, 4096};
    for (const int n : sizes) rows.push_back(std::make_unique<Row>(n));
    for (int round = 0; round < kRounds; ++round) {
      for (const auto& row : rows) row->measure();
    }
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->print(sizes[i] <= largest_quads);
    const std::string errors = gl::take_errors();
    fmt::print("{}", errors);
    return errors.empty() ? 0 : 1;
  } catch (const std::exception& e) {
    fmt::print(stderr, "heatmap_bench: {}\n", e.what());
    return 1;
  }
}
