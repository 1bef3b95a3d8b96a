// The marks of a plot, drawn where it is placed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/layout/parts.h"

namespace figure::parts {

// The share of a line's height at which small lines stand over one another in a low box.
inline constexpr float kTight = 0.85f;

// --- the marks
void draw_heatmap(const Heatmap& heatmap, const Placed& placed, const Pen& pen);
// The held colors of cells that have others now, each as a square in the cell's corner.
void add_corners(const Plot& held, const Placed& placed, const Pen& pen,
                 std::vector<Primitive>& over);
// How a heatmap is pooled: 2^row_level rows by 2^col_level columns become one cell. They are equal
// unless its source can be repeated.
struct Pooling {
  int row_level = 0, col_level = 0;
  std::shared_ptr<const TileSource> source = nullptr;  // what is drawn
  int level() const { return std::max(row_level, col_level); }
};
Pooling pooling_of(const Heatmap& heatmap, const Placed& placed, const Pen& pen);
void draw_line(const Line& line, const Placed& placed, const Pen& pen);
// Over the plot's border, where they stand on it.
void draw_line_markers(const Line& line, const Placed& placed, const Pen& pen);
// Where it is drawn, in pixels: its pieces between breaks.
std::vector<std::vector<Point>> drawn_pieces(const Line& line, const Placed& placed,
                                             const Pen& pen);
void draw_band(const Band& band, const Placed& placed, const Pen& pen);
void draw_points(const Points& points, const Placed& placed, const Pen& pen);
// Zone in which a disc that can be dragged is taken hold of.
Rect grip_zone(Point at, float radius, const Pen& pen);
void draw_rule(const Rule& rule, const Placed& placed, const Pen& pen);  // rules.cpp
void draw_note(const Note& note, const Placed& placed, const Pen& pen);
// The last point of a line that can be seen; and only where it ends so far from the plot's border
// that its label stands beside that point.
std::optional<Point> end_of(const Line& line, const Placed& placed);
std::optional<Point> ends_early(const Line& line, const Placed& placed, const Pen& pen);
void draw_line_labels(const Placed& placed, const Pen& pen);
float line_label_width(const Plot& plot, const Pen& pen);
// The names of lines as a legend, in `width`.
float line_legend_height(const Plot& plot, float width, const Pen& pen);
void draw_line_legend(const Placed& placed, const Pen& pen);
void draw_bars(const Bars& bars, const Placed& placed, const Pen& pen);
// Rectangle of the k-th bar with this value; empty where it is not seen.
std::optional<Rect> bar_of(const Placed& placed, std::size_t k, double value, const Pen& pen);
void draw_bar_numbers(const Bars& bars, const Placed& placed, const Pen& pen);
// How the numbers of bars are written that stand `pitch` pixels apart: level, on paper rotated
// upwards where they have no other room, or not at all.
struct BarNumbers {
  std::vector<std::string> texts;  // empty: there is no room
  bool rotated = false;
  float high = 0;  // what they take over the bars, pixels
};
BarNumbers bar_numbers(const Bars& bars, float pitch, const Pen& pen);
void draw_boxes(const Boxes& boxes, const Placed& placed, const Pen& pen);
void draw_links(const Links& links, const Placed& placed, const Pen& pen);
float link_words_width(const Links& links, bool left, const Pen& pen);
// The triangle at the end of an arrow that goes along a unit vector.
void draw_arrow_head(Point tip, Point along, float length, Rgba color, const Pen& pen);
void draw_arrows(const Arrows& arrows, const Placed& placed, const Pen& pen);
void draw_handle(const Handle& handle, const Placed& placed, const Pen& pen);
// Shape of an interval, as far as the plot shows it.
struct IntervalShape {
  Point middle;   // of the bar
  Rect bar, tag;  // tag: the label's box over it, empty without a label
};
std::optional<IntervalShape> shape_of(const Interval& interval, const Placed& placed,
                                      const Pen& pen);
void draw_interval(const Interval& interval, const Placed& placed, const Pen& pen);
// Adds the grip of an interval.
void hold_interval(const Interval& interval, const Placed& placed, const Pen& pen);
void draw_diagram(const Diagram& diagram, const Placed& placed, const Pen& pen);
// --- settle.cpp
// Which texts of a drawing may give way to others, as places in its primitives.
struct Loose {
  std::vector<Section> droppable;  // ticks, numbers in cells and on bars
  std::vector<Section> movable;    // each moves as one: notes, the labels of rules and wires
};
// Brings every text of a drawing on paper inside of its bounds and off all others: movable ones
// move, droppable ones go. What goes is told in Drawing::left_out.
void settle(Drawing& drawing, const Loose& loose, const Pen& pen);

// --- ghost.cpp
// Where the marks of a plot were drawn: their first primitive, after the clip, and the first of
// their sections.
struct DrawnMarks {
  std::size_t primitive = 0, section = 0, movable = 0;
};
// Draws what is held of the plot, by the marks' own drawing in this plot's frame: curves thin with
// rings and points hollow under the marks, bars and boxes as outlines over them, heatmaps behind a
// divider.
void draw_ghost(const Placed& placed, const DrawnMarks& drawn, Loose& loose, const Pen& pen);
// --- ghost_bars.cpp
// The outlines of the bars that were others; one that goes on beyond the axis is left open there,
// under a sign. `now`: the live ones; null: there are none.
void add_held_bars(const Bars& bars, const Bars* now, const Placed& placed, const Pen& pen,
                   std::vector<Primitive>& over);
// Signs at the border for held points that lie beyond it.
void add_beyond(const Points& points, const Placed& placed, const Pen& pen,
                std::vector<Primitive>& over);
// Cuts outlines where they would strike what is written in the plot.
void leave_numbers(const Placed& placed, const Pen& pen, std::vector<Primitive>& over);
// --- ghost_words.cpp
// What boxes said that are drawn in `held`: in the corner of those that stand there now, which were
// drawn in a section of the drawing; and with `gone` where nothing stands any more.
void add_held_words(const std::vector<Primitive>& held, const Section& drawn, bool gone,
                    const Pen& pen, std::vector<Primitive>& over);
// Writes what a held note said, under the live one where there is room.
void add_held_note(const Note& live, const Note& held, const Section& drawn, const Placed& placed,
                   const Pen& pen, std::vector<Primitive>& over);

// The labels of arrows and handles, where nothing else is written.
void draw_labels_beside(const Placed& placed, const Pen& pen);
void draw_table(const Table& table, const Placed& placed, const Pen& pen);
// How high a table of this width is when all of its rows are shown.
float table_height(const Table& table, float width, const Pen& pen);

}  // namespace figure::parts
