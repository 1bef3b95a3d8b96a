#include "app/ui/page_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/values_at.h"
#include "app/ui/widgets.h"

namespace ui {

namespace {

using figure::Point;

constexpr double kZoomStep = 1.2;
constexpr double kFewestCells = 3;
constexpr float kClickSlack = 4;

const figure::PlotFrame* frame_at(const figure::Drawing& drawing, Point p) {
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (frame.area.contains(p)) return &frame;
  }
  return nullptr;
}

// A range of an axis, in the units in which zooming is even: logarithms on a logarithmic axis.
struct Span1 {
  double a, b;
};

double forth(double v, bool log) { return log ? std::log(std::max(v, 1e-300)) : v; }
double back(double v, bool log) { return log ? std::exp(v) : v; }

// [a, b] scaled about `at` by `factor` and kept within [lo, hi].
Span1 zoomed(Span1 now, double at, double factor, Span1 whole, double fewest, bool log) {
  const double lo = forth(std::min(whole.a, whole.b), log);
  const double hi = forth(std::max(whole.a, whole.b), log);
  const double a = forth(now.a, log), b = forth(now.b, log), p = forth(at, log);
  const double length = std::clamp(std::abs(b - a) * factor, std::min(fewest, hi - lo), hi - lo);
  const double share = b == a ? 0.5 : (p - std::min(a, b)) / std::abs(b - a);
  const double from = std::clamp(p - share * length, lo, hi - length);
  if (length >= hi - lo) return {std::min(whole.a, whole.b), std::max(whole.a, whole.b)};
  return {back(from, log), back(from + length, log)};
}

Span1 moved(Span1 now, double by, Span1 whole, bool log) {
  const double lo = forth(std::min(whole.a, whole.b), log);
  const double hi = forth(std::max(whole.a, whole.b), log);
  const double a = forth(std::min(now.a, now.b), log), b = forth(std::max(now.a, now.b), log);
  const double from = std::clamp(a + by, lo, hi - (b - a));
  return {back(from, log), back(from + (b - a), log)};
}

double fewest_of(const figure::Axis& axis) {
  const bool log = axis.scale == figure::AxisScale::log;
  if (axis.cells) return kFewestCells;
  return std::abs(forth(axis.hi, log) - forth(axis.lo, log)) / 1e4;
}

const figure::Heatmap* heatmap_of(const figure::Plot& plot) {
  for (const figure::Mark& mark : plot.marks) {
    if (const auto* h = std::get_if<figure::Heatmap>(&mark)) return h;
  }
  return nullptr;
}

// Tabs between cells, spaces between the lines of one.
std::string rows_of(const figure::Table& table) {
  std::string text;
  const auto end = [&] { text.back() = '\n'; };
  for (const figure::Table::Column& column : table.columns) text += column.title + '\t';
  if (!table.columns.empty()) end();
  for (const auto& row : table.rows) {
    for (const figure::Table::Cell& cell : row) {
      for (const figure::Span& span : cell) text += (&span == cell.data() ? "" : " ") + span.text;
      text += '\t';
    }
    if (row.empty()) text += '\t';
    end();
  }
  return text;
}

}  // namespace

PageView::PageView(Model& model, Gui& gui, ScreenPainter& painter,
                   const figure::TextMeasure& measure)
    : model_(model), gui_(gui), painter_(painter), measure_(measure), brush_(model, gui) {}

figure::LayoutOptions PageView::options() const {
  figure::LayoutOptions options;
  options.theme = &gui_.theme();
  options.measure = &measure_;
  options.scale = gui_.scale();
  options.pixel_ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  return options;
}

void PageView::lay_out(const Rect& area) {
  const Key key{model_.page(),          area.w,        gui_.scale(), model_.theme(),
                gui_.fonts().version(), model_.views()};
  if (key == key_ && !placed_.empty()) return;
  key_ = key;
  page_ = model_.shared_page();
  const auto& figures = page_->page.figures;
  boxes_ = figure::arrange(figures, area.w, gui_.scale(), [&](std::size_t k, float width) {
    return std::round(figure::natural_height(figures[k], width, options()));
  });
  placed_.assign(figures.size(), {});
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Rect box{0, 0, std::round(boxes_[i].w), std::round(boxes_[i].h)};
    placed_[i].drawing = figure::layout(figures[i], box, model_.views(), options());
  }
}

