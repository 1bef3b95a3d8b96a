// A figure as data: plots with axes and marks, in data units. No pixels, no colours but roles.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/figure/color.h"
#include "app/figure/theme.h"
#include "app/figure/tile_source.h"

namespace figure {

// Names of rows or columns (tokens); shared because many plots show the same ones.
using Labels = std::shared_ptr<const std::vector<std::string>>;

// A pick is data: the ids of the parameters a click sets, and to what.
using Assignments = std::vector<std::pair<std::string, std::string>>;

// A coloured piece of text.
struct Span {
  std::string text = {};
  Color color = {};
  TextStyle style = TextStyle::mono;
};

enum class AxisScale { linear, log };

struct Axis {
  std::string label = {};  // already translated, with its unit: "distance (tokens)"
  double lo = 0, hi = 1;   // for cells: within 0 to their number, cell i being [i, i + 1)
  AxisScale scale = AxisScale::linear;
  bool cells = false;       // ticks stand at the middle of cells and are whole numbers
  Labels labels = nullptr;  // names of cells; null: their indices
  std::string link = {};    // axes with one link share crosshair, zoom and pan
  Color color = Role::dim;  // of the label and of the hovered or picked name
  bool visible = true;
  // What a click or a drag at a place of this axis sets a parameter to is (place - origin) / unit.
  double origin = 0, unit = 1;
  int marked = -1;  // a cell whose name is shown in `color` (the query's word)
  // The names say all that is told of cells, without their indices: of heads, layers, formats, and
  // not of tokens, whose places count.
  bool named = false;
};

// rows x cols cells, row 0 at the top.
struct Heatmap {
  std::shared_ptr<const TileSource> source = {};
  ColorScale scale = {};
  Pool pool = Pool::max;
  std::string row_param = {},
              col_param = {};  // integer parameters that a click on a cell sets; may be empty
  Assignments also = {};       // what such a click sets besides
  // A painted parameter whose cells a drag adds to, and with Shift or the right button takes from,
  // in squares `brush` drawn cells wide. Empty: the heatmap is pinned and moved as always.
  std::string paint_param = {};
  int brush = 1;
  std::optional<std::pair<Index, Index>> pinned = {};  // drawn as one amber square
  bool color_bar = true;
  std::string bar_label = {};
  // Where its few values have names (yes or no): what they mean. On paper, where nothing can be
  // pointed at, a legend says it instead of a colour bar.
  struct Meaning {
    float value = 0;  // core::kMasked: of masked cells
    std::string name = {};
  };
  std::vector<Meaning> legend = {};
};

struct Line {
  std::vector<double> x = {}, y = {};  // NaN in y breaks the line
  Color color = {};
  float width = 1.5f;
  bool dashed = false;
  std::string label = {};  // written at the line's end
};

struct Band {
  std::vector<double> x = {}, lo = {}, hi = {};
  Color color = {};
};

// Bars from zero, one a cell of the x axis.
struct Bars {
  std::vector<double> values = {};
  Color color = {};
  bool numbers = true;                  // write the values where there is room
  std::vector<Assignments> picks = {};  // empty, or one a bar: what a click sets
  int marked = -1;                      // this bar in the accent colour
};

struct Points {
  std::vector<double> x = {}, y = {};
  Color color = {};
  float radius = 3;
  std::vector<Assignments> picks = {};
  // A points parameter whose k-th point is the k-th of these: each can then be dragged, and taken
  // away by a right click or the Delete key. May be empty.
  std::string points_param = {};
};

// A straight line across the plot.
struct Rule {
  bool vertical = true;
  double at = 0;
  Color color = Role::dim;
  bool dashed = true;
  std::string label = {};
};

struct Note {
  double x = 0, y = 0;
  std::string text = {};
  Color color = {};
  TextStyle style = TextStyle::label;
  int align = -1;  // -1 left, 0 centre, 1 right of the point
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

// A disc that can be dragged: it sets number parameters to where it is dragged to, each brought to
// the nearest permitted value. An empty id leaves that coordinate alone. Or it is one point of a
// points parameter, which a right click or the Delete key takes away. Or its y is a number that
// stands in a text parameter.
struct Handle {
  double x = 0, y = 0;
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
  double from = 0, to = 0, y = 0;
  std::string from_param = {}, to_param = {};
  Color color = Role::dim;
  float width = 6;           // of the bar, pixels
  std::string label = {};    // over its middle
  std::string tooltip = {};  // what dragging it does
};

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
    std::vector<double> values = {};  // one a row; NaN: this row has none
  };
  std::vector<Quantity> numbers = {};
};

// Weighted links from queries (left column of words) to keys (right column).
struct Links {
  struct Link {
    int from, to;
    float weight;  // 0 to 1: opacity and width
    Color color = {};
  };
  Labels left = {}, right = {};
  std::vector<Link> links = {};
  int marked_left = -1, marked_right = -1;
  std::string left_param = {}, right_param = {};  // what a click on a word sets
};

// How something is put together: boxes with pictures of what is in them, and wires from box to box.
// Wires lie under the nodes, nodes over each other in their order; what is to lie under wires (a
// frame around many boxes) is a diagram before this one.
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

using AnyMark = std::variant<Heatmap, Line, Band, Bars, Points, Rule, Note, Links, Arrows, Handle,
                             Table, Boxes, Interval, Diagram>;

template <class M, class Variant>
inline constexpr bool is_one_of = false;
template <class M, class... Marks>
inline constexpr bool is_one_of<M, std::variant<Marks...>> = (std::is_same_v<M, Marks> || ...);

// One of these. How each kind is copied and let go is compiled once, in figure.cpp, and not anew in
// every source that has figures.
class Mark : public AnyMark {
 public:
  template <class M>
  requires is_one_of<std::remove_cvref_t<M>, AnyMark> Mark(M&& mark)
      : AnyMark(std::in_place_type<std::remove_cvref_t<M>>, std::forward<M>(mark)) {}
  Mark(const Mark& other);
  Mark(Mark&& other) noexcept;
  Mark& operator=(const Mark& other);
  Mark& operator=(Mark&& other) noexcept;
  ~Mark();
};

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
