// The parts of a plot that have a value and can be pointed at: cells, bars, points, boxes.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "app/figure/drawing.h"
#include "app/figure/picking.h"
#include "app/labs/lab.h"
#include "app/lesson/text/expression.h"

namespace lesson {

// An element by its index: row and column of a cell, else the index alone.
struct Element {
  core::Index row = 0;  // index of what is no cell
  core::Index col = -1;
  double value = 0;  // of a point its y; NaN of a box and of a masked cell
  bool same_place(const Element& other) const { return row == other.row && col == other.col; }
};

const figure::Figure* find_figure(const lab::Page& page, std::string_view id);
// The plot of this id, else the first of the figure of this id; null: there is none.
const figure::Plot* find_plot(const lab::Page& page, std::string_view id);
// The figure that holds it, or is it.
const figure::Figure* holder(const lab::Page& page, std::string_view id);

// How many rows and columns there are; {count, 1} of what are no cells; none: the plot has no such.
std::optional<std::array<core::Index, 2>> extent(const figure::Plot& plot, Kind kind);
// Numbers of the first row and column: 0, or what the axis begins with.
std::array<core::Index, 2> first_index(const figure::Plot& plot, Kind kind);
// Rows and columns count from 0 here; empty where there is no such.
std::optional<Element> element(const figure::Plot& plot, Kind kind, core::Index row,
                               core::Index col);
inline constexpr long kMostElements = 1L << 20;  // that are looked through for "all of them"

// The k-th line of a plot, or null.
const figure::Line* line_of(const figure::Plot& plot, core::Index index);
std::vector<const figure::Line*> lines_of(const figure::Plot& plot);
// Its value at x between its points; NaN outside of them.
double value_at(const figure::Line& line, double x);

// Rectangle of an element, in the pixels of the frame.
figure::Rect place_of(const figure::Plot& plot, const figure::PlotFrame& frame, Kind kind,
                      const Element& element);
// The element that a pointer means; empty: none is near.
std::optional<Element> element_at(const figure::Plot& plot, const figure::PlotFrame& frame,
                                  Kind kind, figure::Point at);

// The pick of a click on it; empty: it sets nothing.
figure::Pick pick_of(const figure::Plot& plot, Kind kind, const Element& element);
// The pick of some click on the plot: the first that there is in the middle of its marks.
figure::Pick any_pick(const figure::Plot& plot);

}  // namespace lesson
