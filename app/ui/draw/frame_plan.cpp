#include "app/ui/draw/frame_plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "app/ui/draw/screen_painter.h"

namespace ui {

namespace {

using Step = FramePlan::Step;

// Square pixels from which a fill of its own is worth it: triangles blend at every pixel.
constexpr long kLarge = 8000;

static_assert(sizeof(ImDrawVert) == sizeof(gl::Vertex) &&
              offsetof(ImDrawVert, uv) == offsetof(gl::Vertex, u) &&
              offsetof(ImDrawVert, col) == offsetof(gl::Vertex, color));
static_assert(IM_COL32_R_SHIFT == 0 && IM_COL32_A_SHIFT == 24);

std::uint64_t bits(float a, float b) {
  return std::uint64_t{std::bit_cast<std::uint32_t>(a)} << 32 | std::bit_cast<std::uint32_t>(b);
}

std::uint64_t fingerprint_of(const gl::Vertex& v) {
  return hash_combine(hash_combine(hash_combine(v.color, bits(v.x, v.y)), bits(v.u, v.v)), 1);
}

std::uint64_t fingerprint_of(figure::Rgba c) {
  return static_cast<std::uint64_t>(c.r) | static_cast<std::uint64_t>(c.g) << 8 |
         static_cast<std::uint64_t>(c.b) << 16 | static_cast<std::uint64_t>(c.a) << 24;
}

std::uint64_t hash_combine_view(std::uint64_t fingerprint, const figure::View& v) {
  for (const double d : {v.x0, v.x1, v.y0, v.y1}) {
    fingerprint = hash_combine(fingerprint, std::bit_cast<std::uint64_t>(d));
  }
  return fingerprint;
}

// Everything that the cells' picture depends on; values are told apart by their version.
std::uint64_t fingerprint_of(const gl::CellsQuad& q) {
  std::uint64_t fingerprint = std::hash<std::string>{}(q.slot);
  for (const std::uint64_t part :
       {q.version, std::uint64_t(q.rows), std::uint64_t(q.cols), bits(q.rect.x, q.rect.y),
        bits(q.rect.w, q.rect.h), bits(q.hatch_period, 0)}) {
    fingerprint = hash_combine(fingerprint, part);
  }
  fingerprint = hash_combine_view(hash_combine_view(fingerprint, q.cells), q.shown);
  const figure::ColorScale& scale = q.colors->scale();
  fingerprint = hash_combine(fingerprint, bits(scale.lo, scale.hi));
  fingerprint = hash_combine(fingerprint, static_cast<std::uint64_t>(scale.transform));
  fingerprint = hash_combine(fingerprint, fingerprint_of(q.colors->hatch()));
  for (const figure::Rgba c : q.colors->colors())
    fingerprint = hash_combine(fingerprint, fingerprint_of(c));
  for (const float edge : q.colors->edges()) fingerprint = hash_combine(fingerprint, bits(edge, 0));
  return fingerprint;
}

Step fill_of(const gl::Box& box, figure::Rgba color) {
  Step step;
  step.box = box;
  step.color = color;
  return step;
}

}  // namespace

void FramePlan::take(const ImDrawData& data, int width, int height, figure::Rgba background,
                     std::uint64_t fingerprint) {
  width_ = width;
  height_ = height;
  background_ = background;
  ratio_ = data.FramebufferScale;
  white_ = ImGui::GetIO().Fonts->TexUvWhitePixel;
  vertices_.clear(), fingerprints_.clear(), triangles_.clear(), items_.clear(), cells_.clear();
  damage_.begin(width, height, hash_combine(fingerprint, fingerprint_of(background)));
  for (int i = 0; i < data.CmdListsCount; ++i) take(*data.CmdLists[i]);
  boxes_ = &damage_.finish();
}

// Taking ------------------------------------------------------------------------------------------

void FramePlan::take(const ImDrawList& list) {
  const std::size_t base = vertices_.size();
  const auto count = static_cast<std::size_t>(list.VtxBuffer.Size);
  vertices_.resize(base + count);
  if (count > 0)
    std::memcpy(vertices_.data() + base, list.VtxBuffer.Data, count * sizeof(gl::Vertex));
  fingerprints_.resize(base + count);
  for (std::size_t i = base; i < vertices_.size(); ++i)
    fingerprints_[i] = fingerprint_of(vertices_[i]);
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (const gl::CellsQuad* cells = ScreenPainter::cells_of(command)) {
      take_cells(*cells, command.ClipRect);
    } else if (!command.UserCallback) {
      take(list, command, base);
    }
  }
}

