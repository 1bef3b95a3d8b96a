// The parts of the layout. A plot is measured (what stands around its data rectangle), placed (all
// plots of a row share tops and sizes) and drawn (grid, marks, axes, header), each in a file here.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/figure/layout/pen.h"

namespace figure::parts {

// Details that are left out, one after the other, when there is no room.
enum class Detail { all, no_notes, no_ticks, no_titles };

struct Sides {
  float left = 0, right = 0, top = 0, bottom = 0;
};

struct Tick {
  double at = 0;  // data units; the middle of a cell
  std::string text;
  bool marked = false;
};

inline constexpr float kTitleRow = 28, kFooterRow = 26;  // of a card
inline constexpr float kTickGap = 6;  // between the data and what is written under it
inline constexpr float kHeaderLine = 18, kHeaderGap = 6;  // a line over a plot, and under all
inline constexpr double kSlant = 0.785;                   // 45 degrees: how column names are turned

// The ticks of an axis for the length it has on screen, and how they are written.
struct Ticks {
  std::vector<Tick> ticks;
  bool names = false;    // words, not numbers
  bool rotated = false;  // column names that do not fit side by side
  bool thinned = false;  // only some of the names: a tick says whose they are
  float width = 0;       // of the widest text
};

// One plot on its way from description to drawing.
struct Placed {
  const Plot* plot = nullptr;
  int index = 0;
  View shown;
  Detail detail = Detail::all;
  bool row_names = true;  // false: the plot at its left shows the same names
  // Of axes that small maps share: false where a plot at the left or above, or below, says it.
  bool y_label = true, x_names = true, x_label = true;
  bool last_in_row = true;  // beside others its slanted names reach into the gap
  Rect slot;                // all that it may use
  Sides sides;              // between the slot and the data
  Rect area;                // the data rectangle
  int header_lines = 0;     // over the data, the same for all plots of a row
  bool bar = false;         // there is room for a colour bar
  bool bar_below = false;   // the colour bar stands on the second of them
  float numbers_below = 0;  // room for the numbers of negative bars, over the ticks
  std::size_t columns = 1;  // plots in a full row of this figure
  bool note_beside = true;  // thumbnails: the notes of all of them fit beside their titles
  bool note_below = false;  // a line under the plot, or its title, is kept for its note
  Ticks x_ticks, y_ticks;
  // What stands over the plot is written in lines: on paper, and where one line does not hold it.
  bool lines_over = false;
  // Those lines, and on paper the ones under it, and the names of its lines where they have no room
  // beside them.
  std::vector<std::string> title_lines, label_lines, x_label_lines, note_lines;
  bool bar_alone = false;    // the colour bar has a line of the header for itself
  bool line_legend = false;  // the names of lines stand under the plot
  float legend_height = 0;
  PlotFrame frame;
};

// --- view.cpp
// True when the first row lies at the top: heatmaps, and axes of cells.
bool rows_downwards(const Plot& plot);
View full_view(const Plot& plot);
View shown_view(const Plot& plot, const Views& views);
const Heatmap* heatmap_of(const Plot& plot);
const Links* links_of(const Plot& plot);
const Bars* bars_of(const Plot& plot);
const Table* table_of(const Plot& plot);
// True for plots with axes: not words and tables.
bool has_axes(const Plot& plot);
// Whether labels of its axes stand over it and under it.
bool labelled_above(const Placed& placed);
bool labelled_below(const Placed& placed);
// On paper: it is one of the maps that share their axes, PaperLook::shared_axes, and one colour
// bar.
bool shares_axes(const Plot& plot, const Pen& pen);
// Such a map has its note behind its title.
bool note_in_header(const Plot& plot, const Pen& pen);
// The largest rectangle for the data inside `room`, from its top left corner.
Rect data_area(const Plot& plot, const Rect& room);

// --- grid.cpp
// The rows of a figure's plots: which indices stand side by side.
std::vector<std::vector<std::size_t>> grid(const Figure& figure, const Rect& inner, const Pen& pen);

// --- measure.cpp
// Places the plots of one figure into `inner`: slots, sides, areas and frames.
std::vector<Placed> place(const Figure& figure, const Rect& inner, const Views& views,
                          const Pen& pen);
float caption_height(const Pen& pen);
float header_line(const Pen& pen);

// --- ticks.cpp
Ticks x_ticks(const Plot& plot, const View& shown, float length, const Pen& pen);
Ticks y_ticks(const Plot& plot, const View& shown, float length, const Pen& pen);
// How names at axes are written where they are usually written in `usual`, and marked ones.
TextStyle name_style(TextStyle usual, const Pen& pen);
TextStyle marked_name_style(const Pen& pen);
// How far column names reach below the cells, and beyond the last one to the right.
Point reach(const Ticks& ticks, const Pen& pen);

// --- axes.cpp
void draw_grid(const Placed& placed, const Pen& pen);
void draw_ticks(const Placed& placed, const Pen& pen);
void draw_x_label(const Placed& placed, const Pen& pen);
// Where what is written under columns of cells lies, by cell from the first one: up to the data,
// and no farther than to its neighbours. None for cells without it.
std::vector<std::optional<Rotated>> column_names(const Placed& placed, std::size_t cells,
                                                 const Pen& pen);

// --- heading.cpp: what stands over and under all plots of a figure
struct Heading {
  std::vector<std::string> title = {}, note = {};
  bool beside = true;  // the note stands at the right of the title
  float height = 0;
};
Heading heading_of(const Figure& figure, float width, const Pen& pen);
void draw_heading(const Heading& heading, Point at, float width, const Pen& pen);
// The footer's spans in rows, each with its place in `width`. No row is empty; where none has
// room there is no row.
struct FooterRows {
  struct Placed {
    std::string text;
    const Span* span;
    float x, w;
    int dashes = -1;  // of a piece of line before the text; -1: there is none
  };
  std::vector<std::vector<Placed>> rows;
  float height = 0;
};
FooterRows footer_of(const Figure& figure, float width, const Pen& pen);
void draw_footer(const FooterRows& footer, Point at, const Pen& pen);
// Paper's colour bars and legends of heatmaps that have none of their own.
struct ColorKey {
  const Heatmap* map;
  std::string name;  // said beside it where there are several
};
std::vector<ColorKey> color_keys(const Figure& figure, const std::vector<Placed>& placed,
                                 const Pen& pen);
float color_keys_height(const std::vector<ColorKey>& keys, float width, const Pen& pen);
void draw_color_keys(const std::vector<ColorKey>& keys, const Rect& at, const Pen& pen);

// --- header.cpp
void draw_color_bar(const Heatmap& heatmap, Point left, float width, const Pen& pen);
float color_ends_width(const Heatmap& heatmap, const Pen& pen);
float least_bar_width(const Heatmap& heatmap, const Pen& pen);
void draw_header(const Placed& placed, const Pen& pen);
void draw_caption(const Placed& placed, const Pen& pen);  // under a thumbnail
std::string pooling_text(const Placed& placed, const Pen& pen);
// The plot's note with the note for the pointer.
std::string note_text(const Placed& placed, const Pen& pen);

}  // namespace figure::parts
