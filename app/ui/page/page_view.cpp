#include "app/ui/page/page_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

#include "app/paper/numbers/numbers.h"
#include "app/paper/style/colors.h"
#include "app/ui/controls/transport.h"
#include "app/ui/controls/widgets.h"

namespace ui {
namespace {

constexpr double kDimAfter = 0.15;  // seconds that a page waits for its successor

}  // namespace

PageView::PageView(state::Program& program, Gui& gui, ScreenPainter& painter,
                   const figure::TextMeasure& measure, TextEdit& edit, std::function<void()> wake)
    : program_(program),
      gui_(gui),
      painter_(painter),
      measure_(measure),
      differences_(std::move(wake)),
      tools_{Brush(program, gui), ColorPopup(program, gui, edit)},
      head_(program, gui) {}

// With what can be done here with a pointer, which paper does not say.
std::string PageView::caption_of(const figure::Figure& f) const {
  if (f.caption.empty() || f.pointer_caption.empty()) return f.caption + f.pointer_caption;
  return gui_.words().format(N_("{} {}"), f.caption, f.pointer_caption);
}

void PageView::under(std::size_t index) {
  const Placed& p = laid_.placed[index];
  const figure::Figure& f = figure_at(index);
  const float x = p.box.x + gui_.px(kInset), w = p.box.w - 2 * gui_.px(kInset);
  float y = p.box.bottom() + gui_.px(6);
  param::List all = program_.desk.list();
  const param::Parameter* plays = all.find(f.plays);
  // It would walk on to what a stop asks for.
  if (plays && plays->info.active && !covers_.captions) {
    transport(gui_, program_, *plays, fmt::format("figure.{}.play", f.id), x, y,
              std::min(w, gui_.px(260)));
  }
  if (!f.plays.empty()) y += gui_.px(kTransport);
  if (p.caption == 0 || covers_words_of(f)) return;
  gui_.paragraph(x, y, w, caption_of(f), TextStyle::label, gui_.theme().dim);
  gui_.control("caption." + f.id, {x, y, w, p.caption});
}

// The button that brings hidden figures back; returns its height.
float PageView::hidden_figures(float x, float y) {
  const std::size_t hidden = page_->page.figures.size() - laid_.shown.size();
  if (hidden == 0 || !alone_.empty() || !covers_.left_out.empty()) return 0;
  const std::string label =
      gui_.words().format(N_("Show hidden figures: {}"), static_cast<int>(hidden));
  const Rect rect{x, y + gui_.px(10), button_width(gui_, label, {}), gui_.px(28)};
  if (button(gui_, "button.hidden", rect, label)) program_.sight.show_all_figures();
  return gui_.px(44);
}

void PageView::show_alone(const std::string& figure) {
  wanted_.alone = false;  // what a page on its way was to show alone
  if (figure == alone_) return;
  if (alone_.empty()) scroll_.kept = scroll_.now;
  alone_ = figure;
  scroll_.to = figure.empty() ? scroll_.kept : 0;
  gui_.wake_in(0);
}

void PageView::uncover_and_bring(const std::string& figure) {
  if (alone_ != figure) show_alone("");
  const auto& hidden = program_.sight.figures().hidden;
  if (std::find(hidden.begin(), hidden.end(), figure) != hidden.end())
    program_.sight.show_all_figures();
  bring(figure);
  program_.events.add(state::FigureRequest{});
}

std::vector<std::string> PageView::shown_ids() const {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < laid_.shown.size(); ++i) ids.push_back(figure_at(i).id);
  return ids;
}

// Why there is none yet.
void PageView::no_page(const Rect& area) {
  const std::string fault = program_.pages.error();
  if (!fault.empty()) {
    const float room = std::min({area.w - gui_.px(48), gui_.px(560),
                                 std::ceil(gui_.width(fault, TextStyle::body)) + gui_.px(2)});
    const float height = gui_.paragraph_height(room, fault, TextStyle::body);
    const Rect place{area.x + (area.w - room) / 2, area.y + (area.h - height) / 2, room, height};
    gui_.paragraph(place.x, std::round(place.y), room, fault, TextStyle::body, gui_.theme().bad);
    gui_.control("page.fault", place);
  } else if ((!presented_ || captioned()) && program_.pages.waiting_s() > kDimAfter) {
    gui_.text(area.x + area.w / 2, area.y + area.h / 2, gui_.words()("Computing…"),
              TextStyle::panel, gui_.theme().dim, 0.5f);
  }
}

