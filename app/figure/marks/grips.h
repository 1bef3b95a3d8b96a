// Marks that can be dragged.
#pragma once

#include "app/figure/marks/axis.h"
#include "app/figure/marks/numbers.h"

namespace figure {

// A disc that can be dragged: it sets number parameters to where it is dragged to, each brought to
// the nearest permitted value. An empty id leaves that coordinate alone. Or it is one point of a
// points parameter, which a right click or the Delete key takes away. Or its y is a number that
// stands in a text parameter.
struct Handle {
  Number x = 0, y = 0;
  std::string x_param = {}, y_param = {};
  Assignments also = {};  // what taking hold of it sets besides
  Color color = Role::accent;
  float radius = 6;
  std::string label = {};
  std::string points_param = {};  // instead of x_param and y_param
  std::size_t point = 0;          // its index there
  // Also instead of them: what stands before the number in the text, and after it.
  std::string text_param = {}, before = {}, after = {};
};

// A bar between two places of the x axis, each a number parameter. Taken hold of by the bar or by
// the label over it, it is dragged as one: both parameters change by as much, as far as both can.
struct Interval {
  Number from = 0, to = 0, y = 0;
  std::string from_param = {}, to_param = {};
  Color color = Role::dim;
  float width = 6;           // of the bar, pixels
  std::string label = {};    // over its middle
  std::string tooltip = {};  // what dragging it does
};

}  // namespace figure
