#include "app/gl/heatmap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>

#include "app/gl/program.h"
#include "app/gl/window.h"

namespace gl {
namespace {

enum Unit : int { kValues = 0, kIndices = 1, kPalette = 2 };

using figure::ValueColors;

// Rounding may put the first or last pixel's centre this much outside of the image, in its cells.
constexpr double kSlack = 1e-6;

// Floats as integers in the same order; both zeros are one. The shader does the same to values.
std::uint32_t ordered(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value == 0 ? 0.0f : value);
  constexpr std::uint32_t kSign = 0x80000000u;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

std::uint32_t packed(figure::Rgba c) {
  return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8 |
         static_cast<std::uint32_t>(c.b) << 16 | static_cast<std::uint32_t>(c.a) << 24;
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

// About which bin a value lies in, for the shader to begin its search: it takes the transformed
// value less `offset`, times `slope`. An error here costs time and no colour.
struct Guess {
  float offset, slope, linear_below;
};

Guess guess_of(const figure::ColorScale& s) {
  const auto transformed = [&](double v) {
    if (s.transform == figure::Transform::linear) return v;
    if (s.transform == figure::Transform::log) return std::log2(v);
    const double m = std::abs(v) / static_cast<double>(s.linear_below);
    return std::copysign(m <= 1 ? m : 1 + std::log(m), v);
  };
  const double lo = transformed(s.lo), width = transformed(s.hi) - lo;
  const double slope = width > 0 ? figure::kMapSize / width : 0;
  return {static_cast<float>(lo), static_cast<float>(slope), s.linear_below};
}

int period_of(float hatch_period) {
  return std::max(2, static_cast<int>(std::lround(hatch_period)));
}

// Pixels whose centres lie between `from` and `to`, within [lo, hi).
struct Span {
  int begin = 0, end = 0;
  int size() const { return std::max(0, end - begin); }
};

int first_pixel(double edge, int lo, int hi) {
  return static_cast<int>(std::clamp(std::ceil(edge - 0.5), double(lo), double(hi)));
}

// The pixels of one axis to draw and the cell that each shows. Those that show none stand at the
// ends, as the mapping is monotone.
Span pixels_of(const PixelAxis& axis, double clip, double clip_size, int framebuffer,
               std::vector<std::int32_t>& cells) {
  Span span{first_pixel(axis.at, 0, framebuffer), 0};
  span.end = first_pixel(axis.at + axis.size, span.begin, framebuffer);
  span.begin = first_pixel(clip, span.begin, span.end);
  span.end = first_pixel(clip + clip_size, span.begin, span.end);
  while (span.size() > 0 && cell_of_pixel(axis, span.begin) < 0) ++span.begin;
  while (span.size() > 0 && cell_of_pixel(axis, span.end - 1) < 0) --span.end;
  cells.resize(static_cast<std::size_t>(span.size()));
  for (int p = span.begin; p < span.end; ++p) {
    cells[static_cast<std::size_t>(p - span.begin)] = cell_of_pixel(axis, p);
  }
  return span;
}

// What the hatch depends on beside the cells.
struct Ground {
  int x = 0, y = 0, hatch_period = 0;  // the first pixel
  figure::Rgba hatch;
  bool operator==(const Ground&) const = default;
};

// What is kept on the GPU under one name, and what it was made from.
struct Slot {
  Texture values, indices, palette, pixels;
  std::uint64_t version = 0;
  int rows = 0, cols = 0;
  bool gathered = false;
  std::optional<Ground> painted;  // `pixels` are those of the values and the palette, on this
  std::vector<std::int32_t> columns_made, rows_made;  // the cells in `indices`
  Palette palette_made{};
  bool empty = true;
  long last_frame = 0, changed_frame = 0;
};

// The cells that the pixels show, one a pixel: for images that no texture can hold.
std::vector<float> gather(const CellsQuad& quad, std::span<const std::int32_t> columns,
                          std::span<const std::int32_t> rows) {
  std::vector<float> out;
  out.reserve(columns.size() * rows.size());
  for (const std::int32_t row : rows) {
    const float* line = quad.values + std::ptrdiff_t{row} * quad.cols;
    for (const std::int32_t column : columns) out.push_back(line[column]);
  }
  return out;
}

void check(const CellsQuad& quad) {
  if (!quad.values || !quad.colors || quad.rows < 0 || quad.cols < 0) {
    throw std::invalid_argument("heatmap \"" + quad.slot + "\" needs values and colours");
  }
}

}  // namespace

PixelAxis column_axis(const CellsQuad& q) {
  return {q.cells.x0, q.cells.x1, q.shown.x0, q.shown.x1, q.rect.x, q.rect.w, q.cols};
}

PixelAxis row_axis(const CellsQuad& q) {
  return {q.cells.y0, q.cells.y1, q.shown.y0, q.shown.y1, q.rect.y, q.rect.h, q.rows};
}

int cell_of_pixel(const PixelAxis& a, int pixel) {
  const double center = pixel + 0.5;
  if (!(center >= a.at && center < a.at + a.size)) return -1;
  const double source = a.shown0 + (center - a.at) / a.size * (a.shown1 - a.shown0);
  const double cell = (source - a.cells0) / (a.cells1 - a.cells0) * a.count;
  if (!(cell >= -kSlack && cell <= a.count + kSlack)) return -1;
  return std::clamp(static_cast<int>(std::floor(cell)), 0, a.count - 1);
}

bool hatched(int x, int y, float hatch_period) { return (x + y) % period_of(hatch_period) == 0; }

// A program and its uniforms; -1 where it has none of that name, which GL then ignores.
struct Shader {
  GLuint program = 0;
  GLint u_origin = -1, u_rows = -1, u_ends = -1, u_transform = -1, u_guess = -1;
  GLint u_hatch_period = -1, u_hatch = -1;

