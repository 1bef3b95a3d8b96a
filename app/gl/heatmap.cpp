#include "app/gl/heatmap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "app/gl/program.h"
#include "app/gl/window.h"
#include "core/parallel.h"

namespace gl {
namespace {

enum Unit : int { kValues = 0, kIndices = 1, kPalette = 2 };

using figure::ValueColors;

// Floats as integers in the same order; both zeros are one. The shader does the same to values.
std::uint32_t ordered(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0f : value);
  constexpr std::uint32_t kSign = 0x80000000u;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

// Texels of the palette, as the shader reads them: where each bin begins and ends, its colour.
using Palette = std::array<std::uint32_t, 4 * ValueColors::kBins>;

Palette palette_of(const ValueColors& colors) {
  Palette out{};
  const auto begin = [&](std::size_t bin) {
    return bin < figure::kMapSize ? ordered(colors.edges()[bin]) : ordered(colors.scale().hi) + 1;
  };
  for (std::size_t bin = 0; bin < ValueColors::kBins; ++bin) {
    if (bin < figure::kMapSize) {
      out[4 * bin] = begin(bin);
      out[4 * bin + 1] = begin(bin + 1);
    }
    out[4 * bin + 2] = packed(colors.colors()[bin]);
  }
  return out;
}

// What the hatch depends on beside the cells.
struct Ground {
  int x = 0, y = 0, hatch_period = 0;  // the first pixel
  figure::Rgba hatch;
  bool operator==(const Ground&) const = default;
};

// What is kept on the GPU under one name, and what it was made from: either the pixels' colours, or
// values and all that the shader needs to find them.
struct Slot {
  Texture values, indices, palette, pixels;
  std::uint64_t version = 0;
  int rows = 0, cols = 0;
  std::vector<std::int32_t> columns_made, rows_made;  // the cells shown
  Palette palette_made{};
  std::optional<Ground> painted;  // `pixels` are up to date, on this
  bool values_up = false, gathered = false, indices_up = false, palette_up = false;
  long last_frame = 0, changed_frame = 0;
};

// The cells that the pixels show, one a pixel: for images that no texture can hold.
std::vector<float> gather(const CellsQuad& quad, const PixelSpan& columns, const PixelSpan& rows) {
  std::vector<float> out;
  out.reserve(columns.cells.size() * rows.cells.size());
  for (const std::int32_t row : rows.cells) {
    const float* line = quad.values + std::ptrdiff_t{row} * quad.cols;
    for (const std::int32_t column : columns.cells) out.push_back(line[column]);
  }
  return out;
}

}  // namespace

// A program and its uniforms; -1 where it has none of that name, which GL then ignores.
struct Shader {
  GLuint program = 0;
  GLint u_origin = -1, u_height = -1, u_ends = -1, u_transform = -1, u_guess = -1;
  GLint u_hatch_period = -1, u_hatch = -1, u_edges = -1;

  void make(const std::string& name) {
    program = make_program(name);
    const auto place = [&](const char* uniform) { return glGetUniformLocation(program, uniform); };
    u_origin = place("u_origin");
    u_height = place("u_height");
    u_ends = place("u_ends");
    u_transform = place("u_transform");
    u_guess = place("u_guess");
    u_hatch_period = place("u_hatch_period");
    u_hatch = place("u_hatch");
    u_edges = place("u_edges");
    glUseProgram(program);
    glUniform1i(place("u_values"), kValues);
    glUniform1i(place("u_pixels"), kValues);
    glUniform1i(place("u_indices"), kIndices);
    glUniform1i(place("u_palette"), kPalette);
  }

  // Where the pixels are in a framebuffer of width x height.
  void set_place(const PixelSpan& across, const PixelSpan& down, int width, int height) const {
    glUniform2i(u_origin, across.begin, down.begin);
    glUniform1i(u_height, height);
    const auto x = [&](int pixel) { return static_cast<float>(2.0 * pixel / width - 1); };
    const auto y = [&](int pixel) { return static_cast<float>(1 - 2.0 * pixel / height); };
    glUniform4f(u_edges, x(across.begin), y(down.begin), x(across.end()), y(down.end()));
  }

