#include "app/gl/raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gl {
namespace {

// Corners lie on steps of this share of a pixel, as in a driver.
constexpr double kSteps = 256;
// What lies farther away than this, in pixels, is not meant to be seen.
constexpr float kFar = 1e7f;
constexpr std::uint32_t kOpaque = 0xff000000u;

std::uint32_t byte(std::uint32_t value, int shift) { return value >> shift & 0xffu; }

std::uint32_t to_byte(float value) {
  return static_cast<std::uint32_t>(std::clamp(value, 0.0f, 255.0f) + 0.5f);
}

// The ink over the ground by alpha of 255, rounded; red and blue at once.
std::uint32_t over(std::uint32_t ground, std::uint32_t ink, std::uint32_t alpha) {
  const std::uint32_t rest = 255 - alpha;
  std::uint32_t pair = (ink & 0xff00ffu) * alpha + (ground & 0xff00ffu) * rest + 0x800080u;
  std::uint32_t green = byte(ink, 8) * alpha + byte(ground, 8) * rest + 0x80u;
  pair = (pair + (pair >> 8 & 0xff00ffu)) >> 8 & 0xff00ffu;
  green = (green + (green >> 8)) & 0xff00u;
  return pair | green | kOpaque;
}

// The share of alpha that a letter covers.
std::uint32_t covered(std::uint32_t alpha, std::uint32_t coverage) {
  return (alpha * coverage + 127) / 255;
}

struct Corner {
  double x, y;
  const Vertex* vertex;
};
using Corners = std::array<Corner, 3>;

// Twice the area, with a sign.
double area(const Corners& p) {
  return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
}

// A value that changes evenly over a triangle: a, b and c at its corners.
class Plane {
 public:
  Plane(const Corners& p, double a, double b, double c) {
    const double scale = 1 / area(p);
    across_ = ((b - a) * (p[2].y - p[0].y) - (c - a) * (p[1].y - p[0].y)) * scale;
    down_ = ((c - a) * (p[1].x - p[0].x) - (b - a) * (p[2].x - p[0].x)) * scale;
    start_ = a - across_ * (p[0].x - 0.5) - down_ * (p[0].y - 0.5);
  }
  // At a pixel's centre, and its change to the next pixel of the row.
  double at(int x, int y) const { return start_ + across_ * x + down_ * y; }
  double across() const { return across_; }

 private:
  double start_, across_, down_;
};

Plane channel(const Corners& p, int shift) {
  const auto at = [&](std::size_t k) -> double { return byte(p[k].vertex->color, shift); };
  return {p, at(0), at(1), at(2)};
}

// A side of a triangle from its upper to its lower end. Two triangles that share it find the same
// places, so that nothing is left out between them and nothing drawn twice.
class Side {
 public:
  Side(const Corner& upper, const Corner& lower)
      : slope_((lower.x - upper.x) / (lower.y - upper.y)), x_(upper.x), y_(upper.y) {}
  // At the height of a row's centres.
  double at(int row) const { return x_ + (row + 0.5 - y_) * slope_; }
  bool right_of(const Corner& p) const { return p.x - x_ <= (p.y - y_) * slope_; }

 private:
  double slope_, x_, y_;
};

// Calls span(y, begin, end) for the pixels of a triangle in each row of the box.
template <class Span>
void for_spans(Corners p, const Box& box, const Span& span) {
  if (p[1].y < p[0].y) std::swap(p[0], p[1]);
  if (p[2].y < p[1].y) std::swap(p[1], p[2]);
  if (p[1].y < p[0].y) std::swap(p[0], p[1]);
  const int top = first_pixel(p[0].y, box.y0, box.y1);
  const int middle = first_pixel(p[1].y, box.y0, box.y1);
  const int bottom = first_pixel(p[2].y, box.y0, box.y1);
  if (top >= bottom) return;
  const Side whole(p[0], p[2]);
  const bool whole_right = whole.right_of(p[1]);
  const auto half = [&](const Side& side, int from, int to) {
    const Side &left = whole_right ? side : whole, &right = whole_right ? whole : side;
    for (int y = from; y < to; ++y) {
      const int begin = first_pixel(left.at(y), box.x0, box.x1);
      const int end = first_pixel(right.at(y), box.x0, box.x1);
      if (begin < end) span(y, begin, end);
    }
  };
  if (top < middle) half(Side(p[0], p[1]), top, middle);
  if (middle < bottom) half(Side(p[1], p[2]), middle, bottom);
}

}  // namespace

// Draws triangles in one box.
class Raster::Brush {
 public:
  Brush(Raster& raster, const Box& box, Ratio ratio) : to_(raster), box_(box), ratio_(ratio) {}

