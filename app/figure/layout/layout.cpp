// A figure laid out: the card, its title and footer, and its plots.
#include "app/figure/layout.h"

#include <algorithm>

#include "app/figure/layout/marks/marks.h"
#include "app/figure/layout/parts.h"

namespace figure {
namespace {

using parts::Pen;
using parts::Placed;

constexpr float kRadius = 8;
constexpr float kSelectedPad = 4;

struct Inner {
  Rect plots;
  float heading_width = 0;
  parts::Heading heading = {};
  parts::FooterRows footer = {};
  Point heading_at{}, footer_at{};
  bool headed = false, footed = false;
};

// Small cards give up the footer and then the title.
Inner inside(const Figure& figure, const Rect& box, const Pen& pen) {
  const float pad = std::min({pen.px(pen.options().inside), box.w / 4, box.h / 4});
  Inner inner{{box.x + pad, box.y + pad, box.w - 2 * pad, box.h - 2 * pad}};
  Rect& r = inner.plots;
  inner.heading_width = std::max(0.0f, r.w - pen.px(pen.options().corner));
  inner.heading = parts::heading_of(figure, inner.heading_width, pen);
  const float title = inner.heading.height;
  if (title > 0 && r.h >= title + pen.px(32)) {
    inner.headed = true;
    inner.heading_at = {r.x, r.y};
    r.y += title;
    r.h -= title;
  }
  inner.footer = parts::footer_of(figure, r.w, pen);
  const float footer = inner.footer.height;
  if (footer > 0 && r.h >= footer + pen.px(48)) {
    inner.footed = true;
    inner.footer_at = {r.x, r.bottom() - footer + pen.px(parts::kFooterRow / 2 + 4)};
    r.h -= footer;
  }
  return inner;
}

// The footer begins under the data of the first plot.
void draw_footer(const Inner& inner, const std::vector<Placed>& placed, const Pen& pen) {
  if (!inner.footed) return;
  float width = 0;
  for (const auto& row : inner.footer.rows) {
    width = std::max(width, row.back().x + row.back().w);
  }
  Point at = inner.footer_at;
  if (!placed.empty() && placed.front().area.x + width <= inner.plots.right()) {
    at.x = placed.front().area.x;
  }
  parts::draw_footer(inner.footer, at, pen);
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
    if (layer == Layer::over) draw_line_markers(line, p, pen);
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

// Beside what they tell of, not at one place: they may move a little.
bool moves(const Mark& mark) {
  return std::holds_alternative<Note>(mark) || std::holds_alternative<Rule>(mark);
}

void draw_layer(Layer layer, const Placed& p, parts::Loose& loose, const Pen& pen) {
  Drawing& drawing = pen.drawing();
  for (const Mark& mark : p.plot->marks) {
    const std::size_t begin = drawing.primitives.size();
    std::visit(DrawMark{layer, p, pen}, mark);
    drawing.marks.push_back({begin, drawing.primitives.size()});
    if (moves(mark)) loose.movable.push_back({begin, drawing.primitives.size()});
  }
}

void draw_marks(const Placed& p, parts::Loose& loose, const Pen& pen) {
  if (const Table* table = parts::table_of(*p.plot)) return draw_table(*table, p, pen);
  // Lines on the border keep their whole width.
  const Rect& a = p.area;
  const float out = pen.px(parts::heatmap_of(*p.plot) ? 2 : 1);
  pen.add(draw::Clip{{a.x - out, a.y - out, a.w + 2 * out, a.h + 2 * out}});
  const parts::DrawnMarks drawn{pen.drawing().primitives.size(), pen.drawing().marks.size(),
                                loose.movable.size()};
  draw_layer(Layer::cut, p, loose, pen);
  pen.add(draw::Unclip{});
  draw_layer(Layer::over, p, loose, pen);
  draw_layer(Layer::held, p, loose, pen);
  parts::draw_ghost(p, drawn, loose, pen);
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

// Texts that give way where others need the room, by how they were drawn.
class Loosely {
 public:
  Loosely(parts::Loose& loose, const Pen& pen) : loose_(loose), pen_(pen), begin_(now()) {}
  ~Loosely() { loose_.droppable.push_back({begin_, now()}); }
  Loosely(const Loosely&) = delete;
  Loosely& operator=(const Loosely&) = delete;

 private:
  std::size_t now() const { return pen_.drawing().primitives.size(); }
  parts::Loose& loose_;
  const Pen& pen_;
  std::size_t begin_;
};

// Around a plot that is selected. Where there is no room around it the frame comes closer.
void draw_frame(const Rect& area, const Pen& pen) {
  const float pad = pen.px(kSelectedPad), width = pen.px(2);
  const Rect& whole = pen.drawing().bounds;
  const float left = std::max(area.x - pad, whole.x + width / 2);
  const float top = std::max(area.y - pad, whole.y + width / 2);
  const float right = std::min(area.right() + pad, whole.right() - width / 2);
  const float bottom = std::min(area.bottom() + pad, whole.bottom() - width / 2);
  pen.outline({left, top, right - left, bottom - top}, pen.theme().accent, width, pen.px(4));
}

void draw_plot(const Placed& p, parts::Loose& loose, const Pen& pen) {
  const Plot& plot = *p.plot;
  if (!plot.click.empty()) {
    pen.drawing().hits.push_back({p.slot, p.index, plot.click, plot.title});
  }
  if (p.area.w >= 1 && p.area.h >= 1) {
    if (!plot.thumbnail) draw_grid(p, pen);
    {
      const Loosely marks(loose, pen);
      draw_marks(p, loose, pen);
    }
    if (!plot.thumbnail) {
      {
        const Loosely ticks(loose, pen);
        draw_ticks(p, pen);
      }
      draw_x_label(p, pen);
      draw_line_labels(p, pen);
      draw_line_legend(p, pen);
      draw_header(p, pen);
      draw_lead(p, pen);
    }
    draw_caption(p, pen);
  }
  if (plot.selected) draw_frame(p.area, pen);
}

// What a plot has no room for, as its detail says.
void report_left_out(const Placed& p, const Pen& pen) {
  const Plot& plot = *p.plot;
  if (plot.thumbnail) {
    const bool captioned = p.sides.bottom > 0;
    if (!captioned) pen.left_out(plot.title);
    if (!captioned || (!p.note_beside && !p.note_below)) pen.left_out(plot.note);
    return;
  }
  if (p.detail == parts::Detail::all) return;
  pen.left_out(plot.note);
  if (p.detail < parts::Detail::no_ticks) return;
  for (const auto& ticks : {parts::x_ticks(plot, p.shown, p.area.w, pen),
                            parts::y_ticks(plot, p.shown, p.area.h, pen)}) {
    for (const parts::Tick& tick : ticks.ticks) pen.left_out(tick.text);
  }
  if (p.detail < parts::Detail::no_titles) return;
  pen.left_out(plot.title);
  if (plot.x.visible) pen.left_out(plot.x.label);
  if (plot.y.visible) pen.left_out(plot.y.label);
}

std::vector<Placed> place_all(const Figure& figure, Inner& inner, const Views& views,
                              const Pen& pen, std::vector<parts::ColorKey>& keys) {
  std::vector<Placed> placed = parts::place(figure, inner.plots, views, pen);
  keys = parts::color_keys(figure, placed, pen);
  const float height = parts::color_keys_height(keys, inner.plots.w, pen);
  if (height <= 0 || inner.plots.h < height + pen.px(48)) {
    keys.clear();
    return placed;
  }
  inner.plots.h -= height;
  return parts::place(figure, inner.plots, views, pen);
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
  Inner inner = inside(figure, drawing.bounds, pen);
  if (inner.headed) parts::draw_heading(inner.heading, inner.heading_at, inner.heading_width, pen);
  std::vector<parts::ColorKey> keys;
  std::vector<Placed> placed = place_all(figure, inner, views, pen, keys);
  parts::Loose loose;
  for (const Placed& p : placed) {
    drawing.frames.push_back(p.frame);
    drawing.frames.back().slanted = p.x_ticks.rotated;
    draw_plot(p, loose, pen);
    report_left_out(p, pen);
  }
  draw_color_keys(keys, {inner.plots.x, inner.plots.bottom(), inner.plots.w, 0}, pen);
  draw_footer(inner, placed, pen);
  if (options.paper) parts::settle(drawing, loose, pen);
  return drawing;
}

}  // namespace figure
