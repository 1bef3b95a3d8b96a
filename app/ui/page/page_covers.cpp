// What a question covers of the page until it is answered.
#include <algorithm>
#include <cmath>

#include "app/ui/page/page_view.h"

namespace ui {
namespace {

// The texts of a drawing, one after the other, that together are the note, or the first of it where
// it is cut.
std::vector<const figure::draw::Text*> lines_of(const std::string& note,
                                                const figure::Drawing& drawing) {
  const auto squeezed = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  constexpr std::string_view kCut = "…";
  const std::string whole = squeezed(note);
  std::vector<const figure::draw::Text*> found;
  std::string joined;
  for (const figure::Primitive& one : drawing.primitives) {
    const auto* text = std::get_if<figure::draw::Text>(&one);
    if (!text || text->text.empty()) continue;
    std::string next = squeezed(text->text);
    const bool cut = next.size() > kCut.size() && next.ends_with(kCut);
    if (cut) next.resize(next.size() - kCut.size());
    if (!whole.starts_with(joined + next)) found.clear(), joined.clear();
    if (!whole.starts_with(joined + next)) continue;
    found.push_back(text);
    joined += next;
    if (cut || joined == whole) return found;
  }
  return {};
}

// "largest group: 65552".
bool tells_number(std::string_view title) {
  for (const std::string_view colon : {":", "：", "="}) {
    const auto at = title.find(colon);
    if (at == title.npos) continue;
    if (title.find_first_of("0123456789", at) != title.npos) return true;
  }
  return false;
}

}  // namespace

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

void PageView::cover_text(const Placed& placed, const figure::draw::Text& text,
                          const std::string& as) const {
  const float w = gui_.width(text.text, text.style), h = gui_.line(text.style);
  const float x = placed.box.x + text.at.x - text.align_x * w;
  const float y = placed.box.y + text.at.y - text.align_y * h;
  const Rect place{x - gui_.px(2), y - gui_.px(1), w + gui_.px(4), h + gui_.px(2)};
  gui_.fill(place, gui_.theme().card);
  gui_.control("covered." + as + "." + text.text, place);
}

// The lines of the plot's note, which tells of its marks. A number at an axis may stand in the
// note, too.
void PageView::cover_note(const Placed& placed, const figure::Plot& plot) const {
  for (const figure::draw::Text* text : lines_of(plot.note, placed.drawing)) {
    cover_text(placed, *text, "note");
  }
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
    const float wide = gui_.width(text->text, text->style);
    const float left = text->at.x - text->align_x * wide, right = left + wide;
    if (!whole.contains({(left + right) / 2, text->at.y})) continue;
    const bool axis =
        !plot.y.cells && right < frame.area.x && text->at.y > frame.area.y - gui_.px(4);
    // Beside the bar's ends.
    const bool bar = std::any_of(bars.begin(), bars.end(), [&](const Rect& r) {
      const float away = std::max(r.x - right, left - r.right());
      return std::abs(text->at.y - (r.y + r.h / 2)) < r.h && away >= 0 && away < gui_.px(12);
    });
    if (axis || bar) cover_text(placed, *text, "end");
  }
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
  for (const figure::Span& line : figure.footer) {
    if (!covers_words_of(figure) || !tells_number(line.text)) continue;
    for (const figure::draw::Text* text : lines_of(line.text, placed.drawing))
      cover_text(placed, *text, "footer");
  }
  for (const figure::PlotFrame& frame : placed.drawing.frames) {
    const figure::Plot& plot = figure.plots[static_cast<std::size_t>(frame.index)];
    if ((covered(frame.id) || covers_.inside.contains(frame.id)) && tells_number(plot.title)) {
      for (const figure::draw::Text* text : lines_of(plot.title, placed.drawing))
        cover_text(placed, *text, "title");
    }
    if (covered(frame.id)) {
      sheet(grown(moved(frame.whole), gui_.px(8)), covers_.later.contains(frame.id));
    }
    if (!covers_.inside.contains(frame.id)) continue;
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
    cover_note(placed, plot);
    draw_grid(plot, area);
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