  void set_scale(const ValueColors& colors, int hatch_period) const {
    const figure::ColorScale& scale = colors.scale();
    const ValueColors::Guess& guess = colors.guess();
    glUniform2ui(u_ends, ordered(scale.lo), ordered(scale.hi));
    glUniform1i(u_transform, static_cast<int>(scale.transform));
    glUniform3f(u_guess, guess.offset, guess.slope, scale.linear_below);
    glUniform1f(u_hatch_period, static_cast<float>(hatch_period));
    const figure::Rgba hatch = colors.hatch();
    const auto unit = [](std::uint8_t c) { return static_cast<float>(c) / 255.0f; };
    glUniform4f(u_hatch, unit(hatch.r), unit(hatch.g), unit(hatch.b), unit(hatch.a));
  }
};

struct HeatmapRenderer::Inner {
  Shader by_value, by_pixel;
  GLuint vertices = 0;
  int texture_limit = 0;
  std::map<std::string, Slot> slots;
  PixelSpan columns, rows;            // of the draw in progress
  std::vector<std::uint32_t> pixels;  // while they are painted
  long frame = 0, uploads = 0, paintings = 0;

  ~Inner() {
    glDeleteProgram(by_value.program);
    glDeleteProgram(by_pixel.program);
    glDeleteVertexArrays(1, &vertices);
  }

