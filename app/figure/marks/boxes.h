// Marks with words in them: boxes, tables, diagrams.
#pragma once

#include <memory>
#include <optional>

#include "app/figure/marks/axis.h"
#include "app/figure/marks/numbers.h"
#include "app/figure/tile_source.h"

namespace figure {

// Labelled boxes in data units, each with a text that is cut where it has no room: the bits of a
// number, tokens in a row, the nodes of a tree.
struct Boxes {
  struct Box {
    double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
    std::string text = {};
    Color fill = Role::panel;
    bool marked = false;               // in the accent colour's frame
    Assignments pick = {};             // what a click sets
    std::string tooltip = {};          // the text when empty
    std::optional<double> value = {};  // a number that belongs to it; written to files alone

    // Fills that cell but for a little at the sides, and above and below.
    void fill_cell(double column, double row, double beside, double above) {
      x0 = column + beside, x1 = column + 1 - beside;
      y0 = row + above, y1 = row + 1 - above;
    }
  };
  std::vector<Box> boxes = {};
  TextStyle style = TextStyle::mono;
  std::string value_name = {};  // what the values are, in English: "token id"
};

// Rows of text in columns; it fills the plot, whose axes are not drawn. Texts are broken into as
// many lines as they need.
struct Table {
  struct Column {
    std::string title = {};
    float share = 1;  // of the width, relative to the other columns
    int align = -1;   // -1 left, 0 centre, 1 right
    std::string tooltip = {};
  };
  using Cell = std::vector<Span>;  // each span begins a new line
  std::vector<Column> columns = {};
  std::vector<std::vector<Cell>> rows = {};
  std::vector<Assignments> picks = {};  // empty, or one a row: what a click sets
  int marked = -1;                      // this row stands out
  // The numbers that cells tell as people read them ("= 537 M"), for programs: written to files
  // alone. Names are English in every language, with their units: "memory (bytes)".
  struct Quantity {
    std::string name = {};
    Numbers values = {};  // one a row; NaN: this row has none
  };
  std::vector<Quantity> numbers = {};
};

// A diagram of parts: boxes with pictures of what is in them, and wires from box to box. Wires lie
// under the nodes, nodes over each other in their order; what is to lie under wires (a frame around
// many boxes) is a diagram before this one.
struct Diagram {
  struct Place {
    double x, y;
  };
  struct Node {
    double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
    std::string title = {};
    std::string note = {};  // dim: a shape; left out where it has no room
    Color fill = Role::panel, edge = Role::line;
    bool round = false;   // the sign of an operation: as round as its sides let it be
    bool marked = false;  // in the accent colour's frame
    bool bold = false;    // its title
    bool frame = false;   // around others: its title stands in the top left corner
    // A small heatmap. It fills what the title over it leaves, or with a `share` the right of the
    // box, the title and the note standing in that share of the width at its left.
    std::shared_ptr<const TileSource> picture = {};
    ColorScale scale = {};
    float share = 0;
    bool picked = false;            // the picture, in the accent colour's frame
    Assignments pick = {};          // what a click on the box sets
    Assignments picture_pick = {};  // on the picture; empty: as the box
    std::string tooltip = {};       // the title when empty
    std::string pointer_note = {};  // instead of a note, on a screen only: what a click does
    // What the note tells, for programs: written to files alone. Names are English in every
    // language, and the same in all boxes of a diagram that have any.
    std::vector<std::pair<std::string, double>> numbers = {};
  };
  struct Wire {
    std::vector<Place> path = {};  // straight pieces; corners are rounded
    Color color = {};
    float width = 1.5f;
    bool dashed = false, arrow = true;
    std::string label = {};  // beside the middle of its last piece
  };
  std::vector<Node> nodes = {};
  std::vector<Wire> wires = {};
};

}  // namespace figure
