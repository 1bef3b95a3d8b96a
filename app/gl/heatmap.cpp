#include "app/gl/heatmap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>

#include "app/gl/program.h"

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

// What is kept on the GPU under one name, and what it was made from.
struct Slot {
  Texture values, indices, palette, colors;
  std::uint64_t version = 0;
  int rows = 0, cols = 0;
  bool gathered = false;
  bool colored = false;  // `colors` are those of the values and the palette
  std::vector<std::int32_t> columns_made, rows_made;  // the cells in `indices`
  Palette palette_made{};
  bool empty = true;
  long last_frame = 0;
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
  GLint u_origin = -1, u_height = -1, u_ends = -1, u_transform = -1, u_guess = -1;
  GLint u_hatch_period = -1, u_hatch = -1;

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
    glUseProgram(program);
    glUniform1i(place("u_values"), kValues);
    glUniform1i(place("u_colors"), kValues);
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
  Shader by_value, by_color;
  GLuint vertices = 0;
  int texture_limit = 0;
  std::map<std::string, Slot> slots;
  std::vector<std::int32_t> columns, rows;  // of the draw in progress
  long frame = 0, uploads = 0;

  ~Inner() {
    glDeleteProgram(by_value.program);
    glDeleteProgram(by_color.program);
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
    slot.colored = false;
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

  // A picture that stands still from one frame to the next gets its cells coloured once, by the
  // CPU, so that the frames to come need not search. Not while it changes, nor where it has more
  // cells than pixels: there the search at the pixels is less work.
  void color(Slot& slot, const CellsQuad& quad) const {
    const std::size_t cells =
        static_cast<std::size_t>(quad.rows) * static_cast<std::size_t>(quad.cols);
    const auto& all = quad.colors->colors();
    if (slot.gathered || cells > columns.size() * rows.size() ||
        !std::all_of(all.begin(), all.end(), [](figure::Rgba c) { return c.a == 255; })) {
      return;
    }
    std::vector<std::uint32_t> texels(cells);
    const figure::Rgba masked = all[ValueColors::kMaskedBin].with_alpha(0);
    for (std::size_t i = 0; i < cells; ++i) {
      const int bin = quad.colors->bin(quad.values[i]);
      texels[i] =
          packed(bin == ValueColors::kMaskedBin ? masked : all[static_cast<std::size_t>(bin)]);
    }
    glActiveTexture(GL_TEXTURE0 + kValues);
    slot.colors.upload(quad.cols, quad.rows, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    slot.colored = true;
  }

  void update(Slot& slot, const CellsQuad& quad) {
    const bool indices_changed =
        slot.empty || slot.columns_made != columns || slot.rows_made != rows;
    const bool was_gathered = slot.gathered;
    upload_values(slot, quad, indices_changed);
    if (indices_changed || slot.gathered != was_gathered) {
      upload_indices(slot, slot.gathered);
      slot.columns_made = columns;
      slot.rows_made = rows;
    }
    const Palette palette = palette_of(*quad.colors);
    if (slot.empty || palette != slot.palette_made) {
      glActiveTexture(GL_TEXTURE0 + kPalette);
      slot.palette.upload(ValueColors::kBins, 1, GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                          palette.data());
      slot.palette_made = palette;
      slot.colored = false;
    } else if (!slot.colored && slot.last_frame < frame) {
      color(slot, quad);
    }
    slot.empty = false;
    slot.last_frame = frame;
  }
};

HeatmapRenderer::HeatmapRenderer(int texture_limit) : inner_(std::make_unique<Inner>()) {
  Inner& in = *inner_;
  in.by_value.make("heatmap");
  in.by_color.make("heatmap_colors");
  glGenVertexArrays(1, &in.vertices);
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  in.texture_limit = texture_limit > 0 ? std::min(texture_limit, largest) : largest;
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
  const Span across =
      pixels_of(column_axis(quad), quad.clip.x, quad.clip.w, framebuffer_width, in.columns);
  const Span down =
      pixels_of(row_axis(quad), quad.clip.y, quad.clip.h, framebuffer_height, in.rows);
  if (across.size() == 0 || down.size() == 0) return;
  Slot& slot = in.slots[quad.slot];
  in.update(slot, quad);

  glViewport(0, 0, framebuffer_width, framebuffer_height);
  glEnable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_STENCIL_TEST);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  const Shader& shader = slot.colored ? in.by_color : in.by_value;
  glUseProgram(shader.program);
  glUniform2i(shader.u_origin, across.begin, down.begin);
  glUniform1i(shader.u_height, framebuffer_height);
  shader.set_scale(*quad.colors, period_of(quad.hatch_period));
  slot.palette.bind(kPalette);
  slot.indices.bind(kIndices);
  (slot.colored ? slot.colors : slot.values).bind(kValues);  // last: unit 0 stays active
  glBindVertexArray(in.vertices);
  for (const Box& box : boxes) {
    const Box part = common(box, {across.begin, down.begin, across.end, down.end});
    if (part.empty()) continue;
    glScissor(part.x0, framebuffer_height - part.y1, part.width(), part.height());
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
