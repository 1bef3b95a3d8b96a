// Where the plots of a figure come to lie: what stands around each, then one size for a row.
#include <algorithm>
#include <cmath>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure::parts {
namespace {

constexpr float kRowGap = 12, kStripGap = 4;
constexpr float kPlotGap = 24, kThumbnailGap = 12;
constexpr float kWidestLabels = 0.24f;  // of a plot's width on paper; wider ones stand under it
constexpr float kLeastSmall = 18;       // of small pictures on paper
constexpr float kLeadWidth = 72;        // the letter beside a strip, and its room
constexpr float kLeastWidth = 40, kLeastHeight = 28,
                kLeastStrip = 16;  // data smaller than this wants less around it

// A note of small maps stands behind their title, or under it where it has no room there: in their
// own width, and with most of the gap. All have as much, also where names hang over at the right.
void add_note(Placed& p, float room, const Pen& pen) {
  const float width = room - p.sides.right;
  const std::string& note = p.plot->note;
  const std::string both = p.plot->title.empty() ? note : p.plot->title + " · " + note;
  if (pen.size(both, TextStyle::label).x <= width) {
    p.title_lines = {both};
    return;
  }
  for (std::string& line : pen.wrap(note, TextStyle::label, width + pen.px(kThumbnailGap - 2))) {
    p.title_lines.push_back(std::move(line));
  }
}

// Title and label in as many lines as they need; the bar stands beside the last one where it has
// room there, else on a line of its own.
void measure_lines_over(Placed& p, const Rect& area, float width, const Pen& pen) {
  const Plot& plot = *p.plot;
  if (!plot.title.empty()) p.title_lines = pen.wrap(plot.title, TextStyle::label, width);
  if (note_in_header(plot, pen)) add_note(p, width, pen);
  const bool label = labelled_above(p);
  if (label) p.label_lines = pen.wrap(plot.y.label, TextStyle::label, width);
  p.header_lines = static_cast<int>(p.title_lines.size() + p.label_lines.size());
  const Heatmap* map = heatmap_of(plot);
  if (!map || !map->color_bar || !map->legend.empty()) return;
  if (least_bar_width(*map, pen) > width) return;
  p.bar = p.bar_below = true;
  const std::vector<std::string>& last = label ? p.label_lines : p.title_lines;
  const float beside =
      last.size() == 1 ? pen.size(last[0], TextStyle::label).x + pen.px(12) : width;
  p.bar_alone = !last.empty() && beside + least_bar_width(*map, pen) > area.w;
  if (last.empty() || p.bar_alone) ++p.header_lines;
}

// On a screen, where a title or label is too long for one line and three hold it.
bool needs_lines_over(const Plot& plot, bool label, float width, const Pen& pen) {
  bool longer = false;
  for (const std::string* text : {&plot.title, label ? &plot.y.label : nullptr}) {
    if (!text || pen.size(*text, TextStyle::label).x <= width) continue;
    if (pen.wrap(*text, TextStyle::label, width).size() > 3) return false;
    longer = true;
  }
  return longer;
}

// `width` is what the data may take at most; `area` is less when sides are equal.
void measure_header(Placed& p, const Rect& area, float width, const Pen& pen) {
  p.bar = p.bar_below = p.bar_alone = false;
  p.header_lines = 0;
  p.title_lines.clear(), p.label_lines.clear();
  if (p.detail >= Detail::no_titles) return;
  const Plot& plot = *p.plot;
  const bool label = labelled_above(p);
  const float room = width + p.sides.right;
  p.lines_over = pen.paper() || needs_lines_over(plot, label, room, pen);
  if (p.lines_over) return measure_lines_over(p, area, room, pen);
  const std::string& first = plot.title.empty() ? plot.y.label : plot.title;
  const bool title = !plot.title.empty() || label;
  int& lines = p.header_lines;
  lines = (title ? 1 : 0) + (!plot.title.empty() && label ? 1 : 0);
  if (const Heatmap* map = heatmap_of(plot);
      map && map->color_bar && least_bar_width(*map, pen) <= width) {
    p.bar = true;
    const float wanted =
        pen.size(first, TextStyle::label).x + least_bar_width(*map, pen) + pen.px(12);
    if (lines == 2 || (lines == 1 && wanted > area.w)) p.bar_below = true;
    lines = std::max(lines, p.bar_below ? 2 : 1);
  }
}

float header_height(const Placed& p, const Pen& pen) {
  if (p.header_lines == 0) return 0;
  return header_line(pen) * static_cast<float>(p.header_lines) + pen.px(kHeaderGap);
}

bool pools(const Placed& p, const Rect& area, const Pen& pen) {
  if (!heatmap_of(*p.plot)) return false;
  Placed trial = p;
  trial.area = area;
  return pooling_of(*heatmap_of(*p.plot), trial, pen).level() > 0;
}

// Numbers over and under bars, as far as they would stand out of data so large.
void leave_room_for_numbers(Placed& p, float width, float height, const Pen& pen) {
  const Bars* bars = bars_of(*p.plot);
  if (!bars || !bars->numbers || p.detail >= Detail::no_notes) return;
  double least = 0, greatest = 0;
  for (const double v : bars->values) {
    least = std::min(least, v);
    greatest = std::max(greatest, v);
  }
  const double cells = std::max(1.0, std::abs(p.shown.x1 - p.shown.x0));
  const float line = bar_numbers(*bars, width / static_cast<float>(cells), pen).high + pen.px(3);
  const double range = p.shown.y0 - p.shown.y1;  // the top less the bottom
  const auto missing = [&](double free) {
    return std::clamp(line - static_cast<float>(free / range) * height, 0.0f, line);
  };
  if (greatest > 0) p.sides.top += missing(p.shown.y0 - greatest);
  if (least < 0) p.numbers_below = missing(least - p.shown.y1);
  p.sides.bottom += p.numbers_below;
}

// Where ticks of values stand at the very ends, half of their text hangs over.
void leave_room_for_ticks(Placed& p, const Rect& area, const Pen& pen) {
  Sides& s = p.sides;
  const float half_line = pen.line_height(TextStyle::mono_small) / 2;
  if (!p.y_ticks.ticks.empty()) {
    if (p.row_names) s.left = std::max(s.left, p.y_ticks.width + pen.px(8));
    if (!p.y_ticks.names) s.top = std::max(s.top, half_line);
  }
  if (p.x_ticks.ticks.empty()) return;
  const Point over = reach(p.x_ticks, pen);
  s.bottom += over.y;
  const auto cells = static_cast<float>(std::abs(p.shown.x1 - p.shown.x0));
  const float half_cell = p.plot->x.cells ? area.w / cells / 2 : 0;
  const float hangs = p.x_ticks.rotated ? over.x : p.x_ticks.width / 2;
  if (p.x_ticks.rotated && !p.last_in_row) return;
  s.right = std::max(s.right, hangs - half_cell);
  if (!p.x_ticks.rotated) s.left = std::max(s.left, hangs - half_cell);
}

void measure_thumbnail(Placed& p, float width, const Pen& pen) {
  const bool room = p.slot.h > (pen.paper() ? 1.4f : 2.0f) * caption_height(pen);
  if (p.detail >= Detail::no_titles || !room) return;
  p.sides.bottom = caption_height(pen);
  if (!pen.paper()) return;
  p.title_lines = pen.wrap(p.plot->title, TextStyle::label_bold, width);
  const auto more = static_cast<float>(std::max<std::size_t>(1, p.title_lines.size()) - 1);
  p.sides.bottom += more * pen.line_height(TextStyle::label_bold);
  if (p.note_below) p.sides.bottom += pen.line_height(TextStyle::small);
}

// The note, and how cells are pooled, under a plot.
void measure_note(Placed& p, const Rect& area, float width, const Pen& pen) {
  const Plot& plot = *p.plot;
  p.note_lines.clear();
  const bool noted = (!plot.note.empty() && !note_in_header(plot, pen)) ||
                     (!pen.paper() && !plot.pointer_note.empty());
  p.note_below = p.detail < Detail::no_notes && (noted || pools(p, area, pen));
  if (!p.note_below) return;
  if (pen.paper()) {
    Placed trial = p;
    trial.area = area;
    p.note_lines = pen.wrap(note_text(trial, pen), TextStyle::small, width);
  }
  const auto lines = static_cast<float>(std::max<std::size_t>(1, p.note_lines.size()));
  p.sides.bottom += lines * pen.line_height(TextStyle::small) + pen.px(4);
}

// What stands around the data when these are about `w` by `h` large.
void measure(Placed& p, float w, float h, const Pen& pen) {
  const Plot& plot = *p.plot;
  p.sides = {};
  p.x_ticks = p.y_ticks = {};
  p.numbers_below = 0;
  if (plot.thumbnail) return measure_thumbnail(p, w, pen);
  const Rect area = data_area(plot, {0, 0, w, h});
  if (p.detail < Detail::no_titles && !plot.lead.empty()) p.sides.left = pen.px(kLeadWidth);
  if (const Links* links = links_of(plot)) {
    p.sides.left = link_words_width(*links, true, pen);
    p.sides.right = link_words_width(*links, false, pen);
  }
  const float labels = line_label_width(plot, pen);
  const PaperLook::Legend legend = pen.look().legend;
  const bool wide = legend == PaperLook::Legend::automatic && labels > kWidestLabels * p.slot.w;
  p.line_legend = pen.paper() && labels > 0 && (wide || legend == PaperLook::Legend::below);
  if (!p.line_legend) p.sides.right = std::max(p.sides.right, labels);
  if (p.detail < Detail::no_ticks) {
    if (p.x_names) p.x_ticks = x_ticks(plot, p.shown, area.w, pen);
    p.y_ticks = y_ticks(plot, p.shown, area.h, pen);
    leave_room_for_ticks(p, area, pen);
  }
  p.x_label_lines.clear();
  if (labelled_below(p) && p.detail < Detail::no_titles) {
    const float room = p.sides.left + w + p.sides.right;
    p.x_label_lines = pen.wrap(plot.x.label, TextStyle::label, room);
    const auto lines = static_cast<float>(std::max<std::size_t>(1, p.x_label_lines.size()));
    p.sides.bottom += lines * pen.line_height(TextStyle::label) + pen.px(4);
  }
  p.legend_height = 0;
  if (p.line_legend && p.detail < Detail::no_titles) {
    p.legend_height = line_legend_height(plot, w + p.sides.right, pen);
    p.sides.bottom += p.legend_height;
  }
  measure_note(p, area, w + p.sides.right, pen);
  measure_header(p, area, w, pen);
  p.sides.top = std::max(p.sides.top, header_height(p, pen));
  leave_room_for_numbers(p, w, h, pen);
}

bool same_names(const Axis& a, const Axis& b) {
  if (a.link.empty() || a.link != b.link || a.lo != b.lo || a.hi != b.hi) return false;
  return a.labels == b.labels || (a.labels && b.labels && *a.labels == *b.labels);
}

using Row = std::vector<Placed*>;

float gap_of(const Row& row, const Pen& pen) {
  const bool small = row.front()->plot->thumbnail || shares_axes(*row.front()->plot, pen);
  return pen.px(small ? kThumbnailGap : kPlotGap);
}

// One width for the data of all plots of a row, and tops and bottoms that agree.
struct Shared {
  float w, h, top, bottom;
};

Shared share(const Row& row, const Rect& box, const Pen& pen) {
  const auto columns = static_cast<float>(row.front()->columns);
  float around = gap_of(row, pen) * (columns - 1), top = 0, bottom = 0;
  for (const Placed* p : row) {
    around += p->sides.left + p->sides.right;
    top = std::max(top, p->sides.top);
    bottom = std::max(bottom, p->sides.bottom);
  }
  return {(box.w - around) / columns, box.h - top - bottom, top, bottom};
}

// Headers of a row stand on the same lines, so that titles align and so do colour bars.
void share_header(const Row& row, const Pen& pen) {
  int lines = 0;
  bool below = false;
  for (const Placed* p : row) {
    lines = std::max(lines, p->header_lines);
    below = below || p->bar_below;
  }
  for (Placed* p : row) {
    if (p->plot->thumbnail) continue;
    p->header_lines = lines;
    p->bar_below = below;
    p->sides.top = std::max(p->sides.top, header_height(*p, pen));
  }
}

Sides larger(const Sides& a, const Sides& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

// Measures with less and less detail until the data has room.
void measure_row(const Row& row, const Rect& box, Detail from, const Pen& pen) {
  for (int d = static_cast<int>(from); d <= static_cast<int>(Detail::no_titles); ++d) {
    float w = box.w / static_cast<float>(row.size()) * 0.8f, h = box.h * 0.7f;
    // Sides depend on the size that they leave. A few passes settle that; should two go to and fro,
    // the larger sides hold.
    for (int pass = 0; pass < 4; ++pass) {
      for (Placed* p : row) {
        p->slot = {0, 0, box.w / static_cast<float>(row.size()), box.h};
        p->detail = static_cast<Detail>(d);
        const Sides before = p->sides;
        measure(*p, w, h, pen);
        if (pass == 3) p->sides = larger(p->sides, before);
      }
      share_header(row, pen);
      const Shared size = share(row, box, pen);
      const bool settled = size.w == w && size.h == h;
      w = size.w, h = size.h;
      if (settled) break;
    }
    const bool strip = !row.front()->plot->lead.empty();
    const float least = pen.px(strip ? kLeastStrip : kLeastHeight);
    const bool small = pen.paper() && row.front()->plot->thumbnail;
    if (w >= pen.px(small ? kLeastSmall : kLeastWidth) && h >= (small ? 1 : least)) return;
  }
}

void set_areas(const Row& row, const Rect& box, const Pen& pen) {
  const Shared size = share(row, box, pen);
  const float gap = gap_of(row, pen);
  float x = box.x;
  for (Placed* p : row) {
    const Sides& s = p->sides;
    const float w = std::max(0.0f, size.w), h = std::max(0.0f, size.h);
    p->slot = {x, box.y, s.left + w + s.right, box.h};
    p->area = data_area(*p->plot, {x + s.left, box.y + size.top, w, h});
    // A square that the height keeps small, with nothing beside it, stands in the middle.
    const bool alone = p->plot->square && p->columns == 1 && !pen.paper();
    if (alone) p->area.x += (w - p->area.w) / 2;
    const Plot& plot = *p->plot;
    p->frame = {plot.id,
                p->index,
                p->area,
                p->slot,
                p->shown,
                plot.x.scale == AxisScale::log,
                plot.y.scale == AxisScale::log};
    if (p->detail < Detail::no_ticks && !plot.thumbnail) {
      if (p->x_names) p->x_ticks = x_ticks(plot, p->shown, p->area.w, pen);
      p->y_ticks = y_ticks(plot, p->shown, p->area.h, pen);
    }
    x = p->slot.right() + gap;
  }
}

// Plots under each other begin at one line.
void align_lefts(std::vector<Placed>& all) {
  float left = 0, right = 0;
  for (const Placed& p : all) {
    left = std::max(left, p.sides.left);
    right = std::max(right, p.sides.right);
  }
  for (Placed& p : all) p.sides.left = left, p.sides.right = right;
}

using Rows = std::vector<std::pair<Row, Rect>>;

// Which of the small maps say what an axis is, where those under and beside each other share it.
void share_axes(const Rows& rows, const Pen& pen) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r].first;
    for (std::size_t k = 0; k < row.size(); ++k) {
      Placed& p = *row[k];
      if (!shares_axes(*p.plot, pen)) continue;
      const auto under = [&](std::size_t at) -> const Placed* {
        return at < rows.size() && k < rows[at].first.size() ? rows[at].first[k] : nullptr;
      };
      const auto same = [&](const Placed* other, Axis Plot::*axis) {
        return other && other->shown == p.shown && same_names(p.plot->*axis, other->plot->*axis) &&
               (p.plot->*axis).label == (other->plot->*axis).label;
      };
      p.last_in_row = k + 1 == p.columns;
      p.y_label = p.row_names && (r == 0 || !same(under(r - 1), &Plot::y));
      p.x_names = !same(under(r + 1), &Plot::x);
      p.x_label = p.x_names && !(k + 1 < row.size() && same(row[k + 1], &Plot::x));
    }
  }
}