void PageView::draw(const Rect& area) {
  plots_.clear();
  under_pointer_ = -1;
  removal_ = {};
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::BeginChild("page", {area.w, area.h}, false, ImGuiWindowFlags_NoScrollWithMouse);
  if (!model_.page()) {
    placed_.clear();
    if (model_.running_s() > 0.3) {
      gui_.text(area.x + area.w / 2, area.y + area.h / 2, gui_.words()("Computing…"),
                TextStyle::panel, gui_.theme().dim, 0.5f);
    }
    ImGui::EndChild();
    return;
  }
  if (lab_ != model_.lab().id) {
    lab_ = model_.lab().id;
    ImGui::SetScrollY(0);
  }
  const float margin = gui_.px(14);
  const Rect column{area.x + margin, area.y, area.w - 2 * margin, area.h};
  lay_out(column);
  const float scroll = std::round(ImGui::GetScrollY());
  float bottom = 0;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    Placed& placed = placed_[i];
    placed.box = {std::round(column.x + boxes_[i].x), std::round(column.y + boxes_[i].y - scroll),
                  std::round(boxes_[i].w), std::round(boxes_[i].h)};
    bottom = std::max(bottom, boxes_[i].bottom());
    gui_.control("figure." + page_->page.figures[i].id, placed.box);
    for (const figure::PlotFrame& f : placed.drawing.frames) {
      const Rect r{placed.box.x + f.area.x, placed.box.y + f.area.y, f.area.w, f.area.h};
      gui_.control("plot." + f.id, r);
      plots_[f.id] = {r, f.shown};
    }
    register_grips(i);
  }
  const auto visible = [&](const Rect& r) { return r.bottom() > area.y && r.y < area.bottom(); };
  // What the pointer does is found out first, so that the crosshair does not lag; its buttons are
  // painted over the cards all the same.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  hovered_.clear();
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (visible(placed_[i].box)) point_at(i);
  }
  brush_.go_on();
  if (press_ && !ImGui::IsMouseDown(0)) {
    if (moved_) model_.end_gesture();
    press_.reset();
  }
  list.ChannelsSetCurrent(0);
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Placed& p = placed_[i];
    if (!visible(p.box)) continue;
    painter_.paint(list, p.drawing.primitives, {p.box.x, p.box.y}, page_->page.figures[i].id);
    if (!hovered_.empty()) crosshairs(i);
  }
  list.ChannelsMerge();
  // While the knobs are ahead of the page, it is drawn paler.
  if (model_.stale() && model_.running_s() > 0.3) {
    gui_.fill(area, gui_.theme().window.with_alpha(0.45f));
  }
  if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0) {
    ImGui::SetScrollY(ImGui::GetScrollY() - ImGui::GetIO().MouseWheel * gui_.px(70));
    gui_.wake_in(0);
  }
  extend_content(area.y - scroll + bottom + margin);
  ImGui::EndChild();
}

void PageView::register_grips(std::size_t index) {
  const Placed& placed = placed_[index];
  std::map<int, int> count;  // by plot
  for (const figure::Grip& grip : placed.drawing.grips) {
    const std::string& plot =
        page_->page.figures[index].plots[static_cast<std::size_t>(grip.plot)].id;
    gui_.control(
        fmt::format("grip.{}.{}", plot, count[grip.plot]++),
        {placed.box.x + grip.rect.x, placed.box.y + grip.rect.y, grip.rect.w, grip.rect.h});
  }
}

void PageView::crosshairs(std::size_t index) const {
  const Placed& p = placed_[index];
  painter_.paint(*ImGui::GetWindowDrawList(),
                 figure::crosshair(page_->page.figures[index], p.drawing, hovered_, options()),
                 {p.box.x, p.box.y}, "crosshair");
}