Controls PageView::hits() const {
  Controls all;
  for (const Placed& placed : laid_.placed) {
    for (const figure::Hit& hit : placed.drawing.hits) {
      std::string sets;
      for (const auto& [param, value] : hit.click) {
        sets += fmt::format("{}{}={}", sets.empty() ? "" : " ", param, value);
      }
      const figure::Rect& r = hit.rect;
      if (!sets.empty()) all[sets] = {placed.box.x + r.x, placed.box.y + r.y, r.w, r.h};
    }
  }
  return all;
}

void PageView::draw(const Rect& area) {
  plots_.clear();
  seen_ = area;
  pointer_.figure = -1;
  pointer_.over_zoomable = false;
  pointer_.removal = {};
  pointer_.pointed = {};
  ImGui::SetCursorScreenPos({area.x, area.y});
  ImGui::BeginChild("page", {area.w, area.h}, 0, ImGuiWindowFlags_NoScrollWithMouse);
  if (!program_.pages.page()) {
    laid_.placed.clear();
    laid_.shown.clear();  // keys ask for the figure under the pointer: there is none
    laid_.key = {};
    no_page(area);
    ImGui::EndChild();
    return;
  }
  if (scroll_.lab != program_.desk.lab().id) {
    scroll_.lab = program_.desk.lab().id;
    alone_.clear();
    scroll_.to = 0;
  }
  if (!wanted_.opened.empty()) {
    bring(std::exchange(wanted_.opened, {}));
    wanted_.marks = true;
    alone_.clear();
  }
  if (scroll_.to) ImGui::SetScrollY(*scroll_.to);
  scroll_.to.reset();
  const bool filled = !alone_.empty() || presented_;
  const float margin = presented_ && !captioned() ? 0 : gui_.px(14);
  const Rect column{area.x + margin, area.y, area.w - 2 * margin, area.h};
  lay_out(column);
  scroll_.now = std::round(ImGui::GetScrollY());
  const float inset = gui_.px(10);
  float top = column.y - scroll_.now;
  if (!filled) {
    top = std::round(head_.draw(column.x + inset, top, column.w - 2 * inset, area.h));
  }
  if (strip_ && !filled) top = std::round(strip_(column.x + inset, top, column.w - 2 * inset));
  float bottom = 0;
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    Placed& placed = laid_.placed[i];
    placed.box = {std::round(column.x + laid_.boxes[i].x), std::round(top + laid_.boxes[i].y),
                  std::round(laid_.boxes[i].w), std::round(laid_.boxes[i].h)};
    bottom = std::max(bottom, placed.box.bottom() + placed.under);
    gui_.control("figure." + figure_at(i).id, placed.box);
    if (placed.names_ghosts) gui_.control("legend." + figure_at(i).id, placed.box);
    if (laid_.key.held.before) gui_.control("before." + figure_at(i).id, placed.box);
    for (const figure::PlotFrame& f : placed.drawing.frames) {
      const Rect r{placed.box.x + f.area.x, placed.box.y + f.area.y, f.area.w, f.area.h};
      gui_.control("plot." + f.id, r);
      figure::PlotFrame frame = f;
      frame.area = r;
      frame.whole.x += placed.box.x, frame.whole.y += placed.box.y;
      plots_[f.id] = {r, f.shown, std::move(frame),
                      &figure_at(i).plots[static_cast<std::size_t>(f.index)]};
    }
    register_grips(i);
    for (const figure::Divider& divider : placed.drawing.dividers) {
      const figure::Rect& r = divider.grip;
      gui_.control("divider." + figure_at(i).plots[static_cast<std::size_t>(divider.plot)].id,
                   {placed.box.x + r.x, placed.box.y + r.y, r.w, r.h});
    }
    for (const figure::PoolNote& note : placed.drawing.pool_notes) {
      gui_.control(
          "pooled." + figure_at(i).id,
          {placed.box.x + note.rect.x, placed.box.y + note.rect.y, note.rect.w, note.rect.h});
    }
  }
  presented_ ? show_grown(area, bottom - top) : bring_wanted(area);
  const auto visible = [&](const Placed& p) {
    return p.box.bottom() + p.under > area.y && p.box.y < area.bottom();
  };
  // What the pointer does is found out first, so that the crosshair does not lag; its buttons are
  // painted over the cards all the same.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  pointer_.hovered.clear();
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    if (visible(laid_.placed[i])) point_at(i);
  }
  tools_.brush.go_on();
  if (pointer_.press && !ImGui::IsMouseDown(0)) {
    if (pointer_.moved) program_.desk.end_gesture();
    pointer_.press.reset();
  }
  list.ChannelsSetCurrent(0);
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    Placed& p = laid_.placed[i];
    if (ImGui::GetTime() >= laid_.changed + kMotion) p.from.reset();
    if (!visible(p)) continue;
    painter_.paint(list, seen(p), {p.box.x, p.box.y}, figure_at(i).id);
    draw_covers(p, figure_at(i));
    mark_opened(i);
    if (!presented_ || captioned()) under(i);
    if (!pointer_.hovered.empty()) crosshairs(i);
  }
  list.ChannelsMerge();
  // While the knobs are ahead of the page, it is drawn paler.
  if ((!presented_ || captioned()) && program_.pages.stale() &&
      program_.pages.waiting_s() > kDimAfter) {
    gui_.fill(area, gui_.theme().window.with_alpha(0.45f));
  }
  if (ImGui::IsWindowHovered() && ImGui::GetIO().MouseWheel != 0) wheel();
  if (!presented_) bottom += hidden_figures(column.x + inset, bottom);
  extend_content(bottom + (filled ? 0 : margin));
  ImGui::EndChild();
}

