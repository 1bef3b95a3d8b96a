// A figure laid out: the card, its title and footer, and its plots.
#include "app/figure/layout.h"

#include <algorithm>

#include "app/figure/layout/parts.h"

namespace figure {
namespace {

using parts::Pen;
using parts::Placed;

constexpr float kInside = 16, kRadius = 8, kTitleRow = 28, kFooterRow = 26, kFooterGap = 24;
constexpr float kSelectedPad = 4;

struct Inner {
  Rect plots;
  float title_y = 0, footer_y = 0;  // middles of the lines; 0: left out
};

// Small cards give up the footer and then the title.
Inner inside(const Figure& figure, const Rect& box, const Pen& pen) {
  const float pad = std::min({pen.px(kInside), box.w / 4, box.h / 4});
  Inner inner{{box.x + pad, box.y + pad, box.w - 2 * pad, box.h - 2 * pad}};
  Rect& r = inner.plots;
  const bool titled = !figure.title.empty() || !figure.note.empty();
  if (titled && r.h >= pen.px(kTitleRow + 32)) {
    inner.title_y = r.y + pen.line_height(TextStyle::card_title) / 2;
    r.y += pen.px(kTitleRow);
    r.h -= pen.px(kTitleRow);
  }
  if (!figure.footer.empty() && r.h >= pen.px(kFooterRow + 48)) {
    inner.footer_y = r.bottom() - pen.px(kFooterRow) / 2 + pen.px(4);
    r.h -= pen.px(kFooterRow);
  }
  return inner;
}

void draw_title(const Figure& figure, const Inner& inner, const Pen& pen) {
  if (inner.title_y <= 0) return;
  const Rect& r = inner.plots;
  const std::string title = pen.fit(figure.title, TextStyle::card_title, r.w);
  pen.text({r.x, inner.title_y}, title, TextStyle::card_title, pen.theme().text);
  const float taken = title.empty() ? 0 : pen.size(title, TextStyle::card_title).x + pen.px(16);
  const std::string note = pen.fit(figure.note, TextStyle::label, r.w - taken);
  pen.text({r.right(), inner.title_y}, note, TextStyle::label, pen.theme().dim, 1);
}

// The footer begins under the data of the first plot.
void draw_footer(const Figure& figure, const Inner& inner, const std::vector<Placed>& placed,
                 const Pen& pen) {
  if (inner.footer_y <= 0) return;
  const float right = inner.plots.right();
  float total = 0;
  for (const Span& span : figure.footer)
    total += pen.size(span.text, span.style).x + pen.px(kFooterGap);
  float x = placed.empty() ? inner.plots.x : placed.front().area.x;
  if (x + total - pen.px(kFooterGap) > right) x = inner.plots.x;
  for (const Span& span : figure.footer) {
    const std::string text = pen.fit(span.text, span.style, right - x);
    if (text.empty()) return;
    pen.text({x, inner.footer_y}, text, span.style, resolve(span.color, pen.theme()));
    x += pen.size(text, span.style).x + pen.px(kFooterGap);
  }
}

// A contact sheet shows every thumbnail's note or none: some alone would look like a choice.
void agree_on_notes(std::vector<Placed>& placed, const Pen& pen) {
  const bool all_fit = std::all_of(placed.begin(), placed.end(), [&](const Placed& p) {
    const float title = pen.size(p.plot->title, TextStyle::label_bold).x + pen.px(6);
    return !p.plot->thumbnail || title + pen.size(p.plot->note, TextStyle::small).x <= p.area.w;
  });
  for (Placed& p : placed) p.note_beside = all_fit;
}

// Marks lie over each other in layers: what is cut off at the plot's border, what is written and
// set over all of that, and what can be taken hold of.
enum class Layer { cut, over, held };

// What each kind of mark draws in a layer.
struct DrawMark {
  Layer layer;
  const Placed& p;
  const Pen& pen;