std::string PageView::hovered_figure() const {
  if (!page_ || page_->page.figures.empty()) return "";
  const auto index = static_cast<std::size_t>(std::max(under_pointer_, 0));
  return page_->page.figures[std::min(index, page_->page.figures.size() - 1)].id;
}

void PageView::point_at(std::size_t index) {
  const figure::Figure& f = page_->page.figures[index];
  const Placed& placed = placed_[index];
  const ImGuiIO& io = ImGui::GetIO();
  const Point local{io.MousePos.x - placed.box.x, io.MousePos.y - placed.box.y};
  const bool over = placed.box.contains({io.MousePos.x, io.MousePos.y}) && ImGui::IsWindowHovered();
  const Rect more{placed.box.right() - gui_.px(34), placed.box.y + gui_.px(6), gui_.px(28),
                  gui_.px(24)};
  figure_menu(index, more);
  const std::string id = "card." + f.id;
  const ImRect box({placed.box.x, placed.box.y}, {placed.box.right(), placed.box.bottom()});
  const ImGuiID item = ImGui::GetID(id.c_str());
  if (!ImGui::ItemAdd(box, item)) return;
  bool hovered = false, held = false;
  const bool clicked = ImGui::ButtonBehavior(box, item, &hovered, &held);
  const figure::PlotFrame* frame = frame_at(placed.drawing, local);
  const bool stroke = (held && ImGui::IsMouseClicked(0) && begin_stroke(index, frame, 0)) ||
                      (over && ImGui::IsMouseClicked(1) && begin_stroke(index, frame, 1));
  if (held && ImGui::IsMouseClicked(0) && !stroke) press(index, local);
  if (held && press_ &&
      std::hypot(local.x - press_->at.x, local.y - press_->at.y) > gui_.px(kClickSlack)) {
    moved_ = true;
  }
  if (held && press_ && moved_) drag(local);
  if (clicked && !moved_) model_.pick(figure::pick_at(f, placed.drawing, local));
  if (!over || !hovered) return;
  under_pointer_ = static_cast<int>(index);
  removal_ = figure::removal_at(placed.drawing, local);
  if (ImGui::IsMouseReleased(1)) remove_pointed();
  for (const figure::Hit& hit : placed.drawing.hits) {
    if (!hit.rect.contains(local)) continue;
    if (!hit.click.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!hit.tooltip.empty()) gui_.tooltip_now({hit.tooltip});
  }
  if (figure::grip_at(placed.drawing, local)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!frame) return;
  const figure::Plot& plot = f.plots[static_cast<std::size_t>(frame->index)];
  if (figure::takes_places(plot)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (figure::takes_paint(plot)) brush_.outline(plot, *frame, {placed.box.x, placed.box.y});
  const bool again = ImGui::IsMouseDoubleClicked(0) && !figure::takes_paint(plot);
  if (again && model_.views().contains(plot.id)) {
    model_.reset_view(plot.id);
  }
  if (io.MouseWheel != 0 && figure::can_zoom(plot)) {
    zoom(*frame, plot, local, io.MouseWheel);
    ImGui::GetIO().MouseWheel = 0;
  }
  if (!plot.thumbnail) {
    if (!plot.x.link.empty()) hovered_[plot.x.link] = frame->x_at(local.x);
    if (!plot.y.link.empty()) hovered_[plot.y.link] = frame->y_at(local.y);
  } else if (!plot.click.empty()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const auto lines = values_at(plot, placed.drawing, *frame, local, gui_.words());
  if (!lines.empty() && !held) gui_.tooltip_now(lines);
}

// A stroke begins where nothing else lies that takes the pointer.
bool PageView::begin_stroke(std::size_t index, const figure::PlotFrame* frame, int button) {
  if (!frame || brush_.painting()) return false;
  const Placed& placed = placed_[index];
  const auto& plots = page_->page.figures[index].plots;
  const figure::Plot& plot = plots[static_cast<std::size_t>(frame->index)];
  if (!figure::takes_paint(plot)) return false;
  press_.reset();
  moved_ = true;  // its end is no click
  gui_.focus("", false);
  brush_.begin(page_, plot, *frame, {placed.box.x, placed.box.y}, button);
  return true;
}

bool PageView::remove_pointed() {
  if (removal_.empty()) return false;
  model_.pick(removal_);
  return true;
}

void PageView::press(std::size_t index, Point local) {
  const figure::Drawing& drawing = placed_[index].drawing;
  moved_ = false;
  gui_.focus("", false);
  press_ = Press{page_, nullptr, {}, {}, local};
  const figure::Grip* grip = figure::grip_at(drawing, local);
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (grip ? frame.index != grip->plot : !frame.area.contains(local)) continue;
    press_->frame = frame;
    press_->plot = &page_->page.figures[index].plots[static_cast<std::size_t>(frame.index)];
    break;
  }
  if (grip) press_->grip = *grip;
}

// What is dragged is told by what lay under the pointer when it was pressed: the page is made anew
// all the while.
void PageView::drag(Point to) {
  if (!press_->plot) return;
  const figure::Plot& plot = *press_->plot;
  const std::string gesture = "drag." + plot.id;
  if (const auto& grip = press_->grip) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const Point kept{grip->at.x - press_->at.x, grip->at.y - press_->at.y};  // it does not jump
    model_.pick(figure::dragged(*grip, press_->frame, plot, {to.x + kept.x, to.y + kept.y}),
                gesture);
  } else if (model_.views().contains(plot.id)) {
    pan();
  } else if (figure::scrubs(plot)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    model_.pick(figure::scrubbed(press_->frame, plot, to), gesture);
  }
}