// Into the middle of the page, or from its top on where it is higher; once the page is that of the
// knobs.
void PageView::bring_wanted(const Rect& area) {
  const state::Computed* page = program_.pages.page();
  if (wanted_.figure.empty() || !page || page->made_from.values != program_.desk.now().values)
    return;
  const std::string wanted = std::exchange(wanted_.figure, {});
  const bool marks = std::exchange(wanted_.marks, false);
  for (std::size_t i = 0; i < laid_.placed.size(); ++i) {
    const figure::Figure& f = figure_at(i);
    const bool holds = std::any_of(f.plots.begin(), f.plots.end(),
                                   [&](const figure::Plot& plot) { return plot.id == wanted; });
    if (f.id != wanted && !holds) continue;
    if (wanted_.alone) return show_alone(f.id);
    if (marks) {
      marked_.id = marked_.last = f.id;
      marked_.until = ImGui::GetTime() + kMarked;
      gui_.wake_in(0);
    }
    const Rect& box = laid_.placed[i].box;
    const float room = area.h - box.h - laid_.placed[i].under;
    if (box.y >= area.y && box.bottom() <= area.bottom()) return;
    scroll_.to = std::max(0.0f, scroll_.now + box.y - area.y - std::max(room / 2, gui_.px(8)));
    gui_.wake_in(0);
    return;
  }
}

// A figure of a lesson that has grown beyond the view, as a box of it was opened, is shown from its
// middle, where that box is rather than above it.
void PageView::show_grown(const Rect& area, float high) {
  const bool same = scroll_.presented == presented_->figures;
  if (same && high > scroll_.high + gui_.px(20) && high > area.h) {
    scroll_.to = (high - area.h) / 2;
    gui_.wake_in(0);
  }
  scroll_.presented = presented_->figures, scroll_.high = high;
}

// And is framed for a while.
void PageView::mark_opened(std::size_t index) {
  if (marked_.id.empty() || figure_at(index).id != marked_.id) return;
  if (ImGui::GetTime() > marked_.until) {
    marked_.id.clear();
    return;
  }
  const Rect& box = laid_.placed[index].box;
  gui_.outline(box, gui_.theme().accent, gui_.px(8), gui_.px(2));
  gui_.control("opened." + marked_.id, box);
  gui_.wake_in(marked_.until - ImGui::GetTime());
}

