#include "app/paper/file/without_marks.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace paper {
namespace {

bool accented(const figure::Color& color) {
  return color.head < 0 && color.role == figure::Role::accent;
}

// Whether a mark is there for the sake of a knob alone; every kind of mark says so.
class OfAKnob {
 public:
  explicit OfAKnob(const figure::Plot& plot) {
    for (const figure::Mark& mark : plot.marks) {
      const auto* rule = std::get_if<figure::Rule>(&mark);
      const auto* points = std::get_if<figure::Points>(&mark);
      if (rule && rule->vertical && rule->label.empty()) lines_.push_back(rule->at);
      if (points && points->x.size() == 1) points_.push_back(points->x.front());
    }
  }

  bool operator()(const figure::Rule& rule) const {
    const bool with_point = rule.vertical && has(points_, rule.at);
    return rule.label.empty() && (accented(rule.color) || with_point);
  }
  bool operator()(const figure::Points& points) const {
    return points.x.size() == 1 && (accented(points.color) || has(lines_, points.x.front()));
  }
  bool operator()(const figure::Handle& handle) const {
    return handle.points_param.empty() && accented(handle.color) && has(lines_, handle.x);
  }
  bool operator()(const auto&) const { return false; }

 private:
  static bool has(const std::vector<double>& places, double at) {
    return std::find(places.begin(), places.end(), at) != places.end();
  }
  // Along x: of lines across the plot, and of points that stand alone.
  std::vector<double> lines_, points_;
};

// Among things of a kind the picked ones are in the accent colour: they get that of the others.
void even_out(std::span<figure::Color* const> colors) {
  const auto usual =
      std::ranges::find_if_not(colors, [](const figure::Color* color) { return accented(*color); });
  if (usual == colors.end()) return;
  for (figure::Color* color : colors) {
    if (accented(*color)) *color = **usual;
  }
}

// Notes of one kind have one style, such as the numbers at bars.
void even_out_notes(figure::Plot& plot) {
  std::map<figure::TextStyle, std::vector<figure::Color*>> by_style;
  for (figure::Mark& mark : plot.marks) {
    if (auto* note = std::get_if<figure::Note>(&mark))
      by_style[note->style].push_back(&note->color);
  }
  for (const auto& [style, colors] : by_style) even_out(colors);
}

// Takes back what stands out in a mark.
struct Plain {
  void operator()(figure::Heatmap& map) const { map.pinned.reset(); }
  void operator()(figure::Bars& bars) const { bars.marked = -1; }
  void operator()(figure::Links& links) const {
    links.marked_left = links.marked_right = -1;
    std::vector<figure::Color*> colors;
    for (figure::Links::Link& link : links.links) colors.push_back(&link.color);
    even_out(colors);
  }
  void operator()(figure::Table& table) const { table.marked = -1; }
  void operator()(figure::Boxes& boxes) const {
    for (figure::Boxes::Box& box : boxes.boxes) box.marked = false;
  }
  void operator()(figure::Diagram& diagram) const {
    for (figure::Diagram::Node& node : diagram.nodes) node.marked = node.picked = false;
  }
  void operator()(auto&) const {}
};

}  // namespace

std::vector<figure::Figure> without_marks(std::vector<figure::Figure> figures) {
  for (figure::Figure& figure : figures) {
    for (figure::Plot& plot : figure.plots) {
      plot.selected = false;
      plot.x.marked = plot.y.marked = -1;
      const OfAKnob of_a_knob(plot);
      std::erase_if(plot.marks,
                    [&](const figure::Mark& mark) { return std::visit(of_a_knob, mark); });
      for (figure::Mark& mark : plot.marks) std::visit(Plain(), mark);
      even_out_notes(plot);
    }
  }
  return figures;
}

}  // namespace paper