void PageView::zoom(const figure::PlotFrame& frame, const figure::Plot& plot, Point local,
                    float notches) {
  const double factor = std::pow(kZoomStep, -static_cast<double>(notches));
  const figure::View& s = frame.shown;
  const Span1 x = zoomed({s.x0, s.x1}, frame.x_at(local.x), factor, {plot.x.lo, plot.x.hi},
                         fewest_of(plot.x), frame.x_log);
  const Span1 y = zoomed({s.y0, s.y1}, frame.y_at(local.y), factor, {plot.y.lo, plot.y.hi},
                         fewest_of(plot.y), frame.y_log);
  model_.set_view(plot.id, {x.a, x.b, y.a, y.b}, "zoom." + plot.id);
}

void PageView::pan() {
  const figure::PlotFrame& frame = press_->frame;
  const figure::Plot& plot = *press_->plot;
  const ImVec2 by = ImGui::GetMouseDragDelta(0, 0);
  const figure::View& s = frame.shown;
  const auto shift = [](double lo, double hi, bool log, float pixels, float size) {
    return -static_cast<double>(pixels / std::max(size, 1.0f)) * (forth(hi, log) - forth(lo, log));
  };
  const Span1 x = moved({s.x0, s.x1}, shift(s.x0, s.x1, frame.x_log, by.x, frame.area.w),
                        {plot.x.lo, plot.x.hi}, frame.x_log);
  const Span1 y = moved({s.y0, s.y1}, shift(s.y0, s.y1, frame.y_log, by.y, frame.area.h),
                        {plot.y.lo, plot.y.hi}, frame.y_log);
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  model_.set_view(plot.id, {x.a, x.b, y.a, y.b}, "pan." + plot.id);
}