  void make(const std::string& name) {
    program = make_program(name);
    const auto place = [&](const char* uniform) { return glGetUniformLocation(program, uniform); };
    u_origin = place("u_origin");
    u_rows = place("u_rows");
    u_ends = place("u_ends");
    u_transform = place("u_transform");
    u_guess = place("u_guess");
    u_hatch_period = place("u_hatch_period");
    u_hatch = place("u_hatch");
    glUseProgram(program);
    glUniform1i(place("u_values"), kValues);
    glUniform1i(place("u_pixels"), kValues);
    glUniform1i(place("u_indices"), kIndices);
    glUniform1i(place("u_palette"), kPalette);
  }

  void set_scale(const ValueColors& colors, int hatch_period) const {
    const figure::ColorScale& scale = colors.scale();
    const Guess guess = guess_of(scale);
    glUniform2ui(u_ends, ordered(scale.lo), ordered(scale.hi));
    glUniform1i(u_transform, static_cast<int>(scale.transform));
    glUniform3f(u_guess, guess.offset, guess.slope, guess.linear_below);
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
  bool software = false;                    // the GPU is the processor
  std::vector<std::int32_t> columns, rows;  // of the draw in progress
  // While pixels are painted: all of them, and the colours and bins of the current line.
  std::vector<std::uint32_t> pixels, line;
  std::vector<int> bins;
  long frame = 0, uploads = 0;

  ~Inner() {
    glDeleteProgram(by_value.program);
    glDeleteProgram(by_pixel.program);
    glDeleteVertexArrays(1, &vertices);
  }

  // Values go up when they changed, or, when they are gathered at pixels, when those did.
  void upload_values(Slot& slot, const CellsQuad& quad, bool indices_changed) {
    const bool gathers = quad.rows > texture_limit || quad.cols > texture_limit;
    const bool same = !slot.empty && slot.version == quad.version && slot.rows == quad.rows &&
                      slot.cols == quad.cols && slot.gathered == gathers;
    if (same && !(gathers && indices_changed)) return;
    glActiveTexture(GL_TEXTURE0 + kValues);
    if (gathers) {
      const std::vector<float> seen = gather(quad, columns, rows);
      slot.values.upload(static_cast<int>(columns.size()), static_cast<int>(rows.size()), GL_R32UI,
                         GL_RED_INTEGER, GL_UNSIGNED_INT, seen.data());
    } else {
      slot.values.upload(quad.cols, quad.rows, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT,
                         quad.values);
    }
    slot.version = quad.version;
    slot.rows = quad.rows;
    slot.cols = quad.cols;
    slot.gathered = gathers;
    slot.painted.reset();
    slot.changed_frame = frame;
    ++uploads;
  }

  // Two rows of cells, columns then rows; a gathered image has one cell for each pixel.
  void upload_indices(Slot& slot, bool gathers) {
    const std::size_t width = std::max(columns.size(), rows.size());
    std::vector<std::int32_t> texels(2 * width);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      texels[i] = gathers ? static_cast<std::int32_t>(i) : columns[i];
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      texels[width + i] = gathers ? static_cast<std::int32_t>(i) : rows[i];
    }
    glActiveTexture(GL_TEXTURE0 + kIndices);
    slot.indices.upload(static_cast<int>(width), 2, GL_R32I, GL_RED_INTEGER, GL_INT, texels.data());
  }

  // The pixels' colours, made by the CPU, so that the GPU need not search: for a picture that
  // stands still from one frame to the next, and always where the GPU is a CPU too and cells have
  // many pixels.
  void paint(Slot& slot, const CellsQuad& quad, const Ground& ground) {
    pixels.resize(columns.size() * rows.size());
    line.resize(columns.size());
    bins.resize(columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == 0 || rows[r] != rows[r - 1]) paint_line(quad, rows[r]);
      std::uint32_t* out = pixels.data() + r * columns.size();
      std::copy(line.begin(), line.end(), out);
      const int y = ground.y + static_cast<int>(r), period = ground.hatch_period;
      const int past = (ground.x + y) % period;
      for (std::size_t c = static_cast<std::size_t>(past == 0 ? 0 : period - past);
           c < columns.size(); c += static_cast<std::size_t>(period)) {
        if (bins[c] == ValueColors::kMaskedBin) out[c] = packed(ground.hatch);
      }
    }
    glActiveTexture(GL_TEXTURE0 + kValues);
    slot.pixels.upload(static_cast<int>(columns.size()), static_cast<int>(rows.size()), GL_RGBA8,
                       GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    slot.painted = ground;
  }

