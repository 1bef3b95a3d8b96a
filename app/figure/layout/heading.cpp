// What stands over and under all plots of a figure: its title and note, footer, colour keys.
#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/marks/strokes.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kFooterGap = 24, kNoteGap = 16, kLeastNote = 56;
constexpr std::string_view kLineSign = "━ ";
constexpr float kLinePiece = 28;
constexpr float kKeyRow = 20, kKeyBar = 110, kSwatch = 11, kSwatchGap = 6, kNameGap = 18;

std::string with_pointer(const std::string& note, const std::string& pointer) {
  return note.empty() || pointer.empty() ? note + pointer : note + " · " + pointer;
}

Heading cut_heading(const Figure& figure, float width, const Pen& pen) {
  Heading heading{.height = pen.px(kTitleRow)};
  heading.title = {pen.fit(figure.title, TextStyle::card_title, width)};
  const float taken = heading.title[0].empty()
                          ? 0
                          : pen.size(heading.title[0], TextStyle::card_title).x + pen.px(kNoteGap);
  const std::string note = with_pointer(figure.note, figure.pointer_note);
  // A few letters of it would say nothing.
  const bool whole = pen.size(note, TextStyle::label).x <= width - taken;
  const bool some = width - taken >= pen.px(kLeastNote);
  heading.note = {whole || some ? pen.fit(note, TextStyle::label, width - taken) : ""};
  return heading;
}

}  // namespace

Heading heading_of(const Figure& figure, float width, const Pen& pen) {
  const bool noted = !figure.note.empty() || (!pen.paper() && !figure.pointer_note.empty());
  if (figure.title.empty() && !noted) return {};
  if (!pen.paper()) return cut_heading(figure, width, pen);
  Heading heading{.height = pen.row_height(kTitleRow, TextStyle::card_title)};
  if (!figure.title.empty()) heading.title = pen.wrap(figure.title, TextStyle::card_title, width);
  const float line = pen.line_height(TextStyle::card_title);
  if (heading.title.size() > 1) {
    heading.height += static_cast<float>(heading.title.size() - 1) * line;
  }
  if (figure.note.empty()) return heading;
  float taken = pen.size(figure.note, TextStyle::label).x;
  if (!figure.title.empty()) {
    taken += pen.size(figure.title, TextStyle::card_title).x + pen.px(kNoteGap);
  }
  if (taken <= width) {
    heading.note = {figure.note};
    return heading;
  }
  heading.beside = false;
  heading.note = pen.wrap(figure.note, TextStyle::label, width);
  const float notes = static_cast<float>(heading.note.size()) * pen.line_height(TextStyle::label);
  heading.height += figure.title.empty() ? std::max(0.0f, notes - line) : notes;
  return heading;
}

void draw_heading(const Heading& heading, Point at, float width, const Pen& pen) {
  const float line = pen.line_height(TextStyle::card_title);
  const Point first{at.x, at.y + line / 2};
  pen.lines(first, heading.title, TextStyle::card_title, pen.theme().text);
  if (heading.note.empty()) return;
  if (heading.beside) {
    return pen.text({at.x + width, first.y}, heading.note[0], TextStyle::label, pen.theme().dim, 1);
  }
  const float under = at.y + static_cast<float>(heading.title.size()) * line;
  pen.lines({at.x, under + pen.line_height(TextStyle::label) / 2}, heading.note, TextStyle::label,
            pen.theme().dim);
}

namespace {

// The dashes of a figure's wires of this colour, where these differ by them; -1: it has none.
int dashes_of(const Color& color, const Figure& figure, const Pen& pen) {
  if (!pen.look().dashes) return -1;
  for (const Plot& plot : figure.plots) {
    for (const Mark& mark : plot.marks) {
      const auto* diagram = std::get_if<Diagram>(&mark);
      const int found = diagram ? wire_dashes(*diagram, color) : -1;
      if (found >= 0) return found;
    }
  }
  return -1;
}

}  // namespace