void PageView::copy_values(const figure::Figure& f) const {
  const paper::CopiedNumbers copied = paper::copied_numbers(f);
  const words::Words& w = gui_.words();
  if (copied.text.empty() && copied.left_out.empty()) {
    return program_.messages.say(w("There are no values to copy here."));
  }
  if (!copied.text.empty()) ImGui::SetClipboardText(copied.text.c_str());
  if (copied.left_out.empty()) return program_.messages.say(w("Copied the values."));
  program_.messages.say(
      w.format(N_("Too many values to copy: {}. Export them instead."), w.list(copied.left_out)),
      true);
}

void PageView::copy_first() const {
  const state::Computed* page = program_.pages.page();
  if (!page) return;
  const std::vector<std::size_t> shown =
      session::shown_figures(page->page, program_.sight.figures());
  if (!shown.empty()) copy_values(page->page.figures[shown.front()]);
}

void PageView::order_items(const figure::Figure& f, const std::string& id, Menu& menu) {
  if (presented_) return;  // a stop or a lecture says which, and in which order
  const words::Words& w = gui_.words();
  if (!alone_.empty()) {
    if (menu.item(id + ".back", w("All figures (Escape)"))) show_alone("");
    return;
  }
  const std::vector<std::string> ids = shown_ids();
  if (menu.item(id + ".alone", w("This figure alone"), "F")) show_alone(f.id);
  if (menu.item(id + ".hide", w("Hide"), "", ids.size() > 1)) program_.sight.hide_figure(f.id);
  if (menu.item(id + ".up", w("Move up"), "", ids.front() != f.id)) {
    program_.sight.move_figure(f.id, -1, ids);
  }
  if (menu.item(id + ".down", w("Move down"), "", ids.back() != f.id)) {
    program_.sight.move_figure(f.id, 1, ids);
  }
  const bool changed = program_.sight.rearranged();
  if (menu.item(id + ".all", w("Show all figures"), "", changed)) program_.sight.show_all_figures();
}

void PageView::figure_menu(std::size_t index, const Rect& more) {
  const figure::Figure& f = figure_at(index);
  const words::Words& w = gui_.words();
  const std::string id = "figure." + f.id + ".menu", popup = id + ".popup";
  const ImGuiIO& io = ImGui::GetIO();
  const bool over =
      laid_.placed[index].box.contains({io.MousePos.x, io.MousePos.y}) && ImGui::IsWindowHovered();
  const bool open = ImGui::IsPopupOpen(popup.c_str());
  const bool focused = gui_.keyboard().has_focus(id) && gui_.keyboard().ring_visible();
  const Touch t = touch(gui_, id, more, w("Export, hide or move this figure"));
  if (over || open || focused) {
    const float pad = gui_.px(4);
    gui_.fill({more.x - pad, more.y, more.w + pad, more.h}, gui_.theme().card);
    gui_.fill(more, mix(gui_.theme().card, gui_.theme().text, t.hovered ? 0.12f : 0.05f),
              gui_.px(5));
    if (focused) gui_.ring(more, gui_.px(5));
    draw_icon(gui_, Icon::more, more.x + more.w / 2, more.y + more.h / 2, gui_.theme().dim);
  }
  const figure::Point local{io.MousePos.x - laid_.placed[index].box.x,
                            io.MousePos.y - laid_.placed[index].box.y};
  // A right click on a point takes it away instead, and the right button paints away.
  const bool asked = over && ImGui::IsMouseReleased(1) && !tools_.brush.painting() &&
                     figure::removal_at(laid_.placed[index].drawing, local).empty();
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
      program_.events.add(state::ExportRequest{f.id, ending});
    }
  }
  bool zoomed_in = false;
  for (const figure::Plot& plot : f.plots) zoomed_in |= program_.sight.zoomed_in(plot);
  if (menu.item(id + ".reset", w("Reset the zoom"), "", zoomed_in)) {
    for (const figure::Plot& plot : f.plots) program_.sight.reset_view(plot.id);
  }
  if (menu.item(id + ".copy", w("Copy the values"))) copy_values(f);
  if (menu.item(id + ".colors", w("Colours…"), "", paper::has_colors(f),
                w("Of all its heatmaps; a click on a colour bar chooses those of one"))) {
    tools_.colors.open(f.id, more);
  }
}

}  // namespace ui
