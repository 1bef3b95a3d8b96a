// Picks: what clicks and drags on a laid-out figure set. All of it is data: the window, the command
// line and the tests get the same answers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/drawing.h"

namespace figure {

// What a click or a drag does to a points parameter; places are brought to the nearest permitted.
struct PointEdit {
  enum class Kind { add, move, remove };
  Kind kind = Kind::add;
  std::string param = {};
  std::size_t index = 0;  // of the point that is moved or removed
  double x = 0, y = 0;    // where one is added, or moved to
  bool operator==(const PointEdit&) const = default;
};

// Number parameters that all move by as much from where they stood, as far as all of them can. They
// have one step, or none.
struct Shift {
  std::vector<std::pair<std::string, double>> from = {};
  double by = 0;
  bool operator==(const Shift&) const = default;
};

// Parameters that a click or a drag sets: some exactly, numbers that are then brought to the
// nearest permitted value, one point, and numbers that move together.
struct Pick {
  Assignments exact = {};
  std::vector<std::pair<std::string, double>> near = {};
  std::optional<PointEdit> point = {};
  std::optional<Shift> shift = {};
  std::string said = {};  // to the person once it is done: what it took away
  bool empty() const { return exact.empty() && near.empty() && !point && !shift; }
  bool operator==(const Pick&) const = default;
};

// Number of an axis's first cell: 1 where its cells are counted (heads, layers), 0 where they are
// positions (tokens, dimensions) and for an axis without cells. Ticks, tips, lessons and files all
// count from it.
Index first_cell(const Axis& axis);

// The cell of the plot's heatmap at a place in data units; empty outside of it.
std::optional<std::pair<Index, Index>> cell_at(const Plot& plot, double x, double y);
// The middle of a heatmap's cell along x and y, where it has its value.
std::pair<double, double> middle_of(const Plot& plot, const Heatmap& map, Index row, Index col);

// What a click at a place inside of the plot's data rectangle sets, in data units: the heatmap's
// cell with what it sets besides, the plot's own parameters, and what a click anywhere sets.
Pick pick_in(const Plot& plot, double x, double y);

// What pointing at this place means: at a bar's name the middle of the bar's column, which then has
// the same tip and takes the same click; anywhere else the place itself.
Point meant_at(const Drawing& drawing, Point at);

// What a click at this point of a drawing sets: what can be pointed at there, else the place. Empty
// where nothing takes clicks.
Pick pick_at(const Figure& figure, const Drawing& drawing, Point at);

// Whether a click in the plot's data rectangle sets anything by its position.
bool takes_places(const Plot& plot);
// Whether a drag through it does so.
bool scrubs(const Plot& plot);
// False where no axis is drawn (tables, links, schemes, thumbnails): all there is is shown.
bool can_zoom(const Plot& plot);

// The grip at this point, of several the one whose middle is nearest, an interval's only where
// there is no other; or null.
const Grip* grip_at(const Drawing& drawing, Point at);

// The pick that removes the point of a points parameter whose grip is at this point; else empty.
Pick removal_at(const Drawing& drawing, Point at);

// What dragging a grip to `to` sets; places outside of the plot count as its border, and an
// interval stays within the axis. `frame` is the plot's as it was when the drag began: a plot whose
// axes answer to what is dragged would run away.
Pick dragged(const Grip& grip, const PlotFrame& frame, const Plot& plot, Point to);
// What dragging through a plot that scrubs sets.
Pick scrubbed(const PlotFrame& frame, const Plot& plot, Point to);

// Whether a drag over the plot's heatmap paints.
bool takes_paint(const Plot& plot);
// Cells of a heatmap, half open.
struct CellRect {
  Index row0 = 0, row1 = 0, col0 = 0, col1 = 0;
  bool operator==(const CellRect&) const = default;
};
// What the heatmap's brush covers on its way between two points: a square at each step, which may
// overlap. A brush is as many drawn cells wide as the heatmap says; zoomed out one of these is
// 2^level cells wide. Parts outside of the table, or of what is shown, are left out.
std::vector<CellRect> brushed(const PlotFrame& frame, const Plot& plot, Point from, Point to);

}  // namespace figure