FooterRows footer_of(const Figure& figure, float width, const Pen& pen) {
  FooterRows footer;
  float x = 0;  // where the next text goes in the last row
  const auto put = [&](std::string text, const Span& span, bool new_row) {
    if (new_row || footer.rows.empty()) footer.rows.emplace_back(), x = 0;
    // A sign that stands for a line becomes a piece of it.
    const bool line = text.starts_with(kLineSign);
    const int dashes = line ? dashes_of(span.color, figure, pen) : -1;
    if (dashes >= 0) text.erase(0, kLineSign.size());
    const float w = pen.size(text, span.style).x + (dashes >= 0 ? pen.px(kLinePiece + 6) : 0);
    footer.rows.back().push_back({text, &span, x, w, dashes});
    x += w + pen.px(kFooterGap);
  };
  for (const Span& span : figure.footer) {
    const float all = pen.size(span.text, span.style).x;
    // In small type it says how what is held is drawn, whole and in a row of its own; values keep
    // to one row, so that nothing moves when they change.
    const bool legend = span.style == TextStyle::small && !pen.paper();
    if (!pen.paper() && !legend) {
      const std::string text = pen.fit(span.text, span.style, width - x);
      if (text.empty()) break;
      put(text, span, false);
    } else if (all <= width) {
      put(span.text, span, legend || x + all > width);
    } else {
      for (const std::string& line : pen.wrap(span.text, span.style, width)) put(line, span, true);
    }
  }
  if (footer.rows.empty()) return footer;
  footer.height =
      pen.row_height(kFooterRow, TextStyle::label) +
      static_cast<float>(footer.rows.size() - 1) * pen.line_height(TextStyle::label) * 1.15f;
  return footer;
}

void draw_footer(const FooterRows& footer, Point at, const Pen& pen) {
  Rect& place = pen.drawing().footer;
  const float height = pen.line_height(TextStyle::label) * 1.15f;
  for (const auto& row : footer.rows) {
    for (const auto& one : row) {
      const Rgba color = resolve(one.span->color, pen.theme());
      if (one.dashes >= 0) {
        draw_sample({at.x + one.x, at.y}, pen.px(kLinePiece), {.pattern = one.dashes}, color,
                    pen.px(2.4f), pen);
      }
      if (one.span->style != TextStyle::small) {
        const float right = at.x + one.x + one.w;
        if (place.h == 0) place = {at.x + one.x, at.y - height / 2, 0, 0};
        place.w = std::max(place.w, right - place.x);
        place.h = at.y + height / 2 - place.y;
      }
      const float before = one.dashes >= 0 ? pen.px(kLinePiece + 6) : 0;
      pen.text({at.x + one.x + before, at.y}, one.text, one.span->style, color);
    }
    at.y += height;
  }
}

namespace {

bool same_key(const Heatmap& a, const Heatmap& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.name == y.name && (x.value == y.value || core::is_masked(x.value));
  };
  return a.scale == b.scale &&
         std::equal(a.legend.begin(), a.legend.end(), b.legend.begin(), b.legend.end(), same);
}

bool masked_cells(const Heatmap::Meaning& meaning) { return core::is_masked(meaning.value); }

// The swatches of a legend: rows of names, each with the index of its meaning and its place.
struct Swatch {
  const Heatmap::Meaning* meaning;
  std::string text;
  float x;
};
std::vector<std::vector<Swatch>> swatches(const Heatmap& map, float width, const Pen& pen) {
  std::vector<std::vector<Swatch>> rows(1);
  float x = 0;
  for (const Heatmap::Meaning& meaning : map.legend) {
    const float before = pen.px(kSwatch + kSwatchGap);
    const std::string text = pen.fit(meaning.name, TextStyle::label, width - before);
    const float wide = before + pen.size(text, TextStyle::label).x;
    if (x > 0 && x + wide > width) rows.emplace_back(), x = 0;
    rows.back().push_back({&meaning, text, x});
    x += wide + pen.px(kNameGap);
  }
  return rows;
}

