#include "app/ui/page_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/page/numbers.h"
#include "app/ui/transport.h"
#include "app/ui/values_at.h"
#include "app/ui/widgets.h"
#include "app/ui/zoom.h"

namespace ui {

namespace {

using figure::Point;

constexpr double kZoomStep = 1.2;
constexpr float kClickSlack = 4;
constexpr float kInset = 16;        // as the card's inside
constexpr float kTitleRow = 40;     // of a card, from its top
constexpr float kTransport = 32;    // the buttons of what plays
constexpr double kDimAfter = 0.15;  // seconds that a page waits for its successor

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

PageView::PageView(Model& model, Gui& gui, ScreenPainter& painter,
                   const figure::TextMeasure& measure)
    : model_(model),
      gui_(gui),
      painter_(painter),
      measure_(measure),
      head_(model, gui),
      brush_(model, gui) {}

figure::LayoutOptions PageView::options() const {
  figure::LayoutOptions options;
  options.theme = &gui_.theme();
  options.measure = &measure_;
  options.scale = gui_.scale();
  options.pixel_ratio = ImGui::GetIO().DisplayFramebufferScale.x;
  return options;
}

void PageView::lay_out(const Rect& area) {
  const bool one = !alone_.empty();
  Key key{model_.page(),
          area.w,
          gui_.scale(),
          &gui_.theme(),
          gui_.fonts().version(),
          ImGui::GetIO().DisplayFramebufferScale.x,
          model_.captions(),
          model_.figure_order(),
          alone_,
          one ? area.h : 0};
  const bool anew = !(key == key_);
  if (anew) {
    key_ = std::move(key);
    page_ = model_.shared_page();
    spread_.reset();
    choose_figures();
    placed_.assign(shown_.size(), {});
    arrange(area);
  }
  for (std::size_t i = 0; i < placed_.size(); ++i) lay_out(i, anew);
}

// Those that were moved come first, in their order; a figure alone, if the page has it.
void PageView::choose_figures() {
  const auto& figures = page_->page.figures;
  shown_.clear();
  for (std::size_t k = 0; k < figures.size() && !alone_.empty(); ++k) {
    if (figures[k].id == alone_) shown_ = {k};
  }
  if (!shown_.empty()) return;
  alone_.clear();
  shown_ = lab::shown_figures(page_->page, model_.figure_order());
}

void PageView::arrange(const Rect& area) {
  std::vector<figure::Figure> shapes;
  for (const std::size_t k : shown_) {
    const figure::Figure& f = page_->page.figures[k];
    shapes.push_back({.span = f.span, .height = f.height});
  }
  const auto natural = [&](std::size_t k, float width) {
    return std::round(figure::natural_height(figure_at(k), width, options()));
  };
  boxes_ = figure::arrange(shapes, area.w, gui_.scale(), natural);
  measure_under();
  if (alone_.empty()) return make_room_under();
  const bool table = std::any_of(
      figure_at(0).plots.begin(), figure_at(0).plots.end(), [](const figure::Plot& plot) {
        return !plot.marks.empty() && std::holds_alternative<figure::Table>(plot.marks.front());
      });
  const float room = std::max(area.h - placed_[0].under - gui_.px(12), gui_.px(120));
  boxes_[0].h = table ? std::max(room, boxes_[0].h) : room;
  spread_pictures(boxes_[0]);
}

// As many columns of small pictures as make them largest in a box.
void PageView::spread_pictures(const figure::Rect& box) {
  const figure::Figure& f = figure_at(0);
  const auto count = static_cast<int>(f.plots.size());
  const auto small = [](const figure::Plot& plot) { return plot.thumbnail; };
  if (count == 0 || !std::all_of(f.plots.begin(), f.plots.end(), small)) return;
  int best = 1;
  float largest = 0;
  for (int columns = 1; columns <= count; ++columns) {
    const int rows = (count + columns - 1) / columns;
    const float side =
        std::min(box.w / static_cast<float>(columns), box.h / static_cast<float>(rows));
    if (side > largest) largest = side, best = columns;
  }
  auto spread = std::make_shared<figure::Figure>(f);
  spread->columns = best;
  spread_ = std::move(spread);
}

// A figure whose plots show what they did stays as it is.
void PageView::lay_out(std::size_t index, bool anew) {
  const figure::Figure& f = figure_at(index);
  Placed& placed = placed_[index];
  figure::Views views;
  for (const figure::Plot& plot : f.plots) {
    const auto found = model_.views().find(plot.id);
    if (found != model_.views().end()) views.insert(*found);
  }
  if (!anew && views == placed.views) return;
  const Rect box{0, 0, std::round(boxes_[index].w), std::round(boxes_[index].h)};
  placed.drawing = figure::layout(f, box, views, options());
  placed.views = std::move(views);
  ++layouts_;
}

// Under a card stand the buttons of what it plays and its caption, in the width of what is drawn.
void PageView::measure_under() {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const figure::Figure& f = figure_at(i);
    const float room = boxes_[i].w - 2 * gui_.px(kInset);
    if (model_.captions() && !f.caption.empty()) {
      placed_[i].caption = gui_.paragraph_height(room, f.caption, TextStyle::label) + gui_.px(8);
    }
    placed_[i].under = placed_[i].caption + (f.plays.empty() ? 0 : gui_.px(kTransport));
  }
}

// The cards keep their height; what is below moves down by what is highest under each row.
void PageView::make_room_under() {
  float down = 0, highest = 0;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (i > 0 && boxes_[i].y + down != boxes_[i - 1].y) down += std::exchange(highest, 0.0f);
    boxes_[i].y += down;
    highest = std::max(highest, placed_[i].under);
  }
}

