// Diagrams of boxes and wires, put together: where boxes stand and what leads from one to another.
// Places are in a plot's units, y upwards.
#pragma once

#include "app/labs/lab.h"

namespace lab {

struct Box {
  double x0, y0, x1, y1;
  double mid() const { return (x0 + x1) / 2; }
  double level() const { return (y0 + y1) / 2; }
  // Left and right of a place, as far from it.
  std::pair<Box, Box> split(double at, double gap) const {
    return {{x0, y0, at - gap, y1}, {at + gap, y0, x1, y1}};
  }
  // To be filled in.
  figure::Diagram::Node node() const { return {.x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1}; }
};

// Rows of boxes, from below.
struct BoxRows {
  double x0, x1, y, high, between;
  Box next(double height) {
    const Box row{x0, y, x1, y + height};
    y += height + between;
    return row;
  }
  Box next() { return next(high); }
};

class BlockDiagram {
 public:
  using Node = figure::Diagram::Node;
  using Path = std::vector<figure::Diagram::Place>;

  // Arrows lead along the paths of wires, or reversed the other way.
  explicit BlockDiagram(bool reversed = false) : reversed_(reversed) {}

  // Over the nodes before it; a frame lies under all nodes and wires.
  Node& add(Node node) { return diagram_.nodes.emplace_back(std::move(node)); }
  void add_frame(Node node) { frames_.push_back(std::move(node)); }
  void add_lower_frames(std::vector<Node> nodes) {  // under the frames before
    frames_.insert(frames_.begin(), nodes.begin(), nodes.end());
  }
  // The sign of an operation.
  void add_sign(std::string text, double x, double y);

  void wire(Path path, Color color = Role::dim, std::string label = {}, float width = 1.5f);
  // Never reversed, with an arrow and without.
  void arrow(Path path, Color color = Role::dim, std::string label = {}, float width = 1.5f);
  void line(Path path, Color color = Role::dim, float width = 1.5f, bool dashed = false);
  // From one height to another, and from a box to the one at its right.
  void up(double x, double from, double to, std::string label = {});
  void across(const Box& from, const Box& to);

  void draw_in(Plot& plot) const;

 private:
  bool reversed_;
  std::vector<Node> frames_;
  figure::Diagram diagram_;
};

}  // namespace lab
