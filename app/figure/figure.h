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
  // A plane: y rises upwards although there is a heatmap, whose row 0 is then at the top, y.hi.
  bool upright = false;
  bool thumbnail = false;  // no axes, no colour bar: one of a contact sheet
  bool selected = false;   // framed in the accent colour
  std::string lead = {};   // a letter at the left in `lead_color` (q, k, v)
  Color lead_color = {};
  Assignments click = {};  // what a click anywhere sets (a thumbnail chooses its head)
  // Number parameters that a click inside of the data rectangle sets to the place's coordinate (of
  // cells: the index), brought to the nearest permitted value; with `click` besides. May be empty.
  std::string x_param = {}, y_param = {};
  // A points parameter to which such a click adds the place, instead of setting x_param and y_param
  // (which a drag still sets). May be empty.
  std::string points_param = {};
  // Behind the note, on a screen only: what can be done here with a pointer.
  std::string pointer_note = {};

  // Over the marks before it.
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
  // Behind the note, and behind the caption, on a screen only: what can be done with a pointer.
  std::string pointer_note = {}, pointer_caption = {};
};

// The part of a plot that is shown, in data units; sessions keep one for each zoomed plot.
struct View {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  bool operator==(const View&) const = default;
};

}  // namespace figure