void PageView::under(std::size_t index) {
  const Placed& p = placed_[index];
  const figure::Figure& f = figure_at(index);
  const float x = p.box.x + gui_.px(kInset), w = p.box.w - 2 * gui_.px(kInset);
  float y = p.box.bottom() + gui_.px(6);
  param::List all = model_.list();
  const param::Parameter* plays = all.find(f.plays);
  if (plays && plays->info.active) {
    transport(gui_, model_, *plays, fmt::format("figure.{}.play", f.id), x, y,
              std::min(w, gui_.px(260)));
  }
  if (!f.plays.empty()) y += gui_.px(kTransport);
  if (p.caption == 0) return;
  gui_.paragraph(x, y, w, f.caption, TextStyle::label, gui_.theme().dim);
  gui_.control("caption." + f.id, {x, y, w, p.caption});
}

// The button that brings hidden figures back; returns its height.
float PageView::hidden_figures(float x, float y) {
  const std::size_t hidden = page_->page.figures.size() - shown_.size();
  if (hidden == 0 || !alone_.empty()) return 0;
  const std::string label =
      gui_.words().format(N_("{} hidden figures: show them"), static_cast<int>(hidden));
  const Rect rect{x, y + gui_.px(10), button_width(gui_, label, {}), gui_.px(28)};
  if (button(gui_, "button.hidden", rect, label)) model_.show_all_figures();
  return gui_.px(44);
}

void PageView::show_alone(const std::string& figure) {
  if (figure == alone_) return;
  if (alone_.empty()) kept_scroll_ = scroll_;
  alone_ = figure;
  scroll_to_ = figure.empty() ? kept_scroll_ : 0;
  gui_.wake_in(0);
}

std::vector<std::string> PageView::shown_ids() const {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < shown_.size(); ++i) ids.push_back(figure_at(i).id);
  return ids;
}

