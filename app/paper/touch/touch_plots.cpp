#include "app/paper/touch/touch_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <variant>

#include "app/figure/layout.h"
#include "app/paper/places.h"

namespace paper {
namespace {

using figure::Plot;
using nlohmann::json;

constexpr std::size_t kMostPoints = 500;  // of a line, evenly thinned out
constexpr int kHeads = 12;                // with colors of their own
constexpr int kShownDigits = 6;

// So many significant digits; null is no number.
json json_number(double value, int digits = kShownDigits) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

json json_numbers(const std::vector<double>& values, std::size_t every = 1) {
  json out = json::array();
  for (std::size_t k = 0; k < values.size(); k += every) out.push_back(json_number(values[k]));
  return out;
}

json json_place(const figure::Rect& rect, figure::Point origin) {
  const auto at = [](float v) { return json_number(std::round(wide(v) * 100) / 100, 9); };
  return {at(rect.x - origin.x), at(rect.y - origin.y), at(rect.w), at(rect.h)};
}

json axis_of(const figure::Axis& axis, TouchLists& lists) {
  json out = json::object();
  if (!axis.label.empty()) out["n"] = axis.label;
  if (axis.cells) out["c"] = 1;
  if (axis.cells && axis.labels) out["b"] = lists.add(axis.labels);
  if (!axis.link.empty()) out["k"] = axis.link;
  if (axis.named) out["d"] = 1;
  return out;
}

json image_of(const TouchImage& image, std::size_t index, const Plot& plot, figure::Point origin) {
  const figure::draw::Cells& cells = *image.cells;
  json out = {{"o", index},
              {"r", json_place(cells.rect, origin)},
              {"s", {cells.shown.x0, cells.shown.x1, cells.shown.y0, cells.shown.y1}},
              {"g", {image.region.row, image.region.col, image.region.rows, image.region.cols}}};
  if (cells.level > 0) {
    out["v"] = {cells.level, cells.row_level, cells.col_level};
    if (cells.pool == figure::Pool::mean) out["u"] = 1;
  }
  if (cells.colors->scale().map == figure::MapName::groups) out["q"] = 1;
  for (const figure::Mark& mark : plot.marks) {
    if (std::holds_alternative<figure::Heatmap>(mark)) out["h"] = 1;
  }
  return out;
}

// What each kind of mark is known by.
struct AddMark {
  json& plot;
  TouchLists& lists;

  void operator()(const figure::Line& line) const {
    const std::size_t count = std::min(line.x.size(), line.y.size());
    if (count == 0) return;
    const std::size_t every = (count + kMostPoints - 1) / kMostPoints;
    json one = {{"x", lists.add(json_numbers(line.x, every))},
                {"y", lists.add(json_numbers(line.y, every))}};
    if (!line.label.empty()) one["n"] = line.label;
    if (line.color.head >= 0) one["h"] = line.color.head;
    plot["L"].push_back(std::move(one));
  }
  void operator()(const figure::Bars& bars) const {
    plot["B"].push_back(json_numbers(bars.values));
  }
  void operator()(const figure::Points& points) const {
    if (points.x.size() > 4 * kMostPoints) return;  // too near each other to be pointed at
    plot["P"].push_back(
        {{"x", lists.add(json_numbers(points.x))}, {"y", lists.add(json_numbers(points.y))}});
  }
  void operator()(const figure::Handle& handle) const {
    plot["P"].push_back(
        {{"x", lists.add(json_numbers({handle.x}))}, {"y", lists.add(json_numbers({handle.y}))}});
    if (!handle.label.empty()) plot["P"].back()["n"] = handle.label;
  }
  void operator()(const figure::Links& links) const {
    json all = json::array();
    for (const figure::Links::Link& link : links.links) {
      if (!(link.weight > 0)) continue;
      json one = {link.from, link.to, json_number(static_cast<double>(link.weight), 3)};
      if (link.color.head >= 0) one.push_back(link.color.head);
      all.push_back(std::move(one));
    }
    plot["K"] = {{"a", lists.add(links.left)}, {"b", lists.add(links.right)}, {"l", all}};
  }
  template <class Other>
  void operator()(const Other&) const {}
};

json plot_of(const figure::Figure& figure, const figure::PlotFrame& frame, figure::Point origin,
             TouchLists& lists) {
  const Plot& plot = figure.plots[static_cast<std::size_t>(frame.index)];
  const std::string title = plot.title.empty()           ? figure.title
                            : figure.title.empty()       ? plot.title
                            : plot.title == figure.title ? plot.title
                                                         : figure.title + " · " + plot.title;
  json out = {{"f", figure.id},
              {"i", plot.id},
              {"t", title},
              {"a", json_place(frame.area, origin)},
              {"w", json_place(frame.whole, origin)},
              {"v",
               {json_number(frame.shown.x0, 12), json_number(frame.shown.x1, 12),
                json_number(frame.shown.y0, 12), json_number(frame.shown.y1, 12)}},
              {"x", axis_of(plot.x, lists)},
              {"y", axis_of(plot.y, lists)}};
  if (!plot.title.empty()) out["n"] = plot.title;
  if (frame.x_log) out["xl"] = 1;
  if (frame.y_log) out["yl"] = 1;
  if (plot.thumbnail) out["h"] = 1;
  for (const figure::Mark& mark : plot.marks) {
    std::visit(AddMark{out, lists}, static_cast<const figure::AnyMark&>(mark));
  }
  const double first = std::min(plot.x.lo, plot.x.hi);  // the first bar's cell
  if (out.contains("B") && first != 0) out["b"] = json_number(first);
  return out;
}

// A color of heads, whatever its opacity.
json variables_of(int head, const TouchPalette& palette) {
  const auto same = [](figure::Rgba a, figure::Rgba b) {
    return a.r == b.r && a.g == b.g && a.b == b.b;
  };
  const figure::Rgba light = figure::theme(figure::ThemeName::light).head(head);
  const figure::Rgba dark = figure::theme(figure::ThemeName::dark).head(head);
  json out = json::array();
  for (std::size_t k = 0; k < palette.pairs().size(); ++k) {
    if (same(palette.pairs()[k].light, light) && same(palette.pairs()[k].dark, dark)) {
      out.push_back(k);
    }
  }
  return out;
}

// The heads whose colors a figure's marks have, with what they are called.
struct FindHeads {
  std::map<int, std::string>& found;

