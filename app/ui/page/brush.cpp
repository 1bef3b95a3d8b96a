#include "app/ui/page/brush.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>

namespace ui {

namespace {

using figure::Point;

const figure::Heatmap& painted_map(const figure::Plot& plot) {
  const auto is_map = [](const figure::Mark& m) {
    return std::holds_alternative<figure::Heatmap>(m);
  };
  return std::get<figure::Heatmap>(*std::find_if(plot.marks.begin(), plot.marks.end(), is_map));
}

Point pointer_in(Point corner) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return {mouse.x - corner.x, mouse.y - corner.y};
}

param::CellSet cells_of(const std::vector<figure::CellRect>& rects) {
  param::CellSet cells;
  for (const figure::CellRect& r : rects) {
    const auto span = [](core::Index begin, core::Index end) {
      return param::CellSpan{static_cast<int>(begin), static_cast<int>(end - 1)};
    };
    cells = param::with_block(cells, {span(r.row0, r.row1), span(r.col0, r.col1)});
  }
  return cells;
}

}  // namespace

void Brush::begin(std::shared_ptr<const state::Computed> page, const figure::Plot& plot,
                  const figure::PlotFrame& frame, Point corner, int button) {
  const bool erase = button == 1 || ImGui::GetIO().KeyShift;
  stroke_ = Stroke{std::move(page),    &plot,  frame, corner,
                   pointer_in(corner), button, erase, painted_map(plot).paint_param,
                   "paint." + plot.id};
  paint(stroke_->last);
}

void Brush::go_on() {
  if (!stroke_) return;
  if (gui_.keyboard().take(GLFW_KEY_ESCAPE)) {
    program_.desk.take_back(stroke_->gesture);
    stroke_.reset();
    return;
  }
  const Point to = pointer_in(stroke_->corner);
  if (to != stroke_->last) paint(to);
  if (ImGui::IsMouseDown(stroke_->button)) return;
  program_.desk.end_gesture();
  stroke_.reset();
}

void Brush::paint(Point to) {
  const auto rects = figure::brushed(stroke_->frame, *stroke_->plot, stroke_->last, to);
  stroke_->last = to;
  param::List list = program_.desk.list();
  const param::Parameter* parameter = list.find(stroke_->parameter);
  const auto* painted = parameter ? std::get_if<param::Painted>(&parameter->kind) : nullptr;
  if (!painted) return;  // another lab is shown by now
  const param::CellSet cells = cells_of(rects);
  const param::CellSet now = stroke_->erase ? param::subtracted(*painted->value, cells)
                                            : param::united(*painted->value, cells);
  program_.knobs.pick({{{stroke_->parameter, param::serialize_cells(now)}}, {}}, stroke_->gesture);
}

void Brush::outline(const figure::Plot& plot, const figure::PlotFrame& frame, Point corner) const {
  const Point at = pointer_in(corner);
  const auto under = figure::brushed(frame, plot, at, at);
  if (under.empty()) return;
  const figure::CellRect& r = under.front();
  const float x0 = frame.px_at(static_cast<double>(r.col0)),
              x1 = frame.px_at(static_cast<double>(r.col1));
  const float y0 = frame.py_at(static_cast<double>(r.row0)),
              y1 = frame.py_at(static_cast<double>(r.row1));
  const Rect box{corner.x + x0, corner.y + y0, std::max(x1 - x0, 2.0f), std::max(y1 - y0, 2.0f)};
  gui_.outline(box, gui_.theme().accent, 0, std::max(1.0f, 1.5f * gui_.scale()));
}

}  // namespace ui
