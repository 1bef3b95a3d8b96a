// From what ImGui wants drawn to what has to be drawn: only within the boxes that differ from the
// last picture, and large opaque rectangles as fills. A processor that draws pays for every
// triangle and every pixel, and in most frames little changes.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "app/figure/color.h"
#include "app/gl/cells.h"
#include "app/gl/triangles.h"
#include "app/ui/draw/damage.h"

namespace ui {

class FramePlan {
 public:
  struct Step {
    enum class Kind { fill, triangles, cells };
    Kind kind = Kind::fill;
    gl::Box box;              // clips it; cells are also clipped by the boxes that were asked for
    figure::Rgba color = {};  // of a fill
    // Triangles: where they lie in `indices`.
    gl::Ink ink = gl::Ink::plain;
    std::size_t first = 0, count = 0;
    const gl::CellsQuad* cells = nullptr;  // in pixels
  };

  struct Steps {
    std::vector<Step> steps;
    std::vector<std::uint32_t> indices;
  };

  // Takes what is to be drawn in a picture of width x height pixels and finds what differs from the
  // picture before. `fingerprint` changes when something does that is not in the data: the font's
  // texture.
  void take(const ImDrawData& data, int width, int height, figure::Rgba background,
            std::uint64_t fingerprint);
  // The next picture is taken whole.
  void forget() { damage_.forget(); }
  // What differs.
  const std::vector<gl::Box>& boxes() const { return *boxes_; }

  // How to draw the picture within some boxes, which lie in those that differ and do not overlap.
  // Several threads may ask at once.
  void plan(std::span<const gl::Box> boxes, Steps& out) const;
  // The triangles' corners, in units of the window; `ratio` is pixels a unit.
  std::span<const gl::Vertex> vertices() const { return vertices_; }
  ImVec2 ratio() const { return ratio_; }
  // All cells of the picture, whether drawn anew or not.
  const std::deque<gl::CellsQuad>& cells() const { return cells_; }

 private:
  struct Triangle {
    std::uint32_t corners[3];  // in vertices_
    gl::Ink ink;
    gl::Box bounds;  // of what is seen of it; empty when nothing is
  };
  // One of ImGui's commands: triangles, or cells.
  struct Item {
    gl::Box clip;
    std::size_t first = 0, count = 0;
    const gl::CellsQuad* cells = nullptr;
  };

  void take(const ImDrawList& list);
  void take(const ImDrawList& list, const ImDrawCmd& command, std::size_t base);
  void take_cells(const gl::CellsQuad& quad, const ImVec4& clip);
  void plan_triangles(const Item& item, const gl::Box& clip, Steps& out) const;
  bool plan_fill(std::size_t at, const gl::Box& clip, Steps& out) const;
  gl::Box bounds(const std::uint32_t (&corners)[3], const gl::Box& clip) const;

  Damage damage_;
  const std::vector<gl::Box>* boxes_ = nullptr;
  ImVec2 ratio_{1, 1}, white_;
  int width_ = 0, height_ = 0;
  figure::Rgba background_;
  std::vector<gl::Vertex> vertices_;
  std::vector<std::uint64_t> fingerprints_;  // of the vertices
  std::vector<Triangle> triangles_;
  std::vector<Item> items_;
  std::deque<gl::CellsQuad> cells_;
};

}  // namespace ui
