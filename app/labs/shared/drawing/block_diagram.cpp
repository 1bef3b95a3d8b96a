#include "app/labs/shared/drawing/block_diagram.h"

namespace lab {

void BlockDiagram::add_sign(std::string text, double x, double y) {
  Node node = Box{x - 12, y - 11, x + 12, y + 11}.node();
  node.title = std::move(text);
  node.fill = Role::card;
  node.edge = Role::dim;
  node.round = node.bold = true;
  add(std::move(node));
}

void BlockDiagram::wire(Path path, Color color, std::string label, float width) {
  if (reversed_) std::reverse(path.begin(), path.end());
  arrow(std::move(path), color, std::move(label), width);
}

void BlockDiagram::arrow(Path path, Color color, std::string label, float width) {
  diagram_.wires.push_back(
      {.path = std::move(path), .color = color, .width = width, .label = std::move(label)});
}

void BlockDiagram::line(Path path, Color color, float width, bool dashed) {
  diagram_.wires.push_back(
      {.path = std::move(path), .color = color, .width = width, .dashed = dashed, .arrow = false});
}

void BlockDiagram::up(double x, double from, double to, std::string label) {
  wire({{x, from}, {x, to}}, Role::dim, std::move(label));
}

void BlockDiagram::across(const Box& from, const Box& to) {
  wire({{from.x1, to.level()}, {to.x0, to.level()}});
}

void BlockDiagram::draw_in(Plot& plot) const {
  if (!frames_.empty()) plot.add(figure::Diagram{.nodes = frames_});
  plot.add(diagram_);
}

}  // namespace lab