  void upload_values(Slot& slot, const CellsQuad& quad) {
    glActiveTexture(GL_TEXTURE0 + kValues);
    slot.gathered = gathers(quad);
    if (slot.gathered) {
      const std::vector<float> seen = gather(quad, columns, rows);
      slot.values.upload(columns.size(), rows.size(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                         seen.data());
    } else {
      slot.values.upload(quad.cols, quad.rows, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                         quad.values);
    }
    slot.values_up = true;
    ++uploads;
  }

  // No texture can hold the image: its values are looked up for the pixels before they go up.
  bool gathers(const CellsQuad& quad) const {
    return quad.rows > texture_limit || quad.cols > texture_limit;
  }

  // Two rows of cells, columns then rows; a gathered image has one cell for each pixel.
  void upload_indices(Slot& slot) {
    const std::size_t width = std::max(columns.cells.size(), rows.cells.size());
    std::vector<std::int32_t> texels(2 * width);
    for (const auto& [cells, first] :
         {std::pair{&columns.cells, std::size_t{0}}, {&rows.cells, width}}) {
      for (std::size_t i = 0; i < cells->size(); ++i) {
        texels[first + i] = slot.gathered ? static_cast<std::int32_t>(i) : (*cells)[i];
      }
    }
    glActiveTexture(GL_TEXTURE0 + kIndices);
    slot.indices.upload(static_cast<int>(width), 2, GL_R32I, GL_RED_INTEGER, GL_INT, texels.data());
    slot.indices_up = true;
  }

  void upload_palette(Slot& slot) {
    glActiveTexture(GL_TEXTURE0 + kPalette);
    slot.palette.upload(ValueColors::kBins, 1, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                        slot.palette_made.data());
    slot.palette_up = true;
  }

  // The pixels' colours, made by the processor, so that the GPU need not search.
  void paint(Slot& slot, const CellsQuad& quad, const Ground& ground) {
    constexpr core::Index kPixelsAtOnce = 1 << 15;  // what is worth a thread
    const core::Index across = columns.size(), down = rows.size();
    pixels.resize(static_cast<std::size_t>(across * down));
    const core::Index block = std::max<core::Index>(1, kPixelsAtOnce / across);
    core::parallel_for(core::ceil_div(down, block), 0, [&](core::Index k, int) {
      CellsPainter painter(quad, columns);
      for (core::Index r = k * block; r < std::min(down, (k + 1) * block); ++r) {
        painter.paint(rows.begin + static_cast<int>(r), rows.cells[static_cast<std::size_t>(r)],
                      pixels.data() + r * across);
      }
    });
    glActiveTexture(GL_TEXTURE0 + kValues);
    slot.pixels.upload(columns.size(), rows.size(), GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE,
                       pixels.data());
    slot.painted = ground;
    ++paintings;
  }

  // Forgets what no longer is as it was.
  void compare(Slot& slot, const CellsQuad& quad, const Ground& ground) {
    const bool same_values =
        slot.version == quad.version && slot.rows == quad.rows && slot.cols == quad.cols;
    const bool same_cells = slot.columns_made == columns.cells && slot.rows_made == rows.cells;
    const Palette palette = palette_of(*quad.colors);
    const bool same_palette = palette == slot.palette_made;
    if (!same_values || (gathers(quad) && !same_cells)) slot.values_up = false;
    if (!same_cells || slot.gathered != gathers(quad)) slot.indices_up = false;
    if (!same_palette) slot.palette_up = false;
    if (same_values && same_cells && same_palette) {
      if (slot.painted != ground) slot.painted.reset();
      return;
    }
    slot.painted.reset();
    slot.version = quad.version;
    slot.rows = quad.rows;
    slot.cols = quad.cols;
    slot.columns_made = columns.cells;
    slot.rows_made = rows.cells;
    slot.palette_made = palette;
    slot.changed_frame = frame;
  }

  void update(Slot& slot, const CellsQuad& quad, const Ground& ground) {
    compare(slot, quad, ground);
    const bool still = slot.changed_frame < frame;
    if (!slot.painted && still) paint(slot, quad, ground);
    if (!slot.painted) {
      if (!slot.values_up) upload_values(slot, quad);
      if (!slot.indices_up) upload_indices(slot);
      if (!slot.palette_up) upload_palette(slot);
    }
    slot.last_frame = frame;
  }
};

HeatmapRenderer::HeatmapRenderer(const HeatmapOptions& options)
    : inner_(std::make_unique<Inner>()) {
  Inner& in = *inner_;
  in.by_value.make("heatmap");
  in.by_pixel.make("heatmap_pixels");
  glGenVertexArrays(1, &in.vertices);
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  in.texture_limit = options.texture_limit > 0 ? std::min(options.texture_limit, largest) : largest;
}

HeatmapRenderer::~HeatmapRenderer() = default;

void HeatmapRenderer::draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height) {
  const Box whole{0, 0, framebuffer_width, framebuffer_height};
  draw(quad, framebuffer_width, framebuffer_height, std::span(&whole, 1));
}

void HeatmapRenderer::draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height,
                           std::span<const Box> boxes) {
  check(quad);
  Inner& in = *inner_;
  in.columns = columns_of(quad, 0, framebuffer_width);
  in.rows = rows_of(quad, 0, framebuffer_height);
  if (in.columns.size() == 0 || in.rows.size() == 0) return;
  Slot& slot = in.slots[quad.slot];
  in.update(slot, quad,
            {in.columns.begin, in.rows.begin, period_of(quad.hatch_period), quad.colors->hatch()});

  glViewport(0, 0, framebuffer_width, framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  const Shader& shader = slot.painted ? in.by_pixel : in.by_value;
  glUseProgram(shader.program);
  shader.set_place(in.columns, in.rows, framebuffer_width, framebuffer_height);
  shader.set_scale(*quad.colors, period_of(quad.hatch_period));
  slot.palette.bind(kPalette);
  slot.indices.bind(kIndices);
  (slot.painted ? slot.pixels : slot.values).bind(kValues);  // last: unit 0 stays active
  glBindVertexArray(in.vertices);
  for (const Box& box : boxes) {
    const Box part =
        common(box, {in.columns.begin, in.rows.begin, in.columns.end(), in.rows.end()});
    if (part.empty()) continue;
    glScissor(part.x0, framebuffer_height - part.y1, part.width(), part.height());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, slot.painted ? 4 : 3);
  }
}

void HeatmapRenderer::keep(const std::string& slot) {
  const auto found = inner_->slots.find(slot);
  if (found != inner_->slots.end()) found->second.last_frame = inner_->frame;
}

void HeatmapRenderer::end_frame() {
  std::erase_if(inner_->slots,
                [this](const auto& entry) { return inner_->frame - entry.second.last_frame >= 2; });
  ++inner_->frame;
}

long HeatmapRenderer::uploads() const { return inner_->uploads; }
long HeatmapRenderer::paintings() const { return inner_->paintings; }
int HeatmapRenderer::slots() const { return static_cast<int>(inner_->slots.size()); }

}  // namespace gl