// Columns of small maps agree on what stands beside them, and all data is equally high, though
// names stand under the last row alone.
void align_shared(Rows& rows, const Rect& inner, float gap, const Pen& pen) {
  std::vector<Sides> columns(rows.front().first.size());
  for (const auto& [row, box] : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      columns[k].left = std::max(columns[k].left, row[k]->sides.left);
      columns[k].right = std::max(columns[k].right, row[k]->sides.right);
    }
  }
  float around = gap * static_cast<float>(rows.size() - 1);
  for (const auto& [row, box] : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k]->sides.left = columns[k].left, row[k]->sides.right = columns[k].right;
    }
    around += box.h - share(row, box, pen).h;
  }
  const float data = std::max(0.0f, inner.h - around) / static_cast<float>(rows.size());
  float y = inner.y;
  for (auto& [row, box] : rows) {
    box = {box.x, y, box.w, box.h - share(row, box, pen).h + data};
    y += box.h + gap;
  }
}

// A contact sheet shows every thumbnail's note or none: some alone would look like a choice. On
// paper those that do not fit beside their titles stand under them; true where they do so now.
bool agree_on_notes(std::vector<Placed>& all, const Pen& pen) {
  const auto fit = [&](const auto& has_room) {
    return std::all_of(all.begin(), all.end(), [&](const Placed& p) {
      return !p.plot->thumbnail || has_room(p, pen.size(p.plot->note, TextStyle::small).x);
    });
  };
  const bool beside = fit([&](const Placed& p, float note) {
    return pen.size(p.plot->title, TextStyle::label_bold).x + pen.px(6) + note <= p.area.w;
  });
  const bool below =
      !beside && pen.paper() && fit([](const Placed& p, float note) { return note <= p.slot.w; });
  for (Placed& p : all) {
    p.note_beside = beside;
    if (p.plot->thumbnail) p.note_below = below && !p.plot->note.empty();
  }
  return below;
}

}  // namespace