void FramePlan::take(const ImDrawList& list, const ImDrawCmd& command, std::size_t base) {
  const ImVec4& c = command.ClipRect;
  const gl::Box clip{
      gl::first_pixel(c.x * ratio_.x, 0, width_), gl::first_pixel(c.y * ratio_.y, 0, height_),
      gl::first_pixel(c.z * ratio_.x, 0, width_), gl::first_pixel(c.w * ratio_.y, 0, height_)};
  if (clip.empty()) return;
  const Item item{clip, triangles_.size(), command.ElemCount / 3, nullptr};
  const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
  const auto first = static_cast<std::uint32_t>(base) + command.VtxOffset;
  const auto white = [&](const gl::Vertex& v) { return v.u == white_.x && v.v == white_.y; };
  const std::uint64_t clipped = hash_combine(bits(c.x, c.y), bits(c.z, c.w));
  triangles_.resize(item.first + item.count);
  for (std::size_t i = item.first; i < triangles_.size(); ++i, index += 3) {
    Triangle& t = triangles_[i];
    for (int k = 0; k < 3; ++k) t.corners[k] = first + index[k];
    const auto& [p, q, r] = t.corners;
    const bool plain = white(vertices_[p]) && white(vertices_[q]) && white(vertices_[r]);
    t.ink = plain ? gl::Ink::plain : gl::Ink::letters;
    t.bounds = bounds(t.corners, clip);
    if (t.bounds.empty()) continue;
    damage_.add(t.bounds, hash_combine(fingerprints_[p] + std::rotl(fingerprints_[q], 21) +
                                           std::rotl(fingerprints_[r], 42),
                                       clipped));
  }
  items_.push_back(item);
}

void FramePlan::take_cells(const gl::CellsQuad& quad, const ImVec4& clip) {
  const auto scaled = [&](float x, float y, float w, float h) {
    return figure::Rect{x * ratio_.x, y * ratio_.y, w * ratio_.x, h * ratio_.y};
  };
  gl::CellsQuad& q = cells_.emplace_back(quad);
  q.rect = scaled(q.rect.x, q.rect.y, q.rect.w, q.rect.h);
  q.clip = scaled(clip.x, clip.y, clip.z - clip.x, clip.w - clip.y);
  const auto seen = [&](const figure::Rect& r) {
    return gl::Box{gl::first_pixel(r.x, 0, width_), gl::first_pixel(r.y, 0, height_),
                   gl::first_pixel(r.right(), 0, width_), gl::first_pixel(r.bottom(), 0, height_)};
  };
  const gl::Box box = common(seen(q.rect), seen(q.clip));
  if (box.empty()) return;
  damage_.add(box,
              hash_combine(fingerprint_of(q), bits(q.clip.x, q.clip.y) ^ bits(q.clip.h, q.clip.w)));
  items_.push_back({box, 0, 0, &q});
}

gl::Box FramePlan::bounds(const std::uint32_t (&corners)[3], const gl::Box& clip) const {
  const gl::Vertex &a = vertices_[corners[0]], &b = vertices_[corners[1]],
                   &c = vertices_[corners[2]];
  // Comparisons with what is not a number are false: it counts as everywhere.
  const auto low = [](float v, int from, int to) {
    return v > static_cast<float>(from) ? v < static_cast<float>(to) ? static_cast<int>(v) : to
                                        : from;
  };
  const auto high = [](float v, int from, int to) {
    if (!(v < static_cast<float>(to))) return to;
    return v > static_cast<float>(from) ? static_cast<int>(v) + 1 : from;
  };
  return {low(std::min({a.x, b.x, c.x}) * ratio_.x, clip.x0, clip.x1),
          low(std::min({a.y, b.y, c.y}) * ratio_.y, clip.y0, clip.y1),
          high(std::max({a.x, b.x, c.x}) * ratio_.x, clip.x0, clip.x1),
          high(std::max({a.y, b.y, c.y}) * ratio_.y, clip.y0, clip.y1)};
}

