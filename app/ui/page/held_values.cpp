#include "app/ui/page/held_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/figure/layout.h"
#include "app/figure/picking.h"
#include "app/session/compare.h"
#include "app/ui/page/values_at.h"

namespace ui {

namespace {

using figure::number_text;
using figure::Plot;
using figure::Point;
using words::Words;

template <class M>
std::vector<const M*> all_of(const Plot& plot) {
  std::vector<const M*> found;
  for (const figure::Mark& mark : plot.marks) {
    if (const M* one = std::get_if<M>(&mark)) found.push_back(one);
  }
  return found;
}

std::string value_text(float value, const Words& w) {
  return core::is_masked(value) ? w("masked") : number_text(static_cast<double>(value), 6);
}

// The second line of a cell's tip.
std::string cell_line(float live, float held, const Words& w) {
  if (core::is_masked(live) || core::is_masked(held)) {
    return w.format(N_("held {}"), value_text(held, w));
  }
  return session::against(static_cast<double>(live), static_cast<double>(held), w);
}

bool add_cell(std::vector<std::string>& lines, const Plot& live, const Plot& held, double x,
              double y, const Words& w) {
  const figure::Heatmap *now = figure::heatmap_in(live), *then = figure::heatmap_in(held);
  if (!now || !then || !now->source || !then->source) return false;
  const auto cell = figure::cell_at(live, x, y);
  if (!cell || lines.empty()) return true;
  const float value = now->source->value(cell->first, cell->second);
  const float old = then->source->value(cell->first, cell->second);
  if (now->scale.map == figure::MapName::groups) return true;
  lines.insert(lines.begin() + 1, cell_line(value, old, w));
  return true;
}

// The bar in whose column the pointer is.
bool add_bar(std::vector<std::string>& lines, const Plot& live, const Plot& held, double x,
             const Words& w) {
  const auto now = all_of<figure::Bars>(live), then = all_of<figure::Bars>(held);
  if (now.empty() || now.size() != then.size()) return false;
  const double cell = std::floor(x - std::min(live.x.lo, live.x.hi));
  for (std::size_t b = 0; b < now.size(); ++b) {
    if (!(cell >= 0)) continue;
    const auto k = static_cast<std::size_t>(cell);
    if (k >= now[b]->values.size()) continue;
    const auto& names = live.x.labels;
    const std::string name =
        names && k < names->size()
            ? (*names)[k]
            : fmt::format("{}", static_cast<core::Index>(k) + figure::first_cell(live.x));
    const double value = now[b]->values[k];
    lines.push_back(w.format(N_("{}: {}"), name, number_text(value, 6)));
    lines.push_back(k < then[b]->values.size() ? session::against(value, then[b]->values[k], w)
                                               : w("held: no such bar"));
  }
  return !lines.empty();
}

std::string place_text(double x, double y) {
  return fmt::format("({}, {})", number_text(x, 6), number_text(y, 6));
}

// The nearest point or handle, and where the same one stood.
bool add_point(std::vector<std::string>& lines, const Plot& live, const Plot& held,
               const figure::PlotFrame& frame, Point at, const Words& w) {
  float best = kNear;
  std::string text;
  const auto offer = [&](double x, double y, float radius, double old_x, double old_y) {
    const float distance = std::hypot(frame.px_at(x) - at.x, frame.py_at(y) - at.y) - radius;
    if (!(distance < best)) return;
    best = distance;
    text = w.format(N_("held {0} · difference {1}"), place_text(old_x, old_y),
                    place_text(x - old_x, y - old_y));
  };
  const auto now = all_of<figure::Points>(live), then = all_of<figure::Points>(held);
  for (std::size_t m = 0; now.size() == then.size() && m < now.size(); ++m) {
    const std::size_t count = std::min(now[m]->x.size(), now[m]->y.size());
    if (count != std::min(then[m]->x.size(), then[m]->y.size())) continue;  // others than those
    for (std::size_t k = 0; k < count; ++k) {
      offer(now[m]->x[k], now[m]->y[k], now[m]->radius, then[m]->x[k], then[m]->y[k]);
    }
  }
  const auto handles = all_of<figure::Handle>(live), old = all_of<figure::Handle>(held);
  for (std::size_t k = 0; handles.size() == old.size() && k < handles.size(); ++k) {
    if (handles[k]->label != old[k]->label) continue;
    offer(handles[k]->x, handles[k]->y, handles[k]->radius, old[k]->x, old[k]->y);
  }
  if (text.empty() || lines.empty()) return false;
  lines.push_back(std::move(text));
  return true;
}

void add_lines(std::vector<std::string>& lines, const Plot& live, const Plot& held, double x,
               const Words& w) {
  const auto all = all_of<figure::Line>(live);
  std::size_t at = 1;  // behind the place
  for (std::size_t k = 0; k < all.size(); ++k) {
    const figure::Line& line = *all[k];
    if (line.x.empty() || line.y.size() < line.x.size()) continue;
    if (at >= std::min(lines.size(), kMostLines)) return;
    std::string& text = lines[at++];
    const auto nearest = std::min_element(line.x.begin(), line.x.end(), [&](double a, double b) {
      return std::abs(a - x) < std::abs(b - x);
    });
    const figure::Line* then = partner(live, held, k);
    if (!then) continue;
    const double value = line.y[static_cast<std::size_t>(nearest - line.x.begin())];
    const OnLine old = on_line(*then, *nearest);
    if (std::isnan(old.value)) continue;
    text = w.format(old.between ? N_("{} · about: {}") : N_("{} · {}"), text,
                    session::against(value, old.value, w));
  }
}

// The box that the pointer is in.
bool add_box(std::vector<std::string>& lines, const Plot& live, const Plot& held, double x,
             double y, const Words& w) {
  const auto now = all_of<figure::Boxes>(live), then = all_of<figure::Boxes>(held);
  for (std::size_t m = 0; now.size() == then.size() && m < now.size(); ++m) {
    const auto &boxes = now[m]->boxes, &old = then[m]->boxes;
    for (std::size_t k = 0; k < std::min(boxes.size(), old.size()); ++k) {
      const auto &a = boxes[k], &b = old[k];
      const bool same = a.x0 == b.x0 && a.x1 == b.x1 && a.y0 == b.y0 && a.y1 == b.y1;
      const bool in = x >= std::min(a.x0, a.x1) && x < std::max(a.x0, a.x1) &&
                      y >= std::min(a.y0, a.y1) && y < std::max(a.y0, a.y1);
      if (!same || !in || a.text == b.text || b.text.empty()) continue;
      lines.push_back(a.tooltip.empty() ? a.text : a.tooltip);
      lines.push_back(w.format(N_("held {}"), b.text));
      return true;
    }
  }
  return false;
}

// The cell of a scheme's picture, whichever of the two is drawn there.
bool add_picture(std::vector<std::string>& lines, const Plot& live, const Plot& held,
                 const figure::Drawing& drawing, Point at, const Words& w) {
  const auto now = all_of<figure::Diagram>(live), then = all_of<figure::Diagram>(held);
  if (now.empty() || now.size() != then.size()) return false;
  const auto nodes = [&](std::size_t m) {
    return std::min(now[m]->nodes.size(), then[m]->nodes.size());
  };
  for (const figure::Primitive& one : drawing.primitives) {
    const auto* cells = std::get_if<figure::draw::Cells>(&one);
    if (!cells || !cells->rect.contains(at)) continue;
    const auto [row, col] = cell_in(*cells, at);
    for (std::size_t m = 0; m < now.size(); ++m) {
      for (std::size_t k = 0; k < nodes(m); ++k) {
        const auto &a = now[m]->nodes[k].picture, &b = then[m]->nodes[k].picture;
        if (!a || !b || (cells->source != a && cells->source != b)) continue;
        if (a->rows() != b->rows() || a->cols() != b->cols()) continue;
        const figure::Diagram::Node& node = now[m]->nodes[k];
        const float value = a->value(row, col);
        lines = {node.tooltip.empty() ? node.title : node.tooltip, value_text(value, w),
                 cell_line(value, b->value(row, col), w),
                 w.format(N_("row {}, column {}"), row, col)};
        return true;
      }
    }
  }
  return false;
}

}  // namespace

OnLine on_line(const figure::Line& line, double x) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::size_t count = std::min(line.x.size(), line.y.size());
  for (std::size_t k = 0; k < count; ++k) {
    if (line.x[k] == x) return {line.y[k], false};
  }
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const double a = line.x[k], b = line.x[k + 1];
    if (!((a < x && x < b) || (b < x && x < a))) continue;
    return {line.y[k] + (line.y[k + 1] - line.y[k]) * (x - a) / (b - a), true};
  }
  return {kNone, false};
}