void PageView::copy_values(const figure::Figure& f) const {
  constexpr core::Index kMostCells = 4'000'000;
  std::string text;
  for (const figure::Plot& plot : f.plots) {
    const figure::Heatmap* h = heatmap_of(plot);
    if (h && h->source->rows() * h->source->cols() <= kMostCells) {
      text += plot.title + "\n";
      for (core::Index r = 0; r < h->source->rows(); ++r) {
        for (core::Index c = 0; c < h->source->cols(); ++c) {
          const float v = h->source->value(r, c);
          if (c > 0) text += '\t';
          if (!core::is_masked(v)) text += fmt::format("{}", v);
        }
        text += '\n';
      }
    }
    for (const figure::Mark& mark : plot.marks) {
      if (const auto* bars = std::get_if<figure::Bars>(&mark)) {
        text += fmt::format("{}\t{}\n", plot.lead.empty() ? plot.title : plot.lead,
                            fmt::join(bars->values, "\t"));
      } else if (const auto* line = std::get_if<figure::Line>(&mark)) {
        text += fmt::format("x\t{}\n{}\t{}\n", fmt::join(line->x, "\t"), line->label,
                            fmt::join(line->y, "\t"));
      } else if (const auto* table = std::get_if<figure::Table>(&mark)) {
        text += rows_of(*table);
      } else if (const auto* arrows = std::get_if<figure::Arrows>(&mark)) {
        for (const auto& a : arrows->arrows) {
          text += fmt::format("{}\t{}\t{}\t{}\n", a.x0, a.y0, a.x1, a.y1);
        }
      } else if (const auto* handle = std::get_if<figure::Handle>(&mark)) {
        text += fmt::format("{}\t{}\t{}\n", handle->label, handle->x, handle->y);
      }
    }
  }
  ImGui::SetClipboardText(text.c_str());
  model_.say(gui_.words()("Copied the values."));
}

void PageView::figure_menu(std::size_t index, const Rect& more) {
  const figure::Figure& f = page_->page.figures[index];
  const words::Words& w = gui_.words();
  const std::string id = "figure." + f.id + ".menu", popup = id + ".popup";
  const ImGuiIO& io = ImGui::GetIO();
  const bool over =
      placed_[index].box.contains({io.MousePos.x, io.MousePos.y}) && ImGui::IsWindowHovered();
  const bool open = ImGui::IsPopupOpen(popup.c_str());
  const bool focused = gui_.has_focus(id) && gui_.ring_visible();
  const Touch t = touch(gui_, id, more, w("Export or copy this figure"));
  if (over || open || focused) {
    const float pad = gui_.px(4);
    gui_.fill({more.x - pad, more.y, more.w + pad, more.h}, gui_.theme().card);
    gui_.fill(more, mix(gui_.theme().card, gui_.theme().text, t.hovered ? 0.12f : 0.05f),
              gui_.px(5));
    if (focused) gui_.ring(more, gui_.px(5));
    draw_icon(gui_, Icon::more, more.x + more.w / 2, more.y + more.h / 2, gui_.theme().dim);
  }
  const Point local{io.MousePos.x - placed_[index].box.x, io.MousePos.y - placed_[index].box.y};
  // A right click on a point takes it away instead, and the right button paints away.
  const bool asked = over && ImGui::IsMouseReleased(1) && !brush_.painting() &&
                     figure::removal_at(placed_[index].drawing, local).empty();
  if (t.activated || asked) ImGui::OpenPopup(popup.c_str());
  const float width = gui_.px(230);
  Menu menu(gui_, popup, {more.right() - width, more.bottom() + gui_.px(4), width, 0});
  if (!menu) return;
  for (const char* ending : {"png", "svg", "pdf", "json", "csv", "npy"}) {
    const std::string upper = [&] {
      std::string s(ending);
      for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      return s;
    }();
    if (menu.item(id + "." + ending, w.format(N_("Export as {}…"), upper))) {
      export_wishes_.push_back({f.id, ending});
    }
  }
  bool zoomed_in = false;
  for (const figure::Plot& plot : f.plots) zoomed_in |= model_.views().contains(plot.id);
  if (menu.item(id + ".reset", w("Reset the zoom"), "", zoomed_in)) {
    for (const figure::Plot& plot : f.plots) model_.reset_view(plot.id);
  }
  if (menu.item(id + ".copy", w("Copy the values"))) copy_values(f);
}

}  // namespace ui
