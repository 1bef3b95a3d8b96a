#include "app/ui/draw/screen_painter.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/draw/imgui_versions.h"
#include "app/ui/draw/theme.h"

namespace ui {

namespace {

using figure::Point;
using figure::Rect;
namespace draw = figure::draw;

// One polyline of ImGui's may take four vertices a point and has 16-bit indices.
constexpr std::size_t kMostPoints = 4096;
constexpr float kDash = 4, kGap = 3;

// One call for every kind: a kind that none of them takes does not compile.
template <class... Calls>
struct Each : Calls... {
  using Calls::operator()...;
};
template <class... Calls>
Each(Calls...) -> Each<Calls...>;

struct Strokes {
  ImDrawList& list;
  Point origin;
  const Fonts& fonts;
  float zoom = 1, letters = 1;

  // Lines thinner than this would vanish where a picture is made small.
  float wide(float width) const { return zoom == 1 ? width : std::max(0.5f, width * zoom); }
  ImVec2 at(Point p) const { return {origin.x + p.x * zoom, origin.y + p.y * zoom}; }
  ImVec2 low(const Rect& r) const { return at({r.x, r.y}); }
  ImVec2 high(const Rect& r) const { return at({r.right(), r.bottom()}); }

  void operator()(const draw::Fill& f) const {
    fill_rect(list, low(f.rect), high(f.rect), to_im(f.color), f.radius * zoom);
  }

  // The outline lies inside of its rectangle, on whole pixels.
  void operator()(const draw::Outline& o) const {
    const float width = wide(o.width), half = width / 2;
    const ImVec2 a = low(o.rect), b = high(o.rect);
    if (unseen(list, a, b)) return;
    // AddRect moves its corners by half a pixel itself, for lines of one pixel.
    const float in = half - 0.5f;
    list.AddRect({a.x + in, a.y + in}, {b.x - in, b.y - in}, to_im(o.color), o.radius * zoom, 0,
                 width);
  }

  void operator()(const draw::Path& p) const {
    std::vector<ImVec2> points;
    points.reserve(p.points.size() + 1);
    for (const Point& point : p.points) {
      if (p.filled || (std::isfinite(point.x) && std::isfinite(point.y))) {
        points.push_back(at(point));
      } else {  // it breaks the line
        stroke(points, p);
        points.clear();
      }
    }
    if (p.filled) return fill_polygon(points, to_im(p.color));
    if (p.closed && !points.empty()) points.push_back(points.front());
    stroke(points, p);
  }

  void stroke(const std::vector<ImVec2>& points, const draw::Path& p) const {
    if (p.dashed) return dashes(points, p);
    std::size_t from = 0;
    for (std::size_t k = 1; k < points.size(); ++k) {
      const bool ends = k + 1 == points.size() || k + 1 - from == kMostPoints ||
                        turns_back(points[k - 1], points[k], points[k + 1]);
      if (!ends) continue;
      list.AddPolyline(points.data() + from, static_cast<int>(k + 1 - from), to_im(p.color), 0,
                       wide(p.width));
      from = k;
    }
  }

  // ImGui draws a line thin on both sides of such a point: it ends there, and another begins.
  static bool turns_back(ImVec2 a, ImVec2 b, ImVec2 c) {
    const float x0 = b.x - a.x, y0 = b.y - a.y, x1 = c.x - b.x, y1 = c.y - b.y;
    const float dot = x0 * x1 + y0 * y1;
    return dot < 0 && dot * dot > 0.81f * (x0 * x0 + y0 * y0) * (x1 * x1 + y1 * y1);
  }

  // A band is a long, thin and not convex polygon: its upper edge forth, its lower edge back. It is
  // filled quad by quad; anything else that is filled is convex.
  void fill_polygon(const std::vector<ImVec2>& points, ImU32 color) const {
    const std::size_t n = points.size();
    if (n < 3) return;
    if (n <= 5 || n % 2 != 0) {
      list.AddConvexPolyFilled(points.data(), static_cast<int>(std::min(n, kMostPoints)), color);
      return;
    }
    const ImDrawListFlags kept = list.Flags;
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;  // no seams between the quads
    for (std::size_t i = 0; i + 1 < n / 2; ++i) {
      list.AddQuadFilled(points[i], points[i + 1], points[n - 2 - i], points[n - 1 - i], color);
    }
    list.Flags = kept;
  }

