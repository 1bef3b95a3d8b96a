// What the pointer does on figures: cross-hair, values, picks, zoom and pan.
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/paper/style/colors.h"
#include "app/state/desk/zoom.h"
#include "app/ui/page/page_view.h"
#include "app/ui/page/values_at.h"

namespace ui {

namespace {

using figure::Point;

constexpr double kZoomStep = 1.2;
constexpr float kClickSlack = 4;
constexpr float kTitleRow = 40;  // of a card, from its top

const figure::PlotFrame* frame_at(const figure::Drawing& drawing, Point p) {
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (frame.area.contains(p)) return &frame;
  }
  return nullptr;
}

// An interval goes to and fro along its axis.
ImGuiMouseCursor cursor_of(const figure::Grip& grip) {
  return grip.together.empty() ? ImGuiMouseCursor_Hand : ImGuiMouseCursor_ResizeEW;
}

}  // namespace

// The wheel moves the page; with Ctrl it zooms the plot under the pointer, if that can be.
void PageView::wheel() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl) return;
  if (ImGui::GetScrollMaxY() > 0) {
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * gui_.px(70));
    gui_.wake_in(0);
  } else if (pointer_.over_zoomable) {
    program_.messages.say(gui_.words()("Ctrl and the wheel zoom into a plot."));
  }
}

void PageView::register_grips(std::size_t index) {
  const Placed& placed = laid_.placed[index];
  for (const ColorBar& bar : color_bars(index)) gui_.control("bar." + bar.id, bar.rect);
  std::map<int, int> count;  // by plot
  for (const figure::Grip& grip : placed.drawing.grips) {
    const std::string& plot = figure_at(index).plots[static_cast<std::size_t>(grip.plot)].id;
    gui_.control(
        fmt::format("grip.{}.{}", plot, count[grip.plot]++),
        {placed.box.x + grip.rect.x, placed.box.y + grip.rect.y, grip.rect.w, grip.rect.h});
  }
}

void PageView::crosshairs(std::size_t index) const {
  const Placed& p = laid_.placed[index];
  painter_.paint(*ImGui::GetWindowDrawList(),
                 figure::crosshair(figure_at(index), p.drawing, pointer_.hovered, options()),
                 {p.box.x, p.box.y}, "crosshair");
}

std::string PageView::hovered_figure() const {
  if (!page_ || laid_.shown.empty()) return "";
  const auto index = static_cast<std::size_t>(std::max(pointer_.figure, 0));
  return figure_at(std::min(index, laid_.shown.size() - 1)).id;
}

std::string PageView::figure_in_view() const {
  std::string best;
  float most = 0;
  for (std::size_t i = 0; page_ && i < laid_.placed.size(); ++i) {
    const Rect& box = laid_.placed[i].box;
    const float high = std::min(box.bottom(), seen_.bottom()) - std::max(box.y, seen_.y);
    const float share = high * box.w;
    if (high > 0 && share > most * 1.01f) most = share, best = figure_at(i).id;
  }
  return best.empty() ? hovered_figure() : best;
}