  void draw(const Vertex* v, std::span<const std::uint32_t> indices, Ink ink) {
    for (std::size_t k = 0; k + 3 <= indices.size(); k += 3) {
      const std::uint32_t* i = indices.data() + k;
      // The two halves of a rectangle, as ImDrawList makes them.
      if (k + 6 <= indices.size() && i[3] == i[0] && i[4] == i[2] &&
          rectangle(v[i[0]], v[i[1]], v[i[2]], v[i[5]], ink)) {
        k += 3;
        continue;
      }
      triangle(v[i[0]], v[i[1]], v[i[2]], ink);
    }
  }

 private:
  static double stepped(float at) { return static_cast<double>(std::lrint(at * kSteps)) / kSteps; }
  Corner corner(const Vertex& v) const {
    return {stepped(v.x * ratio_.x), stepped(v.y * ratio_.y), &v};
  }
  bool near(const Vertex& v) const {
    return std::abs(v.x * ratio_.x) < kFar && std::abs(v.y * ratio_.y) < kFar;
  }

  // Four corners from the upper left one on; false when they are no upright rectangle of a single
  // colour.
  bool rectangle(const Vertex& a, const Vertex& b, const Vertex& c, const Vertex& d, Ink ink) {
    if (a.y != b.y || b.x != c.x || c.y != d.y || d.x != a.x) return false;
    if (a.color != b.color || a.color != c.color || a.color != d.color) return false;
    if (ink == Ink::letters && (a.u != d.u || b.u != c.u || a.v != b.v || c.v != d.v)) return false;
    if (!near(a) || !near(c)) return false;
    const Corner low = corner(a), high = corner(c);
    if (low.x > high.x || low.y > high.y) return false;
    const Box box{first_pixel(low.x, box_.x0, box_.x1), first_pixel(low.y, box_.y0, box_.y1),
                  first_pixel(high.x, box_.x0, box_.x1), first_pixel(high.y, box_.y0, box_.y1)};
    if (box.empty()) return true;
    if (ink == Ink::letters) {
      letter(box, low, high);
    } else {
      for (int y = box.y0; y < box.y1; ++y) span(y, box.x0, box.x1, a.color);
    }
    return true;
  }

  void triangle(const Vertex& a, const Vertex& b, const Vertex& c, Ink ink) {
    if (!near(a) || !near(b) || !near(c)) return;
    const Corners p{corner(a), corner(b), corner(c)};
    if (area(p) == 0) return;
    const std::uint32_t differ = (a.color ^ b.color) | (a.color ^ c.color);
    if (ink == Ink::letters) {
      rotated_letter(p);
    } else if (differ == 0) {
      for_spans(p, box_, [&](int y, int begin, int end) { span(y, begin, end, a.color); });
    } else if ((differ & ~kOpaque) == 0) {
      faded(p);
    } else {
      shaded(p);
    }
  }

  void span(int y, int begin, int end, std::uint32_t color) {
    std::uint32_t* at = to_.row(y);
    const std::uint32_t ink = to_.ordered(color), alpha = byte(color, 24);
    if (alpha == 255) {
      std::fill(at + begin, at + end, ink);
    } else {
      for (int x = begin; x < end; ++x) at[x] = over(at[x], ink, alpha);
    }
  }

  // One colour whose alpha changes, as at the rim of what is smoothed.
  void faded(const Corners& p) {
    const std::uint32_t ink = to_.ordered(p[0].vertex->color);
    const Plane alpha = channel(p, 24);
    for_spans(p, box_, [&](int y, int begin, int end) {
      std::uint32_t* at = to_.row(y);
      const auto first = static_cast<float>(alpha.at(begin, y));
      const auto step = static_cast<float>(alpha.across());
      for (int x = begin; x < end; ++x) {
        at[x] = over(at[x], ink, to_byte(first + step * static_cast<float>(x - begin)));
      }
    });
  }

  void shaded(const Corners& p) {
    const std::array<Plane, 4> planes{channel(p, 0), channel(p, 8), channel(p, 16), channel(p, 24)};
    for_spans(p, box_, [&](int y, int begin, int end) {
      std::uint32_t* at = to_.row(y);
      for (int x = begin; x < end; ++x) {
        std::uint32_t color = 0;
        for (std::size_t k = 0; k < 4; ++k) {
          color |= to_byte(static_cast<float>(planes[k].at(x, y))) << 8 * k;
        }
        at[x] = over(at[x], to_.ordered(color), byte(color, 24));
      }
    });
  }

  void letter(const Box& box, const Corner& low, const Corner& high) {
    const Vertex &a = *low.vertex, &c = *high.vertex;
    const double wide = to_.letters_wide_, tall = to_.letters_high_;
    const double across = (c.u - a.u) * wide / (high.x - low.x);
    const double down = (c.v - a.v) * tall / (high.y - low.y);
    const double u = a.u * wide + (0.5 - low.x) * across - 0.5;
    const double v = a.v * tall + (0.5 - low.y) * down - 0.5;
    const std::uint32_t ink = to_.ordered(a.color), alpha = byte(a.color, 24);
    for (int y = box.y0; y < box.y1; ++y) {
      std::uint32_t* at = to_.row(y);
      const TexelRows rows = to_.texel_rows(v + y * down);
      for (int x = box.x0; x < box.x1; ++x) {
        const std::uint32_t coverage = to_.coverage(rows, u + x * across);
        if (coverage != 0) at[x] = over(at[x], ink, covered(alpha, coverage));
      }
    }
  }

