// Marks in data units: lines, bands, bars, points, arrows, rules and words.
#pragma once

#include "app/figure/marks/axis.h"
#include "app/figure/marks/numbers.h"

namespace figure {

struct Line {
  Numbers x = {}, y = {};  // NaN in y breaks the line
  Color color = {};
  float width = 1.5f;
  bool dashed = false;
  std::string label = {};  // written at the line's end
  bool steps = false;      // a staircase: each height holds halfway to the next

  void add(Number at, Number value) {
    x.push_back(at);
    y.push_back(value);
  }
};

struct Band {
  Numbers x = {}, lo = {}, hi = {};
  Color color = {};

  void add(Number at, Number least, Number most) {
    x.push_back(at);
    lo.push_back(least);
    hi.push_back(most);
  }
};

// Bars from zero, one a cell of the x axis.
struct Bars {
  Numbers values = {};
  Color color = {};
  bool numbers = true;                  // write the values where there is room
  std::vector<Assignments> picks = {};  // empty, or one a bar: what a click sets
  int marked = -1;                      // this bar in the accent colour
  std::vector<Loss> losses = {};        // empty, or one a bar: what a click takes away
};

struct Points {
  Numbers x = {}, y = {};
  Color color = {};
  float radius = 3;
  std::vector<Assignments> picks = {};
  // A points parameter whose k-th point is the k-th of these: each can then be dragged, and taken
  // away by a right click or the Delete key. May be empty.
  std::string points_param = {};

  void add(Number at, Number value) {
    x.push_back(at);
    y.push_back(value);
  }
  // Adds a point with what a click on it sets.
  void add(Number at, Number value, Assignments pick) {
    add(at, value);
    picks.push_back(std::move(pick));
  }
};

// Straight arrows in data units, clipped to the plot.
struct Arrows {
  struct Arrow {
    double x0, y0, x1, y1;
  };
  std::vector<Arrow> arrows = {};
  Color color = {};
  float width = 1.5f;
  std::string label = {};  // written beside the last one's tip
};

// A straight line across the plot.
struct Rule {
  bool vertical = true;
  Number at = 0;
  Color color = Role::dim;
  bool dashed = true;
  std::string label = {};
};

struct Note {
  Number x = 0, y = 0;
  std::string text = {};
  Color color = {};
  TextStyle style = TextStyle::label;
  int align = -1;  // -1 left, 0 centre, 1 right of the point
  // Where they differ: the stretch of the x axis that it names; left out where it is wider.
  Number x0 = 0, x1 = 0;
};

}  // namespace figure