  void dashes(const std::vector<ImVec2>& points, const draw::Path& p) const {
    const float unit = std::max(1.0f, p.width) * fonts.scale();
    const float dash = kDash * std::max(unit, fonts.scale()), gap = kGap * fonts.scale();
    float along = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const ImVec2 a = points[i], b = points[i + 1];
      const float length = std::hypot(b.x - a.x, b.y - a.y);
      if (!(length > 0) || !(length < 1e5f)) continue;
      const auto point = [&](float t) {
        return ImVec2(a.x + (b.x - a.x) * t / length, a.y + (b.y - a.y) * t / length);
      };
      for (float t = 0; t < length;) {
        const float phase = std::fmod(along + t, dash + gap);
        const float step = std::max(0.01f, phase < dash ? dash - phase : dash + gap - phase);
        const float end = std::min(length, t + step);
        if (phase < dash) list.AddLine(point(t), point(end), to_im(p.color), wide(p.width));
        t = end;
      }
      along = std::fmod(along + length, dash + gap);
    }
  }

  void operator()(const draw::Disc& d) const {
    if (d.filled) {
      list.AddCircleFilled(at(d.center), d.radius * zoom, to_im(d.color));
    } else {
      list.AddCircle(at(d.center), d.radius * zoom, to_im(d.color), 0, wide(d.width));
    }
  }

  void operator()(const draw::Text& t) const {
    ImFont* font = fonts[t.style];
    const char* end = t.text.data() + t.text.size();
    const float size = line_of(*font) * letters;
    if (size < 0.5f) return;  // less than a pixel high
    const float width =
        t.align_x == 0 ? 0 : font->CalcTextSizeA(size, FLT_MAX, 0, t.text.data(), end).x;
    const ImVec2 anchor = at(t.at);
    const ImVec2 corner{anchor.x - width * t.align_x, anchor.y - size * t.align_y};
    if (t.angle == 0) {
      list.AddText(font, size, {std::round(corner.x), std::round(corner.y)}, to_im(t.color),
                   t.text.data(), end);
    } else {
      rotated(t, font, size, anchor, corner);
    }
  }

  // ImGui leaves letters out that lie outside of the clip rectangle; before the turn that would be
  // the wrong ones, so they are all made and the GPU clips.
  void rotated(const draw::Text& t, ImFont* font, float size, ImVec2 anchor, ImVec2 corner) const {
    const int first = list.VtxBuffer.Size;
    font->RenderText(&list, size, corner, to_im(t.color), {-1e6f, -1e6f, 1e6f, 1e6f}, t.text.data(),
                     t.text.data() + t.text.size());
    const float c = std::cos(t.angle), s = std::sin(t.angle);
    for (int i = first; i < list.VtxBuffer.Size; ++i) {
      ImVec2& v = list.VtxBuffer[i].pos;
      const float x = v.x - anchor.x, y = v.y - anchor.y;
      v = {anchor.x + c * x - s * y, anchor.y + s * x + c * y};
    }
  }

  void operator()(const draw::ColorBar& bar) const {
    const ImVec2 a = low(bar.rect), b = high(bar.rect);
    const auto& colors = bar.colors->colors();
    for (int i = 0; i < figure::kMapSize; ++i) {
      const float x0 = a.x + (b.x - a.x) * static_cast<float>(i) / figure::kMapSize;
      const float x1 = a.x + (b.x - a.x) * static_cast<float>(i + 1) / figure::kMapSize;
      if (std::floor(x0) == std::floor(x1) && i + 1 < figure::kMapSize) continue;
      list.AddRectFilled({std::floor(x0), a.y}, {std::ceil(x1), b.y},
                         to_im(colors[static_cast<std::size_t>(i)]));
    }
  }

  void operator()(const draw::Curve& c) const {
    // A curve lies between its control points.
    const auto [left, right] = std::minmax({at(c.a).x, at(c.b).x, at(c.c).x, at(c.d).x});
    const auto [top, bottom] = std::minmax({at(c.a).y, at(c.b).y, at(c.c).y, at(c.d).y});
    const float out = c.width + 1;
    if (unseen(list, {left - out, top - out}, {right + out, bottom + out})) return;
    list.AddBezierCubic(at(c.a), at(c.b), at(c.c), at(c.d), to_im(c.color), wide(c.width));
  }
};

}  // namespace

ScreenPainter::ScreenPainter(const Fonts& fonts, std::function<void()> wake,
                             worker::MemoryBudget& budget)
    : fonts_(fonts), tiles_(std::move(wake), {.budget = &budget}) {}