  void paint_line(const CellsQuad& quad, std::int32_t row) {
    const float* values = quad.values + std::ptrdiff_t{row} * quad.cols;
    const auto& colors = quad.colors->colors();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const bool same = c > 0 && columns[c] == columns[c - 1];
      bins[c] = same ? bins[c - 1] : quad.colors->bin(values[columns[c]]);
      line[c] = same ? line[c - 1] : packed(colors[static_cast<std::size_t>(bins[c])]);
    }
  }

  bool has_large_cells() const {
    constexpr std::size_t kSide = 3;  // pixels
    const auto different = [](const std::vector<std::int32_t>& cells) {
      std::size_t count = 1;
      for (std::size_t i = 1; i < cells.size(); ++i) count += cells[i] != cells[i - 1];
      return count;
    };
    return different(columns) * kSide <= columns.size() && different(rows) * kSide <= rows.size();
  }

  void update(Slot& slot, const CellsQuad& quad, const Ground& ground) {
    const bool indices_changed =
        slot.empty || slot.columns_made != columns || slot.rows_made != rows;
    const bool was_gathered = slot.gathered;
    upload_values(slot, quad, indices_changed);
    if (indices_changed || slot.gathered != was_gathered) {
      upload_indices(slot, slot.gathered);
      slot.columns_made = columns;
      slot.rows_made = rows;
      slot.painted.reset();
      slot.changed_frame = frame;
    }
    const Palette palette = palette_of(*quad.colors);
    if (slot.empty || palette != slot.palette_made) {
      glActiveTexture(GL_TEXTURE0 + kPalette);
      slot.palette.upload(ValueColors::kBins, 1, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                          palette.data());
      slot.palette_made = palette;
      slot.painted.reset();
      slot.changed_frame = frame;
    }
    if (slot.painted != ground) slot.painted.reset();
    const bool still = slot.changed_frame < frame;
    if (!slot.painted && !slot.gathered && (still || (software && has_large_cells()))) {
      paint(slot, quad, ground);
    }
    slot.empty = false;
    slot.last_frame = frame;
  }
};

HeatmapRenderer::HeatmapRenderer(int texture_limit) : inner_(std::make_unique<Inner>()) {
  Inner& in = *inner_;
  in.by_value.make("heatmap");
  in.by_pixel.make("heatmap_pixels");
  glGenVertexArrays(1, &in.vertices);
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const std::string driver = description();
  in.software = driver.starts_with("llvmpipe") || driver.starts_with("softpipe");
  in.texture_limit = texture_limit > 0 ? std::min(texture_limit, largest) : largest;
}

HeatmapRenderer::~HeatmapRenderer() = default;

void HeatmapRenderer::draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height) {
  const Box whole{0, 0, framebuffer_width, framebuffer_height};
  draw(quad, framebuffer_width, framebuffer_height, std::span(&whole, 1));
}

void HeatmapRenderer::draw(const CellsQuad& quad, int framebuffer_width, int framebuffer_height,
                           std::span<const Box> boxes, bool top_first) {
  check(quad);
  Inner& in = *inner_;
  const Span across =
      pixels_of(column_axis(quad), quad.clip.x, quad.clip.w, framebuffer_width, in.columns);
  const Span down =
      pixels_of(row_axis(quad), quad.clip.y, quad.clip.h, framebuffer_height, in.rows);
  if (across.size() == 0 || down.size() == 0) return;
  Slot& slot = in.slots[quad.slot];
  in.update(slot, quad,
            {across.begin, down.begin, period_of(quad.hatch_period), quad.colors->hatch()});

  glViewport(0, 0, framebuffer_width, framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  const Shader& shader = slot.painted ? in.by_pixel : in.by_value;
  glUseProgram(shader.program);
  glUniform2i(shader.u_origin, across.begin, down.begin);
  glUniform2i(shader.u_rows, top_first ? 0 : framebuffer_height - 1, top_first ? 1 : -1);
  shader.set_scale(*quad.colors, period_of(quad.hatch_period));
  slot.palette.bind(kPalette);
  slot.indices.bind(kIndices);
  (slot.painted ? slot.pixels : slot.values).bind(kValues);  // last: unit 0 stays active
  glBindVertexArray(in.vertices);
  for (const Box& box : boxes) {
    const Box part = common(box, {across.begin, down.begin, across.end, down.end});
    if (part.empty()) continue;
    glScissor(part.x0, top_first ? part.y0 : framebuffer_height - part.y1, part.width(),
              part.height());
    glDrawArrays(GL_TRIANGLES, 0, 3);
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
int HeatmapRenderer::slots() const { return static_cast<int>(inner_->slots.size()); }

}  // namespace gl