void PageView::point_at(std::size_t index) {
  const figure::Figure& f = figure_at(index);
  const Placed& placed = laid_.placed[index];
  const ImGuiIO& io = ImGui::GetIO();
  const Point local{io.MousePos.x - placed.box.x, io.MousePos.y - placed.box.y};
  const bool over = placed.box.contains({io.MousePos.x, io.MousePos.y}) && ImGui::IsWindowHovered();
  const Rect more{placed.box.right() - gui_.px(kMore), placed.box.y + gui_.px(6), gui_.px(28),
                  gui_.px(24)};
  if (!presented_) {
    figure_menu(index, more);
    tools_.colors.draw(f);
  }
  const std::string id = "card." + f.id;
  const ImRect box({placed.box.x, placed.box.y}, {placed.box.right(), placed.box.bottom()});
  const ImGuiID item = ImGui::GetID(id.c_str());
  if (!ImGui::ItemAdd(box, item)) return;
  bool hovered = false, held = false;
  const bool clicked = ImGui::ButtonBehavior(box, item, &hovered, &held);
  const bool mine = std::any_of(placed.drawing.frames.begin(), placed.drawing.frames.end(),
                                [this](const auto& one) { return one.id == pointer_.reserved; });
  const Point meant = mine ? local : figure::meant_at(placed.drawing, local);
  const figure::PlotFrame* frame = frame_at(placed.drawing, meant);
  if (covered(f.id) || (frame && covered(frame->id))) return;
  // A tip would tell what the axes alone do not.
  const bool axes_alone = frame && covers_.inside.contains(frame->id);
  if (axes_alone && frame->id != pointer_.reserved) return;
  if (mine && ((frame && frame->id == pointer_.reserved) || held)) {
    pointer_.pointed = {over && hovered, held, clicked, {io.MousePos.x, io.MousePos.y}};
    if (pointer_.pointed.over) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    return;
  }
  if (divide(index, local, held)) return;
  if (((over && hovered) || held || clicked) && point_at_bar(index, clicked)) return;
  const bool stroke = (held && ImGui::IsMouseClicked(0) && begin_stroke(index, frame, 0)) ||
                      (over && ImGui::IsMouseClicked(1) && begin_stroke(index, frame, 1));
  if (held && ImGui::IsMouseClicked(0) && !stroke) press(index, local);
  if (held && pointer_.press &&
      std::hypot(local.x - pointer_.press->at.x, local.y - pointer_.press->at.y) >
          gui_.px(kClickSlack)) {
    pointer_.moved = true;
  }
  if (held && pointer_.press && pointer_.moved) {
    drag(local);
    if (pointer_.press->grip || (pointer_.press->plot && figure::scrubs(*pointer_.press->plot)))
      note_pick(f, frame);
  }
  if (clicked && !pointer_.moved) {
    const figure::Pick pick = figure::pick_at(f, placed.drawing, local);
    if (!pick.empty()) note_pick(f, frame);
    program_.knobs.pick(pick);
  }
  if (!over || !hovered) return;
  pointer_.figure = static_cast<int>(index);
  pointer_.removal = figure::removal_at(placed.drawing, local);
  if (ImGui::IsMouseReleased(1)) remove_pointed();
  std::string loss;  // what a click would take away
  const auto with_loss = [&](std::vector<std::string> lines) {
    if (loss.empty()) return lines;
    const auto said = gui_.wrap(loss, figure::TextStyle::label, gui_.px(320));
    lines.insert(lines.end(), said.begin(), said.end());
    return lines;
  };
  for (const figure::Hit& hit : placed.drawing.hits) {
    if (!hit.rect.contains(meant)) continue;
    if (!hit.click.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    loss = hit.loss.tip;
    if (!hit.tooltip.empty()) gui_.tooltip_now(with_loss({hit.tooltip}));
  }
  for (const figure::PoolNote& note : placed.drawing.pool_notes) {
    if (note.rect.contains(local)) gui_.tooltip_now(about_pooling(note, gui_.words()));
  }
  const figure::Grip* grip = figure::grip_at(placed.drawing, local);
  if (grip) ImGui::SetMouseCursor(cursor_of(*grip));
  const bool titled = !frame && local.y < gui_.px(kTitleRow);
  if (titled && !presented_ && ImGui::IsMouseDoubleClicked(0))
    show_alone(alone_.empty() ? f.id : "");
  if (!frame) return;
  const figure::Plot& plot = f.plots[static_cast<std::size_t>(frame->index)];
  if (figure::takes_places(plot)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (figure::takes_paint(plot)) tools_.brush.outline(plot, *frame, {placed.box.x, placed.box.y});
  const bool again = ImGui::IsMouseDoubleClicked(0) && !figure::takes_paint(plot);
  if (again) program_.sight.reset_view(plot.id);
  if (io.MouseWheel != 0 && figure::can_zoom(plot)) {
    if (io.KeyCtrl) zoom(*frame, plot, meant, io.MouseWheel);
    pointer_.over_zoomable = true;
  }
  if (!plot.thumbnail) {
    if (!plot.x.link.empty()) pointer_.hovered[plot.x.link] = frame->x_at(meant.x);
    if (!plot.y.link.empty()) pointer_.hovered[plot.y.link] = frame->y_at(meant.y);
  } else if (!plot.click.empty()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const auto lines = tip_at(index, *frame, meant);
  if (grip && !grip->tooltip.empty()) {
    if (!held) gui_.tooltip_now({grip->tooltip});
  } else if (!lines.empty() && !held) {
    gui_.tooltip_now(with_loss(lines));
  }
}

// The colour bars of the window with what they belong to: a plot, or, where no plot is around them,
// the figure.
std::vector<PageView::ColorBar> PageView::color_bars(std::size_t index) const {
  const Placed& placed = laid_.placed[index];
  const figure::Figure& f = figure_at(index);
  const float slack = gui_.px(6);
  std::vector<ColorBar> bars;
  for (const figure::Primitive& one : placed.drawing.primitives) {
    const auto* bar = std::get_if<figure::draw::ColorBar>(&one);
    if (!bar) continue;
    std::string id = f.id;
    for (const figure::PlotFrame& frame : placed.drawing.frames) {
      if (frame.whole.contains({bar->rect.x, bar->rect.y})) id = frame.id;
    }
    if (!paper::has_colors(f, id)) continue;
    bars.push_back({std::move(id),
                    {placed.box.x + bar->rect.x - slack, placed.box.y + bar->rect.y - slack,
                     bar->rect.w + 2 * slack, bar->rect.h + 2 * slack}});
  }
  return bars;
}

// A click on a colour bar opens the choice of its colours.
bool PageView::point_at_bar(std::size_t index, bool clicked) {
  if (presented_) return false;
  const ImVec2 at = ImGui::GetIO().MousePos;
  for (const ColorBar& bar : color_bars(index)) {
    if (!bar.rect.contains({at.x, at.y})) continue;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (clicked) tools_.colors.open(bar.id, bar.rect);
    if (!clicked) gui_.tooltip_now({gui_.words()("Click: choose these colours")});
    return true;
  }
  return false;
}

void PageView::note_pick(const figure::Figure& figure, const figure::PlotFrame* frame) {
  program_.events.add(state::Picked{figure.id});
  if (frame) program_.events.add(state::Picked{frame->id});
}

// A stroke begins where nothing else lies that takes the pointer.
bool PageView::begin_stroke(std::size_t index, const figure::PlotFrame* frame, int button) {
  if (!frame || tools_.brush.painting()) return false;
  const Placed& placed = laid_.placed[index];
  const auto& plots = page_->page.figures[laid_.shown[index]].plots;
  const auto place = static_cast<std::size_t>(frame->index);
  if (place >= plots.size()) return false;  // a held one, beside it
  const figure::Plot& plot = plots[place];
  if (!figure::takes_paint(plot)) return false;
  pointer_.press.reset();
  pointer_.moved = true;  // its end is no click
  gui_.keyboard().focus("", false);
  tools_.brush.begin(page_, plot, *frame, {placed.box.x, placed.box.y}, button);
  return true;
}

bool PageView::remove_pointed() {
  if (pointer_.removal.empty()) return false;
  program_.knobs.pick(pointer_.removal);
  return true;
}

void PageView::press(std::size_t index, Point local) {
  const figure::Drawing& drawing = laid_.placed[index].drawing;
  pointer_.moved = false;
  gui_.keyboard().focus("", false);
  pointer_.press = Press{
      page_, laid_.spread ? laid_.spread : laid_.placed[index].beside, nullptr, {}, {}, local};
  const figure::Grip* grip = figure::grip_at(drawing, local);
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (grip ? frame.index != grip->plot : !frame.area.contains(local)) continue;
    pointer_.press->frame = frame;
    pointer_.press->plot = &figure_at(index).plots[static_cast<std::size_t>(frame.index)];
    break;
  }
  if (grip) pointer_.press->grip = *grip;
}

// What is dragged is told by what lay under the pointer when it was pressed: the page is made anew
// all the while.
void PageView::drag(Point to) {
  if (!pointer_.press->plot) return;
  const figure::Plot& plot = *pointer_.press->plot;
  const std::string gesture = "drag." + plot.id;
  if (const auto& grip = pointer_.press->grip) {
    ImGui::SetMouseCursor(cursor_of(*grip));
    const Point kept{grip->at.x - pointer_.press->at.x,
                     grip->at.y - pointer_.press->at.y};  // it does not jump
    program_.knobs.pick(
        figure::dragged(*grip, pointer_.press->frame, plot, {to.x + kept.x, to.y + kept.y}),
        gesture);
  } else if (figure::can_zoom(plot) && program_.sight.views().contains(plot.id)) {
    pan();
  } else if (figure::scrubs(plot)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    program_.knobs.pick(figure::scrubbed(pointer_.press->frame, plot, to), gesture);
  }
}

void PageView::zoom(const figure::PlotFrame& frame, const figure::Plot& plot, Point local,
                    float notches) {
  const double factor = std::pow(kZoomStep, -static_cast<double>(notches));
  program_.sight.set_view(plot.id, state::zoomed(plot, frame, local, factor), "zoom." + plot.id);
}

void PageView::pan() {
  const figure::Plot& plot = *pointer_.press->plot;
  const ImVec2 by = ImGui::GetMouseDragDelta(0, 0);
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  program_.sight.set_view(plot.id, state::moved(plot, pointer_.press->frame, by.x, by.y),
                          "pan." + plot.id);
}

}  // namespace ui