const figure::Line* partner(const Plot& live, const Plot& held, std::size_t k) {
  const auto now = all_of<figure::Line>(live), then = all_of<figure::Line>(held);
  const std::string& name = now[k]->label;
  const auto named = [&](const figure::Line* one) { return one->label == name; };
  const auto count = std::count_if(then.begin(), then.end(), named);
  if (!name.empty() && count == 1 && std::count_if(now.begin(), now.end(), named) == 1) {
    return *std::find_if(then.begin(), then.end(), named);
  }
  const bool same = now.size() == then.size() && then[k]->label == name;
  return same ? then[k] : nullptr;
}

std::vector<std::string> with_held(std::vector<std::string> lines, const Plot& live,
                                   const Plot& held, const figure::Drawing& drawing,
                                   const figure::PlotFrame& frame, Point at, const Words& w) {
  if (add_picture(lines, live, held, drawing, at, w)) return lines;
  const double x = frame.x_at(at.x), y = frame.y_at(at.y);
  if (add_cell(lines, live, held, x, y, w)) return lines;
  if (lines.size() == 1 && add_point(lines, live, held, frame, at, w)) return lines;
  if (lines.empty() && (add_box(lines, live, held, x, y, w) || add_bar(lines, live, held, x, w))) {
    return lines;
  }
  add_lines(lines, live, held, x, w);
  return lines;
}

}  // namespace ui