// Why there is none yet.
void PageView::no_page(const Rect& area) {
  const std::string fault = model_.compute_error();
  if (!fault.empty()) {
    const float room = std::min({area.w - gui_.px(48), gui_.px(560),
                                 std::ceil(gui_.width(fault, TextStyle::body)) + gui_.px(2)});
    const float height = gui_.paragraph_height(room, fault, TextStyle::body);
    const Rect place{area.x + (area.w - room) / 2, area.y + (area.h - height) / 2, room, height};
    gui_.paragraph(place.x, std::round(place.y), room, fault, TextStyle::body, gui_.theme().bad);
    gui_.control("page.fault", place);
  } else if (model_.waiting_s() > kDimAfter) {
    gui_.text(area.x + area.w / 2, area.y + area.h / 2, gui_.words()("Computing…"),
              TextStyle::panel, gui_.theme().dim, 0.5f);
  }
}

void PageView::draw(const Rect& area) {
  plots_.clear();
  under_pointer_ = -1;
  over_zoomable_ = false;
  removal_ = {};
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::BeginChild("page", {area.w, area.h}, false, ImGuiWindowFlags_NoScrollWithMouse);
  if (!model_.page()) {
    placed_.clear();
    key_ = {};
    no_page(area);
    ImGui::EndChild();
    return;
  }
  if (lab_ != model_.lab().id) {
    lab_ = model_.lab().id;
    alone_.clear();
    scroll_to_ = 0;
  }
  if (scroll_to_) ImGui::SetScrollY(*scroll_to_);
  scroll_to_.reset();
  const float margin = gui_.px(14);
  const Rect column{area.x + margin, area.y, area.w - 2 * margin, area.h};
  lay_out(column);
  scroll_ = std::round(ImGui::GetScrollY());
  const float inset = gui_.px(10);
  float top = column.y - scroll_;
  if (alone_.empty()) top = std::round(head_.draw(column.x + inset, top, column.w - 2 * inset));
  float bottom = 0;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    Placed& placed = placed_[i];
    placed.box = {std::round(column.x + boxes_[i].x), std::round(top + boxes_[i].y),
                  std::round(boxes_[i].w), std::round(boxes_[i].h)};
    bottom = std::max(bottom, placed.box.bottom() + placed.under);
    gui_.control("figure." + figure_at(i).id, placed.box);
    for (const figure::PlotFrame& f : placed.drawing.frames) {
      const Rect r{placed.box.x + f.area.x, placed.box.y + f.area.y, f.area.w, f.area.h};
      gui_.control("plot." + f.id, r);
      plots_[f.id] = {r, f.shown};
    }
    register_grips(i);
    for (const figure::PoolNote& note : placed.drawing.pool_notes) {
      gui_.control(
          "pooled." + figure_at(i).id,
          {placed.box.x + note.rect.x, placed.box.y + note.rect.y, note.rect.w, note.rect.h});
    }
  }
  const auto visible = [&](const Placed& p) {
    return p.box.bottom() + p.under > area.y && p.box.y < area.bottom();
  };
  // What the pointer does is found out first, so that the crosshair does not lag; its buttons are
  // painted over the cards all the same.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  hovered_.clear();
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    if (visible(placed_[i])) point_at(i);
  }
  brush_.go_on();
  if (press_ && !ImGui::IsMouseDown(0)) {
    if (moved_) model_.end_gesture();
    press_.reset();
  }
  list.ChannelsSetCurrent(0);
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Placed& p = placed_[i];
    if (!visible(p)) continue;
    painter_.paint(list, p.drawing.primitives, {p.box.x, p.box.y}, figure_at(i).id);
    under(i);
    if (!hovered_.empty()) crosshairs(i);
  }
  list.ChannelsMerge();
  // While the knobs are ahead of the page, it is drawn paler.
  if (model_.stale() && model_.waiting_s() > kDimAfter) {
    gui_.fill(area, gui_.theme().window.with_alpha(0.45f));
  }
  if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0) wheel();
  bottom += hidden_figures(column.x + inset, bottom);
  extend_content(bottom + (alone_.empty() ? margin : 0));
  ImGui::EndChild();
}

