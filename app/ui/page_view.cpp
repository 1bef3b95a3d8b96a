#include "app/ui/page_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets.h"

namespace ui {

namespace {

using figure::Point;

constexpr double kZoomStep = 1.2;
constexpr double kFewestCells = 3;
constexpr float kClickSlack = 4;

const figure::PlotFrame* frame_at(const figure::Drawing& drawing, Point p, bool whole) {
  for (const figure::PlotFrame& frame : drawing.frames) {
    if ((whole ? frame.whole : frame.area).contains(p)) return &frame;
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

std::string cell_name(const figure::Axis& axis, core::Index i) {
  const bool named = axis.labels && i >= 0 && i < static_cast<core::Index>(axis.labels->size());
  if (!named) return fmt::format("{}", i);
  return fmt::format("{} “{}”", i, (*axis.labels)[static_cast<std::size_t>(i)]);
}

const figure::Heatmap* heatmap_of(const figure::Plot& plot) {
  for (const figure::Mark& mark : plot.marks) {
    if (const auto* h = std::get_if<figure::Heatmap>(&mark)) return h;
  }
  return nullptr;
}

// The cells of the plot's heatmap as they are drawn; null when there is none.
const figure::draw::Cells* cells_in(const figure::Drawing& drawing,
                                    const figure::PlotFrame& frame) {
  for (const figure::Primitive& p : drawing.primitives) {
    const auto* cells = std::get_if<figure::draw::Cells>(&p);
    if (cells && frame.area.contains(
                     {cells->rect.x + cells->rect.w / 2, cells->rect.y + cells->rect.h / 2})) {
      return cells;
    }
  }
  return nullptr;
}

}  // namespace

PageView::PageView(Model& model, Gui& gui, ScreenPainter& painter,
                   const figure::TextMeasure& measure)
    : model_(model), gui_(gui), painter_(painter), measure_(measure) {}

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
  list.ChannelsSetCurrent(0);
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Placed& p = placed_[i];
    if (!visible(p.box)) continue;
    painter_.paint(list, p.drawing.primitives, {p.box.x, p.box.y}, page_->page.figures[i].id,
                   gui_.theme());
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

void PageView::crosshairs(std::size_t index) const {
  const Placed& p = placed_[index];
  painter_.paint(*ImGui::GetWindowDrawList(),
                 figure::crosshair(page_->page.figures[index], p.drawing, hovered_, options()),
                 {p.box.x, p.box.y}, "crosshair", gui_.theme());
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
  const figure::PlotFrame* frame = frame_at(placed.drawing, local, false);
  if (held && ImGui::IsMouseClicked(0)) {
    press_ = local;
    moved_ = false;
    dragged_ = frame ? frame->id : "";
    pressed_view_ = frame ? frame->shown : figure::View{};
    gui_.focus("", false);
  }
  if (held && std::hypot(local.x - press_.x, local.y - press_.y) > gui_.px(kClickSlack))
    moved_ = true;
  for (const figure::PlotFrame& each : placed.drawing.frames) {
    if (held && moved_ && each.id == dragged_) {
      drag(each, f.plots[static_cast<std::size_t>(each.index)]);
    }
  }
  if (clicked && !moved_) click(index, local);
  if (!over || !hovered) return;
  under_pointer_ = static_cast<int>(index);
  for (const figure::Hit& hit : placed.drawing.hits) {
    if (!hit.rect.contains(local)) continue;
    if (!hit.click.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!hit.tooltip.empty()) gui_.tooltip_now({hit.tooltip});
  }
  if (!frame) return;
  const figure::Plot& plot = f.plots[static_cast<std::size_t>(frame->index)];
  if (ImGui::IsMouseDoubleClicked(0) && model_.views().contains(plot.id)) {
    model_.reset_view(plot.id);
  }
  if (io.MouseWheel != 0 && !plot.thumbnail) {
    zoom(*frame, plot, local, io.MouseWheel);
    ImGui::GetIO().MouseWheel = 0;
  }
  if (!plot.thumbnail) {
    if (!plot.x.link.empty()) hovered_[plot.x.link] = frame->x_at(local.x);
    if (!plot.y.link.empty()) hovered_[plot.y.link] = frame->y_at(local.y);
  } else if (!plot.click.empty()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const auto lines = value_at(f, placed.drawing, *frame, local);
  if (!lines.empty() && !held) gui_.tooltip_now(lines);
}

void PageView::click(std::size_t index, Point local) {
  const figure::Figure& f = page_->page.figures[index];
  const figure::Drawing& drawing = placed_[index].drawing;
  for (const figure::Hit& hit : drawing.hits) {
    if (hit.rect.contains(local) && !hit.click.empty()) return model_.apply(hit.click);
  }
  const figure::PlotFrame* frame = frame_at(drawing, local, false);
  if (!frame) frame = frame_at(drawing, local, true);
  if (!frame) return;
  const figure::Plot& plot = f.plots[static_cast<std::size_t>(frame->index)];
  const figure::Heatmap* heatmap = heatmap_of(plot);
  if (heatmap && frame->area.contains(local)) {
    figure::Assignments pick;
    const auto row = static_cast<core::Index>(std::floor(frame->y_at(local.y)));
    const auto col = static_cast<core::Index>(std::floor(frame->x_at(local.x)));
    const bool inside =
        row >= 0 && row < heatmap->source->rows() && col >= 0 && col < heatmap->source->cols();
    if (inside && !heatmap->row_param.empty())
      pick.emplace_back(heatmap->row_param, fmt::format("{}", row));
    if (inside && !heatmap->col_param.empty())
      pick.emplace_back(heatmap->col_param, fmt::format("{}", col));
    if (!pick.empty()) return model_.apply(pick);
  }
  model_.apply(plot.click);
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

void PageView::drag(const figure::PlotFrame& frame, const figure::Plot& plot) {
  if (!model_.views().contains(plot.id)) return;
  const ImVec2 by = ImGui::GetMouseDragDelta(0, 0);
  const figure::View& s = pressed_view_;
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

std::vector<std::string> PageView::value_at(const figure::Figure& f, const figure::Drawing& drawing,
                                            const figure::PlotFrame& frame, Point local) const {
  const words::Words& w = gui_.words();
  const figure::Plot& plot = f.plots[static_cast<std::size_t>(frame.index)];
  const double x = frame.x_at(local.x), y = frame.y_at(local.y);
  if (const figure::Heatmap* h = heatmap_of(plot)) {
    const auto row = static_cast<core::Index>(std::floor(y));
    const auto col = static_cast<core::Index>(std::floor(x));
    if (row < 0 || col < 0 || row >= h->source->rows() || col >= h->source->cols()) return {};
    const float value = h->source->value(row, col);
    std::vector<std::string> lines;
    lines.push_back(core::is_masked(value) ? std::string(w("masked"))
                                           : figure::number_text(static_cast<double>(value), 6));
    const std::string row_label = plot.y.label.empty() ? std::string(w("row")) : plot.y.label;
    const std::string col_label = plot.x.label.empty() ? std::string(w("column")) : plot.x.label;
    lines.push_back(fmt::format("{} {}", row_label, cell_name(plot.y, row)));
    lines.push_back(fmt::format("{} {}", col_label, cell_name(plot.x, col)));
    if (const auto* cells = cells_in(drawing, frame); cells && cells->level > 0) {
      const auto high = core::Index{1} << cells->row_level;
      const auto wide = core::Index{1} << cells->col_level;
      lines.push_back(h->pool == figure::Pool::max
                          ? w.format(N_("shown: the largest of {0} × {1} cells"), high, wide)
                          : w.format(N_("shown: the mean of {0} × {1} cells"), high, wide));
    }
    return lines;
  }
  std::vector<std::string> lines;
  for (const figure::Mark& mark : plot.marks) {
    const auto* line = std::get_if<figure::Line>(&mark);
    if (!line || line->x.empty()) continue;
    const auto nearest = std::min_element(line->x.begin(), line->x.end(), [&](double a, double b) {
      return std::abs(a - x) < std::abs(b - x);
    });
    const auto i = static_cast<std::size_t>(nearest - line->x.begin());
    if (lines.empty())
      lines.push_back(fmt::format("{} {}", plot.x.label, figure::number_text(*nearest)));
    if (lines.size() < 12) {
      lines.push_back(fmt::format("{} {}", line->label, figure::number_text(line->y[i], 6)));
    }
  }
  return lines;
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
      }
    }
  }
  ImGui::SetClipboardText(text.c_str());
  model_.say(std::string(gui_.words()("Copied the values.")));
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
  const Touch t = touch(gui_, id, more, std::string(w("Export or copy this figure")));
  if (over || open || focused) {
    const float pad = gui_.px(4);
    gui_.fill({more.x - pad, more.y, more.w + pad, more.h}, gui_.theme().card);
    gui_.fill(more, mix(gui_.theme().card, gui_.theme().text, t.hovered ? 0.12f : 0.05f),
              gui_.px(5));
    if (focused) gui_.ring(more, gui_.px(5));
    draw_icon(gui_, Icon::more, more.x + more.w / 2, more.y + more.h / 2, gui_.theme().dim);
  }
  const bool asked = over && ImGui::IsMouseReleased(1);
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
  if (menu.item(id + ".reset", std::string(w("Reset the zoom")), "", zoomed_in)) {
    for (const figure::Plot& plot : f.plots) model_.reset_view(plot.id);
  }
  if (menu.item(id + ".copy", std::string(w("Copy the values")))) copy_values(f);
}

}  // namespace ui
