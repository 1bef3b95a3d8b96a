// A figure as data: plots with axes and marks, in data units. No pixels, no colours but roles.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/figure/marks/mark.h"

namespace figure {

struct Plot {
  std::string id = {}, title = {};  // the id is unique on the page
  std::string note = {};            // short, under the plot or beside the title, dim
  Axis x = {}, y = {};
  std::vector<Mark> marks = {};
  bool square = false;  // equal pixels for a unit of x and of y
  // For a plane with a heatmap: y rises upwards, and the heatmap's row 0 is at the top, y.hi.
  bool upright = false;
  bool thumbnail = false;  // no axes, no colour bar: one of a contact sheet
  bool selected = false;   // framed in the accent colour
  std::string lead = {};   // a letter at the left in `lead_color` (q, k, v)
  Color lead_color = {};
  Assignments click = {};  // what a click anywhere sets (a thumbnail chooses its head)
  // Number parameters that a click inside the data rectangle sets to its coordinate (on cells: the
  // index), brought to the nearest permitted value; with `click` besides. May be empty.
  std::string x_param = {}, y_param = {};
  // A points parameter to which such a click adds a point, instead of setting x_param and y_param
  // (which a drag still sets). May be empty.
  std::string points_param = {};
  // Follows the note, on a screen only: what can be done here with a pointer.
  std::string pointer_note = {};

  // Draws it over the marks before it.
  template <class Added>
  void add(Added&& mark) {
    marks.emplace_back(std::forward<Added>(mark));
  }
};

// A card: one or several plots side by side.
struct Figure {
  std::string id = {}, title = {};
  std::string note = {};     // at the right of the title, dim
  std::string caption = {};  // for paper: what is seen, in a sentence
  std::vector<Plot> plots = {};
  int columns = 0;                // plots a row; 0: as many as fit
  int span = 12;                  // of the page's 12 columns
  float height = 320;             // pixels at 100 %, the whole card
  std::vector<Span> footer = {};  // a line under the plots
  std::string plays = {};         // a parameter that plays: its buttons stand by the figure too
  // Follow the note and the caption, on a screen only: what can be done with a pointer.
  std::string pointer_note = {}, pointer_caption = {};
};

// The part of a plot that is shown, in data units; sessions keep one for each zoomed plot.
struct View {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  bool operator==(const View&) const = default;
};

}  // namespace figure
