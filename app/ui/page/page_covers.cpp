// What a question covers of the page until it is answered.
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/page/page_view.h"

namespace ui {

// Where the cells of a table are, so long as they are large enough to be told apart.
void PageView::draw_grid(const figure::Plot& plot, const Rect& area) const {
  const auto lines = [&](const figure::Axis& axis, float room) {
    const float cells = axis.cells ? static_cast<float>(std::abs(axis.hi - axis.lo)) : 0;
    return cells > 0 && room / cells >= gui_.px(6) ? cells : 0;
  };
  const Rgba ink = mix(gui_.theme().card, gui_.theme().line, 0.8f);
  const float cols = lines(plot.x, area.w), rows = lines(plot.y, area.h);
  for (float k = 1; k < cols; ++k) {
    gui_.fill({std::round(area.x + area.w * k / cols), area.y, 1, area.h}, ink);
  }
  for (float k = 1; k < rows; ++k) {
    gui_.fill({area.x, std::round(area.y + area.h * k / rows), area.w, 1}, ink);
  }
}

void PageView::cover_text(const Placed& placed, const figure::Rect& text,
                          const std::string& as) const {
  if (text.w <= 0) return;
  const Rect place{placed.box.x + text.x - gui_.px(2), placed.box.y + text.y - gui_.px(1),
                   text.w + gui_.px(4), text.h + gui_.px(2)};
  gui_.fill(place, gui_.theme().card);
  gui_.control("covered." + as, place);
}

// The numbers at the left, of an axis of values, and of a colour bar: they end where the values do.
void PageView::cover_ends(const Placed& placed, const figure::PlotFrame& frame,
                          const figure::Plot& plot) const {
  const Rect& whole = frame.whole;
  std::vector<Rect> bars;
  for (const figure::Primitive& one : placed.drawing.primitives) {
    const auto* bar = std::get_if<figure::draw::ColorBar>(&one);
    if (bar && bar->rect.overlaps(whole)) bars.push_back(bar->rect);
  }
  for (const figure::Primitive& one : placed.drawing.primitives) {
    const auto* text = std::get_if<figure::draw::Text>(&one);
    if (!text) continue;
    const float wide = gui_.width(text->text, text->style), high = gui_.line(text->style);
    const float left = text->at.x - text->align_x * wide, right = left + wide;
    if (!whole.contains({(left + right) / 2, text->at.y})) continue;
    const bool axis =
        !plot.y.cells && right < frame.area.x && text->at.y > frame.area.y - gui_.px(4);
    // Beside the bar's ends.
    const bool bar = std::any_of(bars.begin(), bars.end(), [&](const Rect& r) {
      const float away = std::max(r.x - right, left - r.right());
      return std::abs(text->at.y - (r.y + r.h / 2)) < r.h && away >= 0 && away < gui_.px(12);
    });
    if (!axis && !bar) continue;
    cover_text(placed, {left, text->at.y - text->align_y * high, wide, high}, "end." + text->text);
  }
}

// The discs of the plot's points that can be picked.
std::vector<figure::Primitive> PageView::given_points(const Placed& placed,
                                                      const figure::PlotFrame& frame,
                                                      const figure::Plot& plot) const {
  std::vector<figure::Primitive> discs;
  for (const figure::Mark& mark : plot.marks) {
    const auto* points = std::get_if<figure::Points>(&mark);
    if (!points || points->picks.empty()) continue;
    for (const figure::Primitive& one : placed.drawing.primitives) {
      const auto* disc = std::get_if<figure::draw::Disc>(&one);
      if (!disc || !frame.area.contains(disc->center)) continue;
      for (std::size_t k = 0; k < points->x.size(); ++k) {
        const float x = frame.px_at(points->x[k]), y = frame.py_at(points->y[k]);
        if (std::hypot(disc->center.x - x, disc->center.y - y) > 0.5f) continue;
        discs.push_back(one);
        break;
      }
    }
  }
  return discs;
}

// What is asked about is not to be seen before it is answered.
void PageView::draw_covers(const Placed& placed, const figure::Figure& figure) const {
  const figure::Theme& theme = gui_.theme();
  const auto moved = [&](Rect r) {
    r.x += placed.box.x, r.y += placed.box.y;
    return r;
  };
  const auto grown = [](const Rect& r, float by) {
    return Rect{r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
  };
  const auto sheet = [&](const Rect& r, bool later = false) {
    gui_.fill(r, theme.card, gui_.px(4));
    gui_.outline(r, later ? theme.line : mix(theme.card, theme.accent, 0.5f), gui_.px(4));
    const float x = r.x + r.w / 2, y = r.y + r.h / 2;
    if (later) {
      gui_.text_in(x, y, r.w - gui_.px(12), gui_.words()("comes later in this lesson"),
                   TextStyle::label, theme.dim, 0.5f);
    } else {
      gui_.text(x, y, "?", TextStyle::title, theme.accent, 0.5f);
    }
  };
  const float title = gui_.px(36), in = gui_.px(8);
  if (covers_words_of(figure)) {
    // The note beside the title tells of it, too.
    const float from = gui_.px(20) + gui_.width(figure.title, TextStyle::card_title);
    gui_.fill({placed.box.x + from, placed.box.y + gui_.px(4),
               std::max(placed.box.w - from - in, 0.0f), title - gui_.px(4)},
              theme.card);
  }
  if (covered(figure.id)) {
    return sheet({placed.box.x + in, placed.box.y + title, placed.box.w - 2 * in,
                  std::max(placed.box.h - title - in, 1.0f)});
  }
  if (covers_words_of(figure)) cover_text(placed, placed.drawing.footer, "footer." + figure.id);
  for (const figure::PlotFrame& frame : placed.drawing.frames) {
    const figure::Plot& plot = figure.plots[static_cast<std::size_t>(frame.index)];
    const bool inside = covers_.inside.contains(frame.id);
    // It tells of the marks.
    if (covered(frame.id) || inside) cover_text(placed, frame.note, "note." + frame.id);
    if (covered(frame.id)) {
      sheet(grown(moved(frame.whole), gui_.px(8)), covers_.later.contains(frame.id));
    }
    if (!inside) continue;
    const Rect area = moved(frame.area);
    // Lines and points at an edge are half beyond it.
    gui_.fill(grown(area, gui_.px(2)), theme.card);
    for (const figure::Primitive& one : placed.drawing.primitives) {
      const auto* disc = std::get_if<figure::draw::Disc>(&one);
      if (!disc || !grown(frame.area, 0.5f).contains(disc->center)) continue;
      const float reach = disc->radius + disc->width;
      gui_.fill(moved({disc->center.x - reach, disc->center.y - reach, 2 * reach, 2 * reach}),
                theme.card);
    }
    draw_grid(plot, area);
    if (covers_.points.contains(frame.id)) {
      painter_.paint(*ImGui::GetWindowDrawList(), given_points(placed, frame, plot),
                     {placed.box.x, placed.box.y}, figure.id);
      gui_.control("given." + frame.id, area);
    }
    gui_.outline(area, mix(theme.card, theme.accent, 0.5f));
    // The names at the ends of lines say how high they end; the frame of a selected plot stays.
    const Rect whole = moved(frame.whole);
    const float from = area.right() + gui_.px(plot.selected ? 5 : 2), line = gui_.px(8);
    const Rect names{from, area.y - line, std::max(whole.right() - from, 0.0f), area.h + 2 * line};
    gui_.fill(names, theme.card);
    gui_.control("covered.names." + frame.id, names);
    if (frame.id == pointer_.reserved) continue;
    cover_ends(placed, frame, plot);
    gui_.text(area.x + area.w / 2, area.y + area.h / 2, "?", TextStyle::title, theme.accent, 0.5f);
  }
}

bool PageView::covers_words_of(const figure::Figure& figure) const {
  return covers_.captions || covered(figure.id) ||
         std::any_of(figure.plots.begin(), figure.plots.end(), [this](const figure::Plot& plot) {
           return covered(plot.id) || covers_.inside.contains(plot.id);
         });
}

}  // namespace ui