  void operator()(const Heatmap& map) const {
    if (layer == Layer::cut) draw_heatmap(map, p, pen);
  }
  void operator()(const Line& line) const {
    if (layer == Layer::cut) draw_line(line, p, pen);
  }
  void operator()(const Band& band) const {
    if (layer == Layer::cut) draw_band(band, p, pen);
  }
  void operator()(const Bars& bars) const {
    if (layer == Layer::cut) draw_bars(bars, p, pen);
    if (layer == Layer::over) draw_bar_numbers(bars, p, pen);
  }
  void operator()(const Rule& rule) const {
    if (layer == Layer::cut) draw_rule(rule, p, pen);
  }
  void operator()(const Arrows& arrows) const {
    if (layer == Layer::cut) draw_arrows(arrows, p, pen);
  }
  void operator()(const Points& points) const {
    if (layer == Layer::over) draw_points(points, p, pen);
  }
  void operator()(const Links& links) const {
    if (layer == Layer::over) draw_links(links, p, pen);
  }
  void operator()(const Boxes& boxes) const {
    if (layer == Layer::over) draw_boxes(boxes, p, pen);
  }
  void operator()(const Note& note) const {
    if (layer == Layer::over) draw_note(note, p, pen);
  }
  void operator()(const Handle& handle) const {
    if (layer == Layer::held) draw_handle(handle, p, pen);
  }
  // Handles lie over it and are taken hold of first.
  void operator()(const Interval& interval) const {
    if (layer == Layer::over) draw_interval(interval, p, pen);
    if (layer == Layer::held) hold_interval(interval, p, pen);
  }
  void operator()(const Diagram& diagram) const {
    if (layer == Layer::over) draw_diagram(diagram, p, pen);
  }
  void operator()(const Table&) const {}  // has the plot to itself
};

void draw_layer(Layer layer, const Placed& p, const Pen& pen) {
  Drawing& drawing = pen.drawing();
  for (const Mark& mark : p.plot->marks) {
    const std::size_t begin = drawing.primitives.size();
    std::visit(DrawMark{layer, p, pen}, mark);
    drawing.marks.push_back({begin, drawing.primitives.size()});
  }
}

void draw_marks(const Placed& p, const Pen& pen) {
  if (const Table* table = parts::table_of(*p.plot)) return draw_table(*table, p, pen);
  // Lines on the border keep their whole width.
  const Rect& a = p.area;
  const float out = pen.px(parts::heatmap_of(*p.plot) ? 2 : 1);
  pen.add(draw::Clip{{a.x - out, a.y - out, a.w + 2 * out, a.h + 2 * out}});
  draw_layer(Layer::cut, p, pen);
  pen.add(draw::Unclip{});
  draw_layer(Layer::over, p, pen);
  draw_layer(Layer::held, p, pen);
  draw_labels_beside(p, pen);
}

void draw_lead(const Placed& p, const Pen& pen) {
  const Plot& plot = *p.plot;
  if (plot.lead.empty() || p.detail >= parts::Detail::no_titles) return;
  const float room =
      p.area.x - p.slot.x - pen.px(12) - (p.y_ticks.ticks.empty() ? 0 : p.y_ticks.width);
  const float x = p.slot.x + std::max(0.0f, room);
  pen.text({x, p.area.y + p.area.h / 2}, pen.fit(plot.lead, TextStyle::strip, room),
           TextStyle::strip, resolve(plot.lead_color, pen.theme()), 1);
}

void draw_plot(const Placed& p, const Pen& pen) {
  const Plot& plot = *p.plot;
  if (!plot.click.empty()) {
    pen.drawing().hits.push_back({p.slot, p.index, plot.click, plot.title});
  }
  if (p.area.w >= 1 && p.area.h >= 1) {
    if (!plot.thumbnail) draw_grid(p, pen);
    draw_marks(p, pen);
    if (!plot.thumbnail) {
      draw_axes(p, pen);
      draw_line_labels(p, pen);
      draw_header(p, pen);
      draw_lead(p, pen);
    }
    draw_caption(p, pen);
  }
  if (plot.selected) {
    const float pad = pen.px(kSelectedPad);
    const Rect& a = p.area;
    pen.outline({a.x - pad, a.y - pad, a.w + 2 * pad, a.h + 2 * pad}, pen.theme().accent, pen.px(2),
                pen.px(4));
  }
}

}  // namespace

Drawing layout(const Figure& figure, const Rect& box, const Views& views,
               const LayoutOptions& options) {
  Drawing drawing;
  drawing.bounds = {box.x, box.y, std::max(0.0f, box.w), std::max(0.0f, box.h)};
  const Pen pen(drawing, options);
  if (options.card) {
    pen.fill(drawing.bounds, pen.theme().card, pen.px(kRadius));
    pen.outline(drawing.bounds, pen.theme().line, pen.px(1), pen.px(kRadius));
  }
  if (!(box.w >= 1 && box.h >= 1)) return drawing;
  const Inner inner = inside(figure, drawing.bounds, pen);
  draw_title(figure, inner, pen);
  std::vector<Placed> placed = parts::place(figure, inner.plots, views, pen);
  agree_on_notes(placed, pen);
  for (const Placed& p : placed) {
    drawing.frames.push_back(p.frame);
    draw_plot(p, pen);
  }
  draw_footer(figure, inner, placed, pen);
  return drawing;
}

}  // namespace figure