  void add(const figure::Color& color, const std::string& name) const {
    if (color.head < 0 || color.head >= kHeads) return;
    std::string& known = found[color.head];
    if (known.empty()) known = name;
  }
  void operator()(const figure::Line& line) const { add(line.color, line.label); }
  void operator()(const figure::Points& points) const { add(points.color, ""); }
  void operator()(const figure::Links& links) const {
    for (const figure::Links::Link& link : links.links) add(link.color, "");
  }
  template <class Other>
  void operator()(const Other&) const {}
};

}  // namespace

int TouchLists::add(const figure::Labels& labels) {
  if (!labels) return -1;
  const auto [found, added] = known_names_.emplace(*labels, static_cast<int>(names_.size()));
  if (added) names_.push_back(labels);
  return found->second;
}

int TouchLists::add(const json& numbers) {
  const std::string text = numbers.dump();
  const auto [found, added] = known_numbers_.emplace(text, static_cast<int>(numbers_.size()));
  if (added) numbers_.push_back(text);
  return found->second;
}

std::vector<json> touch_plots(const figure::Figure& figure, const figure::Drawing& drawing,
                              int number, const TouchInk& ink, figure::Point origin,
                              TouchLists& lists) {
  std::vector<json> all;
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (!(frame.area.w >= 1 && frame.area.h >= 1)) continue;
    json plot = plot_of(figure, frame, origin, lists);
    const Plot& of = figure.plots[static_cast<std::size_t>(frame.index)];
    for (std::size_t k = 0; k < ink.images.size(); ++k) {
      const TouchImage& image = ink.images[k];
      if (!image.cells || image.drawing != number) continue;
      const figure::Rect& r = image.cells->rect;
      if (frame.area.contains({r.x + r.w / 2, r.y + r.h / 2})) {
        plot["m"].push_back(image_of(image, k, of, origin));
      }
    }
    for (const figure::Hit& hit : drawing.hits) {
      if (hit.plot != frame.index || hit.tooltip.empty() || of.thumbnail) continue;
      plot["H"].push_back({json_place(hit.rect, origin), hit.tooltip});
    }
    all.push_back(std::move(plot));
  }
  return all;
}

json touch_parts(const figure::Figure& figure, const TouchPalette& palette, const words::Words& w) {
  json parts = json::array();
  for (const Plot& plot : figure.plots) {
    if (plot.thumbnail && !plot.title.empty()) parts.push_back({{"n", plot.title}, {"p", plot.id}});
  }
  if (parts.size() < 2) {
    parts = json::array();
    std::map<int, std::string> heads;
    for (const Plot& plot : figure.plots) {
      for (const figure::Mark& mark : plot.marks) {
        std::visit(FindHeads{heads}, static_cast<const figure::AnyMark&>(mark));
      }
    }
    for (const auto& [head, name] : heads) {
      json variables = variables_of(head, palette);
      if (variables.empty()) continue;
      parts.push_back({{"n", name.empty() ? w.format(N_("Head {}"), head + 1) : name},
                       {"h", head},
                       {"c", std::move(variables)}});
    }
  }
  if (parts.size() < 2) return nullptr;
  return {{"f", figure.id}, {"t", figure.title}, {"l", std::move(parts)}};
}

}  // namespace paper