void ScreenPainter::begin_frame() {
  jobs_.clear();
  questions_.clear();
}

void ScreenPainter::end_frame() {
  auto answers = tiles_.get(questions_);
  tiles_.end_frame();
  for (std::size_t i = 0; i < answers.size(); ++i) show(jobs_[i], std::move(answers[i].image));
}

void ScreenPainter::paint(ImDrawList& list, const std::vector<figure::Primitive>& primitives,
                          Point origin, const std::string& slot, float zoom,
                          std::optional<float> letters) {
  int clips = 0, picture = 0;
  const Strokes strokes{list, origin, fonts_, zoom, letters.value_or(zoom)};
  const Each each{strokes,
                  [&](const draw::Cells& quad) {
                    cells(list, quad, origin, fmt::format("{}#{}", slot, picture++), zoom);
                  },
                  [&](const draw::Clip& clip) {
                    list.PushClipRect(strokes.low(clip.rect), strokes.high(clip.rect), true);
                    ++clips;
                  },
                  [&](const draw::Unclip&) {
                    if (clips == 0) return;
                    list.PopClipRect();
                    --clips;
                  }};
  for (const figure::Primitive& primitive : primitives) std::visit(each, primitive);
  for (; clips > 0; --clips) list.PopClipRect();
}

void ScreenPainter::cells(ImDrawList& list, const draw::Cells& cells, Point origin,
                          const std::string& slot, float zoom) {
  const figure::TileSource& source = *cells.source;
  const auto floor_cell = [&](double v) { return static_cast<core::Index>(std::floor(v)); };
  const core::Index col0 = std::clamp<core::Index>(floor_cell(cells.shown.x0), 0, source.cols());
  const core::Index row0 = std::clamp<core::Index>(floor_cell(cells.shown.y0), 0, source.rows());
  const core::Index col1 =
      std::clamp<core::Index>(floor_cell(std::ceil(cells.shown.x1)), col0, source.cols());
  const core::Index row1 =
      std::clamp<core::Index>(floor_cell(std::ceil(cells.shown.y1)), row0, source.rows());
  if (col1 <= col0 || row1 <= row0) return;
  figure::Region region;
  region.row = row0 >> cells.level;
  region.col = col0 >> cells.level;
  region.rows = figure::pooled_size(row1, cells.level) - region.row;
  region.cols = figure::pooled_size(col1, cells.level) - region.col;
  questions_.push_back({slot, cells.source, cells.level, region, cells.pool});
  Job& job = jobs_.emplace_back();
  job.colors = cells.colors;
  gl::CellsQuad& quad = job.quad;
  quad.slot = slot;
  quad.shown = cells.shown;
  quad.rect = {origin.x + cells.rect.x * zoom, origin.y + cells.rect.y * zoom, cells.rect.w * zoom,
               cells.rect.h * zoom};
  quad.colors = job.colors.get();
  quad.hatch_period = 6 * fonts_.scale();
  list.AddCallback(&ScreenPainter::here, &job);
}

// Where nothing is known yet all is masked, without a line of the hatch.
void ScreenPainter::show(Job& job, std::shared_ptr<const worker::CellsImage> image) {
  gl::CellsQuad& quad = job.quad;
  if (!image) {
    static const float nothing = core::kMasked;
    quad.values = &nothing;
    quad.rows = quad.cols = 1;
    quad.cells = quad.shown;
    quad.hatch_period = 1e6f;
    return;
  }
  quad.version = image->version;
  quad.values = image->values.data();
  quad.rows = static_cast<int>(image->region.rows);
  quad.cols = static_cast<int>(image->region.cols);
  // The last pooled cell may hold fewer cells than 2^level; it is drawn as wide as the others and
  // cut off by what is shown.
  const double cell = static_cast<double>(core::Index{1} << image->level);
  quad.cells = {static_cast<double>(image->region.col) * cell,
                static_cast<double>(image->region.col + image->region.cols) * cell,
                static_cast<double>(image->region.row) * cell,
                static_cast<double>(image->region.row + image->region.rows) * cell};
  job.image = std::move(image);
}

const gl::CellsQuad* ScreenPainter::cells_of(const ImDrawCmd& command) {
  if (command.UserCallback != &ScreenPainter::here) return nullptr;
  return &static_cast<const Job*>(command.UserCallbackData)->quad;
}

}  // namespace ui