// The wheel moves the page; with Ctrl it zooms the plot under the pointer, if that can be.
void PageView::wheel() {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyCtrl) return;
  if (ImGui::GetScrollMaxY() > 0) {
    ImGui::SetScrollY(ImGui::GetScrollY() - io.MouseWheel * gui_.px(70));
    gui_.wake_in(0);
  } else if (over_zoomable_) {
    model_.say(gui_.words()("Ctrl and the wheel zoom into a plot."));
  }
}

void PageView::register_grips(std::size_t index) {
  const Placed& placed = placed_[index];
  std::map<int, int> count;  // by plot
  for (const figure::Grip& grip : placed.drawing.grips) {
    const std::string& plot = figure_at(index).plots[static_cast<std::size_t>(grip.plot)].id;
    gui_.control(
        fmt::format("grip.{}.{}", plot, count[grip.plot]++),
        {placed.box.x + grip.rect.x, placed.box.y + grip.rect.y, grip.rect.w, grip.rect.h});
  }
}

void PageView::crosshairs(std::size_t index) const {
  const Placed& p = placed_[index];
  painter_.paint(*ImGui::GetWindowDrawList(),
                 figure::crosshair(figure_at(index), p.drawing, hovered_, options()),
                 {p.box.x, p.box.y}, "crosshair");
}

std::string PageView::hovered_figure() const {
  if (!page_ || shown_.empty()) return "";
  const auto index = static_cast<std::size_t>(std::max(under_pointer_, 0));
  return figure_at(std::min(index, shown_.size() - 1)).id;
}