float header_line(const Pen& pen) { return pen.row_height(kHeaderLine, TextStyle::label); }

float caption_height(const Pen& pen) { return pen.line_height(TextStyle::label_bold) + pen.px(6); }

std::vector<Placed> place(const Figure& figure, const Rect& inner, const Views& views,
                          const Pen& pen) {
  std::vector<Placed> all(figure.plots.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].plot = &figure.plots[k];
    all[k].index = static_cast<int>(k);
    all[k].shown = shown_view(figure.plots[k], views);
  }
  const std::vector<std::vector<std::size_t>> indices = grid(figure, inner, pen);
  const bool strips = !figure.plots.empty() && !figure.plots.front().lead.empty();
  const float gap = pen.px(strips ? kStripGap : kRowGap);
  const float height =
      (inner.h + gap) / static_cast<float>(std::max<std::size_t>(1, indices.size())) - gap;
  Rows rows;
  for (const std::vector<std::size_t>& members : indices) {
    const auto r = static_cast<float>(rows.size());
    Row row;
    for (const std::size_t k : members) {
      Placed& p = all[k];
      // On paper curves that are alone in the last row fill it.
      const bool fills = pen.paper() && members.size() == 1 && !heatmap_of(*p.plot) &&
                         !p.plot->square && !p.plot->thumbnail;
      p.columns = fills ? 1 : indices.front().size();
      p.row_names = row.empty() || !heatmap_of(*p.plot) || !heatmap_of(*row.back()->plot) ||
                    !same_names(p.plot->y, row.back()->plot->y) ||
                    p.shown.y0 != row.back()->shown.y0 || p.shown.y1 != row.back()->shown.y1;
      row.push_back(&p);
    }
    rows.push_back({row, {inner.x, inner.y + r * (height + gap), inner.w, std::max(0.0f, height)}});
  }
  const bool shared = !all.empty() && shares_axes(*all.front().plot, pen);
  if (shared) share_axes(rows, pen);
  const auto arrange = [&] {
    for (const auto& [row, box] : rows) measure_row(row, box, Detail::all, pen);
    if (!rows.empty() && rows.size() == all.size()) align_lefts(all);
    if (shared) align_shared(rows, inner, gap, pen);
    for (const auto& [row, box] : rows) set_areas(row, box, pen);
  };
  arrange();
  if (agree_on_notes(all, pen)) arrange();
  return all;
}

}  // namespace figure::parts