  void rotated_letter(const Corners& p) {
    const double wide = to_.letters_wide_, high = to_.letters_high_;
    const Vertex &a = *p[0].vertex, &b = *p[1].vertex, &c = *p[2].vertex;
    const Plane u(p, a.u * wide, b.u * wide, c.u * wide);
    const Plane v(p, a.v * high, b.v * high, c.v * high);
    const std::uint32_t ink = to_.ordered(a.color), alpha = byte(a.color, 24);
    for_spans(p, box_, [&](int y, int begin, int end) {
      std::uint32_t* at = to_.row(y);
      for (int x = begin; x < end; ++x) {
        const TexelRows rows = to_.texel_rows(v.at(x, y) - 0.5);
        at[x] = over(at[x], ink, covered(alpha, to_.coverage(rows, u.at(x, y) - 0.5)));
      }
    });
  }

  Raster& to_;
  Box box_;
  Ratio ratio_;
};

void Raster::set_letters(int width, int height, const std::uint8_t* coverage) {
  letters_wide_ = width;
  letters_high_ = height;
  letters_.assign(coverage, coverage + std::ptrdiff_t{width} * height);
}

bool Raster::begin(int width, int height, Storage storage) {
  if (width == width_ && height == height_ && storage == storage_) return false;
  width_ = width;
  height_ = height;
  storage_ = storage;
  pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  return true;
}

Box Raster::seen(const Box& box) const { return common(box, {0, 0, width_, height_}); }

std::uint32_t Raster::ordered(std::uint32_t color) const {
  const std::uint32_t opaque = color | kOpaque;
  if (!storage_.blue_first) return opaque;
  return (opaque & 0xff00ff00u) | byte(color, 16) | byte(color, 0) << 16;
}

Raster::TexelRows Raster::texel_rows(double v) const {
  const auto at = static_cast<int>(std::clamp(v + 1, 0.0, double(letters_high_)) * 256);
  const auto row = [&](int y) {
    return letters_.data() + std::ptrdiff_t{std::clamp(y, 0, letters_high_ - 1)} * letters_wide_;
  };
  const int y = (at >> 8) - 1;
  return {row(y), row(y + 1), static_cast<std::uint32_t>(at & 255)};
}

std::uint32_t Raster::coverage(const TexelRows& rows, double u) const {
  const auto at = static_cast<int>(std::clamp(u + 1, 0.0, double(letters_wide_)) * 256);
  const int x = (at >> 8) - 1;
  const int left = std::max(x, 0), right = std::min(x + 1, letters_wide_ - 1);
  const auto part = static_cast<std::uint32_t>(at & 255);
  const auto between = [&](const std::uint8_t* row) {
    return row[left] * (256 - part) + row[right] * part;
  };
  return (between(rows.upper) * (256 - rows.part) + between(rows.lower) * rows.part + 0x8000u) >>
         16;
}

void Raster::fill(const Box& box, figure::Rgba color) {
  const std::uint32_t ink = ordered(packed(color));
  const Box b = seen(box);
  for (int y = b.y0; y < b.y1; ++y) std::fill(row(y) + b.x0, row(y) + std::max(b.x0, b.x1), ink);
}

void Raster::draw(const Box& box, std::span<const Vertex> vertices,
                  std::span<const std::uint32_t> indices, Ink ink, Ratio ratio) {
  const Box b = seen(box);
  if (!b.empty()) Brush(*this, b, ratio).draw(vertices.data(), indices, ink);
}

void Raster::cells(const Box& box, const CellsQuad& quad) {
  check(quad);
  const Box b = seen(box);
  if (b.empty()) return;
  const PixelSpan columns = columns_of(quad, b.x0, b.x1), rows = rows_of(quad, b.y0, b.y1);
  CellsPainter painter(quad, columns, storage_.blue_first);
  for (int y = rows.begin; y < rows.end(); ++y) {
    painter.paint(y, rows.cells[static_cast<std::size_t>(y - rows.begin)], row(y) + columns.begin);
  }
}

Image Raster::image() const {
  Image image{width_, height_, {}};
  image.rgba.reserve(4 * pixels_.size());
  for (int y = 0; y < height_; ++y) {
    const std::uint32_t* line = pixels_.data() + std::ptrdiff_t{stored(y)} * width_;
    for (int x = 0; x < width_; ++x) {
      const std::uint32_t color = ordered(line[x]);  // exchanges red and blue back
      for (int k = 0; k < 4; ++k) image.rgba.push_back(static_cast<std::uint8_t>(color >> 8 * k));
    }
  }
  return image;
}

}  // namespace gl