float key_height(const ColorKey& key, float width, const Pen& pen) {
  const std::size_t rows = key.map->legend.empty() ? 1 : swatches(*key.map, width, pen).size();
  const bool named = !key.name.empty();
  const float beside = pen.size(key.name, TextStyle::label).x + pen.px(12);
  const float bar = color_ends_width(*key.map, pen) + pen.px(kKeyBar);
  const bool own_line = named && (!key.map->legend.empty() || beside + bar > width);
  return pen.row_height(kKeyRow, TextStyle::label) * static_cast<float>(rows + (own_line ? 1 : 0));
}

void draw_swatch(const Swatch& one, Point at, const ValueColors& colors, const Pen& pen) {
  const float side = pen.px(kSwatch);
  const Rect box{at.x + one.x, at.y - side / 2, side, side};
  pen.fill(box, colors.color(one.meaning->value));
  if (masked_cells(*one.meaning)) {
    for (const float share : {0.5f, 1.0f}) {
      pen.line({box.x, box.y + side * share}, {box.x + side * share, box.y}, colors.hatch(),
               pen.px(0.7f));
    }
  }
  pen.outline(box, pen.theme().faint, pen.px(0.7f));
  pen.text({box.right() + pen.px(kSwatchGap), at.y}, one.text, TextStyle::label, pen.theme().dim);
}

}  // namespace

std::vector<ColorKey> color_keys(const Figure& figure, const std::vector<Placed>& placed,
                                 const Pen& pen) {
  std::vector<ColorKey> keys, shown;
  if (!pen.paper()) return keys;
  for (const Placed& p : placed) {
    for (const Mark& mark : p.plot->marks) {
      const auto* map = std::get_if<Heatmap>(&mark);
      if (!map || !map->source || map->scale.map == MapName::groups) continue;
      const bool has_bar = p.bar && map->legend.empty() && map == heatmap_of(*p.plot);
      (has_bar ? shown : keys)
          .push_back({map, map->bar_label.empty() ? p.plot->title : map->bar_label});
    }
  }
  std::vector<ColorKey> kept;
  for (const ColorKey& key : keys) {
    const auto same = [&](const ColorKey& other) { return same_key(*other.map, *key.map); };
    if (std::any_of(shown.begin(), shown.end(), same)) continue;
    if (std::any_of(kept.begin(), kept.end(), same)) continue;
    kept.push_back(key);
  }
  // One that all plots share, or a plot's that stands alone.
  if (kept.size() == 1 || figure.plots.size() == 1) {
    for (ColorKey& key : kept) key.name = key.map->bar_label;
  }
  return kept;
}

float color_keys_height(const std::vector<ColorKey>& keys, float width, const Pen& pen) {
  float height = keys.empty() ? 0 : pen.px(6);
  for (const ColorKey& key : keys) height += key_height(key, width, pen);
  return height;
}

void draw_color_keys(const std::vector<ColorKey>& keys, const Rect& at, const Pen& pen) {
  float y = at.y + pen.px(6);
  for (const ColorKey& key : keys) {
    const float height = key_height(key, at.w, pen),
                row = pen.row_height(kKeyRow, TextStyle::label);
    const ValueColors colors(key.map->scale, pen.theme());
    const std::string name = pen.fit(key.name, TextStyle::label, at.w);
    float x = at.x, line = y + row / 2;
    pen.text({x, line}, name, TextStyle::label, pen.theme().dim);
    const bool own_line =
        !name.empty() &&
        height > row * (key.map->legend.empty()
                            ? 1.5f
                            : 0.5f + static_cast<float>(swatches(*key.map, at.w, pen).size()));
    if (own_line) {
      line += row;
    } else if (!name.empty()) {
      x += pen.size(name, TextStyle::label).x + pen.px(12);
    }
    if (key.map->legend.empty()) {
      draw_color_bar(*key.map, {x, line},
                     std::min(pen.px(kKeyBar), at.right() - x - color_ends_width(*key.map, pen)),
                     pen);
    } else {
      for (const auto& swatch_row : swatches(*key.map, at.w, pen)) {
        for (const Swatch& one : swatch_row) draw_swatch(one, {x, line}, colors, pen);
        line += row;
      }
    }
    y += height;
  }
}

}  // namespace figure::parts