void PageView::point_at(std::size_t index) {
  const figure::Figure& f = figure_at(index);
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
  for (const figure::PoolNote& note : placed.drawing.pool_notes) {
    if (note.rect.contains(local)) gui_.tooltip_now(about_pooling(note, gui_.words()));
  }
  const figure::Grip* grip = figure::grip_at(placed.drawing, local);
  if (grip) ImGui::SetMouseCursor(cursor_of(*grip));
  const bool titled = !frame && local.y < gui_.px(kTitleRow);
  if (titled && ImGui::IsMouseDoubleClicked(0)) show_alone(alone_.empty() ? f.id : "");
  if (!frame) return;
  const figure::Plot& plot = f.plots[static_cast<std::size_t>(frame->index)];
  if (figure::takes_places(plot)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (figure::takes_paint(plot)) brush_.outline(plot, *frame, {placed.box.x, placed.box.y});
  const bool again = ImGui::IsMouseDoubleClicked(0) && !figure::takes_paint(plot);
  if (again) model_.reset_view(plot.id);
  if (io.MouseWheel != 0 && figure::can_zoom(plot)) {
    if (io.KeyCtrl) zoom(*frame, plot, local, io.MouseWheel);
    over_zoomable_ = true;
  }
  if (!plot.thumbnail) {
    if (!plot.x.link.empty()) hovered_[plot.x.link] = frame->x_at(local.x);
    if (!plot.y.link.empty()) hovered_[plot.y.link] = frame->y_at(local.y);
  } else if (!plot.click.empty()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  const auto lines = values_at(plot, placed.drawing, *frame, local, gui_.words());
  if (grip && !grip->tooltip.empty()) {
    if (!held) gui_.tooltip_now({grip->tooltip});
  } else if (!lines.empty() && !held) {
    gui_.tooltip_now(lines);
  }
}

// A stroke begins where nothing else lies that takes the pointer.
bool PageView::begin_stroke(std::size_t index, const figure::PlotFrame* frame, int button) {
  if (!frame || brush_.painting()) return false;
  const Placed& placed = placed_[index];
  const auto& plots = figure_at(index).plots;
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
  press_ = Press{page_, spread_, nullptr, {}, {}, local};
  const figure::Grip* grip = figure::grip_at(drawing, local);
  for (const figure::PlotFrame& frame : drawing.frames) {
    if (grip ? frame.index != grip->plot : !frame.area.contains(local)) continue;
    press_->frame = frame;
    press_->plot = &figure_at(index).plots[static_cast<std::size_t>(frame.index)];
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
    ImGui::SetMouseCursor(cursor_of(*grip));
    const Point kept{grip->at.x - press_->at.x, grip->at.y - press_->at.y};  // it does not jump
    model_.pick(figure::dragged(*grip, press_->frame, plot, {to.x + kept.x, to.y + kept.y}),
                gesture);
  } else if (figure::can_zoom(plot) && model_.views().contains(plot.id)) {
    pan();
  } else if (figure::scrubs(plot)) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    model_.pick(figure::scrubbed(press_->frame, plot, to), gesture);
  }
}

void PageView::zoom(const figure::PlotFrame& frame, const figure::Plot& plot, Point local,
                    float notches) {
  const double factor = std::pow(kZoomStep, -static_cast<double>(notches));
  model_.set_view(plot.id, zoomed(plot, frame, local, factor), "zoom." + plot.id);
}

void PageView::pan() {
  const figure::Plot& plot = *press_->plot;
  const ImVec2 by = ImGui::GetMouseDragDelta(0, 0);
  ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  model_.set_view(plot.id, moved(plot, press_->frame, by.x, by.y), "pan." + plot.id);
}

void PageView::copy_values(const figure::Figure& f) const {
  const page::CopiedNumbers copied = page::copied_numbers(f);
  const words::Words& w = gui_.words();
  if (copied.text.empty() && copied.left_out.empty()) {
    return model_.say(w("There are no values to copy here."));
  }
  if (!copied.text.empty()) ImGui::SetClipboardText(copied.text.c_str());
  if (copied.left_out.empty()) return model_.say(w("Copied the values."));
  model_.say(w.format(N_("Too many values to be copied: {}. They can be exported."),
                      fmt::format("{}", fmt::join(copied.left_out, ", "))),
             true);
}

void PageView::order_items(const figure::Figure& f, const std::string& id, Menu& menu) {
  const words::Words& w = gui_.words();
  if (!alone_.empty()) {
    if (menu.item(id + ".back", w("All figures (Escape)"))) show_alone("");
    return;
  }
  const std::vector<std::string> ids = shown_ids();
  if (menu.item(id + ".alone", w("This figure alone"), "F")) show_alone(f.id);
  if (menu.item(id + ".hide", w("Hide"), "", ids.size() > 1)) model_.hide_figure(f.id);
  if (menu.item(id + ".up", w("Move up"), "", ids.front() != f.id)) {
    model_.move_figure(f.id, -1, ids);
  }
  if (menu.item(id + ".down", w("Move down"), "", ids.back() != f.id)) {
    model_.move_figure(f.id, 1, ids);
  }
  const bool changed = !model_.figure_order().empty();
  if (menu.item(id + ".all", w("Show all figures"), "", changed)) model_.show_all_figures();
}

void PageView::figure_menu(std::size_t index, const Rect& more) {
  const figure::Figure& f = figure_at(index);
  const words::Words& w = gui_.words();
  const std::string id = "figure." + f.id + ".menu", popup = id + ".popup";
  const ImGuiIO& io = ImGui::GetIO();
  const bool over =
      placed_[index].box.contains({io.MousePos.x, io.MousePos.y}) && ImGui::IsWindowHovered();
  const bool open = ImGui::IsPopupOpen(popup.c_str());
  const bool focused = gui_.has_focus(id) && gui_.ring_visible();
  const Touch t = touch(gui_, id, more, w("Export, hide or move this figure"));
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
  order_items(f, id, menu);
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
  for (const figure::Plot& plot : f.plots) zoomed_in |= model_.zoomed_in(plot);
  if (menu.item(id + ".reset", w("Reset the zoom"), "", zoomed_in)) {
    for (const figure::Plot& plot : f.plots) model_.reset_view(plot.id);
  }
  if (menu.item(id + ".copy", w("Copy the values"))) copy_values(f);
}

}  // namespace ui