// Planning ----------------------------------------------------------------------------------------

void FramePlan::plan(std::span<const gl::Box> boxes, Steps& out) const {
  for (const gl::Box& box : boxes) out.steps.push_back(fill_of(box, background_));
  for (const Item& item : items_) {
    const auto meets = [&](const gl::Box& box) { return !common(box, item.clip).empty(); };
    if (item.cells && std::any_of(boxes.begin(), boxes.end(), meets)) {
      out.steps.push_back({Step::Kind::cells, item.clip, {}, {}, 0, 0, item.cells});
    }
    for (const gl::Box& box : boxes) {
      if (!item.cells && meets(box)) plan_triangles(item, common(box, item.clip), out);
    }
  }
}

void FramePlan::plan_triangles(const Item& item, const gl::Box& clip, Steps& out) const {
  const auto seen = [&](std::size_t at) { return !common(triangles_[at].bounds, clip).empty(); };
  const std::size_t end = item.first + item.count;
  for (std::size_t at = item.first; at < end; ++at) {
    if (!seen(at)) continue;
    if (at + 1 < end && plan_fill(at, clip, out)) {
      ++at;
      continue;
    }
    const Triangle& t = triangles_[at];
    Step* last = &out.steps.back();
    if (last->kind != Step::Kind::triangles || last->ink != t.ink || last->box != clip) {
      out.steps.push_back({Step::Kind::triangles, clip, {}, t.ink, out.indices.size(), 0, nullptr});
      last = &out.steps.back();
    }
    out.indices.insert(out.indices.end(), std::begin(t.corners), std::end(t.corners));
    last->count += 3;
  }
}

// Plans the triangle and the one after it as a fill, when they are the two halves of a large opaque
// rectangle of one colour, as ImDrawList::PrimRect makes them.
bool FramePlan::plan_fill(std::size_t at, const gl::Box& clip, Steps& out) const {
  const Triangle &one = triangles_[at], &two = triangles_[at + 1];
  if (static_cast<long>(one.bounds.width()) * one.bounds.height() < kLarge) return false;
  if (one.ink != gl::Ink::plain || two.ink != gl::Ink::plain) return false;
  const std::uint32_t first = one.corners[0];
  const auto& [p, q, r] = two.corners;
  if (one.corners[1] != first + 1 || one.corners[2] != first + 2 || p != first || q != first + 2 ||
      r != first + 3) {
    return false;
  }
  const gl::Vertex* v = vertices_.data() + first;
  if (v[0].color >> IM_COL32_A_SHIFT != 255) return false;
  for (int i = 1; i < 4; ++i) {
    if (v[i].color != v[0].color) return false;
  }
  if (v[0].y != v[1].y || v[1].x != v[2].x || v[2].y != v[3].y || v[3].x != v[0].x) return false;
  if (!(v[2].x > v[0].x && v[2].y > v[0].y)) return false;
  const gl::Box box{gl::first_pixel(v[0].x * ratio_.x, 0, width_),
                    gl::first_pixel(v[0].y * ratio_.y, 0, height_),
                    gl::first_pixel(v[2].x * ratio_.x, 0, width_),
                    gl::first_pixel(v[2].y * ratio_.y, 0, height_)};
  const auto channel = [&](int shift) { return static_cast<std::uint8_t>(v[0].color >> shift); };
  const figure::Rgba color{channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT),
                           channel(IM_COL32_B_SHIFT)};
  out.steps.push_back(fill_of(common(box, clip), color));
  return true;
}

}  // namespace ui
