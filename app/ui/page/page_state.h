// What the page view knows from frame to frame: what is laid out, compared, pointed at and
// scrolled.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/state/program.h"
#include "app/ui/draw/gui.h"

namespace ui {

// Where each plot shows what, for the control map.
struct PlotPlace {
  Rect area;
  figure::View shown;
  figure::PlotFrame frame = {};        // in window pixels
  const figure::Plot* plot = nullptr;  // until the page is another
};

struct Pointed {
  bool over = false, held = false, clicked = false;
  figure::Point at;  // in window pixels
};

// Figures and plots that are covered, plots of which the axes alone are shown, and figures that are
// not on the page for now.
struct Covers {
  std::set<std::string> whole, inside, left_out;
  bool captions = false;              // the notes beside the titles, and what plays, too
  std::set<std::string> later = {};   // of `whole`: not asked for yet
  std::set<std::string> points = {};  // of `inside`: with the points that can be picked
  bool operator==(const Covers&) const = default;
};

struct Placed {
  figure::Drawing drawing;              // with its origin at the card's corner
  std::optional<figure::Drawing> from;  // where it comes from, while it moves
  figure::Views views;                  // of its plots, as they are drawn
  float split = 0;                      // where its heatmaps are divided
  // The figure with what is held of its heatmaps, where that changes it.
  std::shared_ptr<const figure::Figure> beside;
  bool names_ghosts = false;  // it says what is drawn as a ghost
  Rect box;                   // in window pixels
  float caption = 0;          // how high its caption is
  float under = 0;            // how high all is that stands under it
};

// The page as it was before a question was answered, drawn as a ghost; null: nothing.
struct BeforeAnswer {
  std::shared_ptr<const state::Computed> page = {};
  std::vector<std::string> unseen = {};  // figures and plots of it that the question covered
  bool operator==(const BeforeAnswer&) const = default;
};

// Figures that take the place of the page.
struct Presented {
  std::vector<std::string> figures;
  bool captioned = false;  // with what stands under them
  BeforeAnswer before = {};
  bool operator==(const Presented&) const = default;
};

struct LayoutKey {
  const state::Computed* page = nullptr;
  float width = 0, scale = 0;
  const figure::Theme* theme = nullptr;
  long fonts = 0;
  float pixel_ratio = 0;
  bool captions = true;
  session::FigureChoices order = {};
  std::set<std::string> left_out = {};
  std::string alone = {};
  float height = 0;  // of the page, when its figures fill it
  // What it is compared with, and how.
  struct Held {
    const state::Computed* page = nullptr;
    bool drag = false;
    figure::CellsShown cells = figure::CellsShown::split;
    long differences = 0;
    bool before = false;  // it is what was shown before an answer
    bool operator==(const Held&) const = default;
  } held = {};
  std::optional<Presented> presented = {};
  bool operator==(const LayoutKey&) const = default;
};

// The figures that are shown, laid out.
struct Laid {
  LayoutKey key;
  std::vector<std::size_t> shown;  // in order, by their place in the page
  std::vector<Placed> placed;      // of these
  // Small pictures or maps that stand alone, in other rows than on the page.
  std::shared_ptr<const figure::Figure> spread;
  std::vector<figure::Rect> boxes;
  long count = 0;       // of layouts
  double changed = -1;  // when the page did, in seconds of ImGui's
  std::vector<figure::Primitive> midway;
};

// What the page is compared with; null: nothing.
struct HeldBeside {
  std::shared_ptr<const state::Computed> page;
  // Its own, or those of them that were seen.
  std::shared_ptr<const std::vector<figure::Figure>> figures;
  std::vector<std::string> unseen;
  figure::Ghost ghost;  // of them, for the layout
};

// Where the button went down on a card, and what lay there.
struct Press {
  std::shared_ptr<const state::Computed> page;   // it or the next keeps `plot` alive
  std::shared_ptr<const figure::Figure> spread;  // or what is compared
  const figure::Plot* plot = nullptr;            // null beside the plots
  figure::PlotFrame frame;
  std::optional<figure::Grip> grip;
  figure::Point at;
};

// What the pointer is at, and does.
struct PagePointer {
  std::map<std::string, double> hovered;  // axis link to data value
  int figure = -1;                        // under the pointer
  bool over_zoomable = false;             // a plot that can be zoomed
  figure::Pick removal;                   // of the point under the pointer
  std::optional<Press> press;
  bool moved = false;                   // since the press: it is a drag
  std::optional<figure::Rect> divided;  // the plot whose divider is dragged, in window pixels
  std::string reserved;                 // the plot whose clicks are somebody else's
  Pointed pointed;
};

struct PageScroll {
  std::string lab;  // whose page is scrolled
  float now = 0;
  float kept = 0;           // of the page, while a figure stands alone
  std::optional<float> to;  // in the next frame
  // What is presented, and how high that is.
  std::vector<std::string> presented = {};
  float high = 0;
};

// A figure that is to be brought into view as soon as the page has it.
struct RequestedFigure {
  std::string figure;
  bool alone = false;
  bool marks = false;  // it is that of an opened file, and is framed for a while
  std::string opened;  // that of an opened file, with the next page that is drawn
};

struct MarkedFigure {
  std::string id, last;
  double until = 0;
};

}  // namespace ui
