// A lab's page, or some of its figures, as a file: a picture for a paper or the numbers behind it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/figure/ghost.h"
#include "app/figure/layout.h"
#include "app/labs/lab.h"
#include "app/paper/style/style.h"
#include "app/words/words.h"

namespace paper {

// Bounds of a scale: pixels a unit.
inline constexpr float kLeastScale = 0.25f, kMostScale = 8;

// The page that a page is compared with on paper.
struct Compared {
  std::shared_ptr<const lab::Page> page = {};  // null: nothing
  figure::CellsShown cells = figure::CellsShown::split;
  float split = 0.5f;
  // The knobs that differ, as each of both pages has them.
  std::string now = {}, then = {};
  std::string name = {};  // of what is held; may be empty
  bool operator==(const Compared&) const = default;
};

// Room that the parts of a sheet take, in units: pictures that lie over each other, as the frames
// of a film, get the most that any of them needs.
struct SheetRoom {
  struct Part {
    float figure = 0, caption = 0;  // heights
    bool operator==(const Part&) const = default;
  };
  float width = 0, height = 0;  // of the sheet; without a height it is as high as its parts need
  float above = 0, parameters = 0;
  std::map<std::string, Part> parts = {};  // by figure

  void widen(const SheetRoom& other);
  bool operator==(const SheetRoom&) const = default;
};

struct PaperOptions {
  figure::ThemeName theme = figure::ThemeName::light;
  words::Language language = words::Language::en;  // of the texts
  // Pixels at scale 1; 0 is the natural size: a page 1000 wide, as high as its figures; one figure
  // or plot alone as wide as it stands on that page, but at least 480.
  int width = 0, height = 0;
  float scale = 1;  // kLeastScale to kMostScale
  // The paper's size in points; 0: as above. With a width the figures are laid out anew for it,
  // with no margin around them: type stays as large as `font` says.
  double paper_width = 0, paper_height = 0;
  double font =
      0;  // points of labels, the other type in proportion, none under 6; 0: 9, 8 on paper
  // Dots an inch, of pixels and of heatmaps in vectors; 0: 96 times `scale` and 300.
  double dpi = 0;
  bool heading = true;         // each figure's title and what is beside it
  bool caption = true;         // each figure's caption
  bool parameter_line = true;  // `parameters` under all of them
  bool transparent = false;    // no ground is painted
  bool crop = false;           // no larger than what is drawn
  bool outlines = false;       // an SVG's text as shapes
  int panel_columns = 0;       // so many figures side by side; 0: as they stand on the page
  Style style = {};            // checked by export_page and its kin, see paper::check
  bool formulas = false;       // texts have formulas between "$", whatever `style` says
  // For numbers, see NumbersOptions; `json_beside` writes the page as .json beside a .csv, .npy or
  // .npz.
  bool comments = false, bom = false, json_beside = false;
  Compared compared = {};                           // on pictures; a legend says which is which
  std::string above = {};                           // a line over the figures; empty: none
  std::shared_ptr<const SheetRoom> room = nullptr;  // at least so much of it; null: as it comes
  // Gets the texts of the figures that had no room; null: nobody asks.
  std::shared_ptr<std::vector<std::string>> left_out = nullptr;
  bool operator==(const PaperOptions&) const = default;
  std::string parameters;  // "heads = 8, d_model = 64, ...": everything that made the page
  std::string title;       // for the file's metadata; empty: the figures' titles
  std::string session;     // session::to_json; travels inside of the file; may be empty
};

inline constexpr double kLeastFont = 6, kMostFont = 72;                               // points
inline constexpr double kLeastPaper = 15 * 72 / 25.4, kMostPaper = 2000 * 72 / 25.4;  // points
inline constexpr double kLeastDpi = 24, kMostDpi = 2400;

// Whether captions stand under the figures: an author's own does whatever the style says of them.
bool has_captions(const PaperOptions& options);

// Points a unit of the layout: a label is 12 units.
double points_a_unit(const PaperOptions& options);

// The ending of `out` chooses: .png .svg .pdf .html .tex are pictures, .csv .json .npy .npz the
// numbers (see numbers.h). `figure_ids` name figures or single plots inside of them; empty means
// all.
//
// .png  sRGB, one pixel a unit times `scale`.
// .pdf  a unit is 0.75 point; fonts are embedded (subsets), text can be selected and searched.
//       It is tagged: a section with a figure, its caption and the parameters.
// .svg  a unit is one pixel; text is <text> that can be edited and searched, in the program's fonts
//       where they are installed; with `outlines` it is drawn as shapes and looks the same
//       everywhere. Titles and captions stand in <title> and <desc> as text.
// .html the same figures as one page that needs nothing else, to be touched: see
// touch/touch_page.h. .tex  the figure with its text as TeX, over a .pdf without text that is
// written beside it. .safetensors  the trained model that the page shows, whole, whatever figures
// are named.
//
// What is unusual about the page (its notes) or made up in it stands before the parameters. Each
// carries `session` (see session_carrier.h), a title and the creator.
//
// Throws core::InputError for an unknown ending or id, a size that is too small for the figures or
// too large to be made; IoError when the file cannot be written; core::Cancelled when that was
// asked. The old file stays then.
void export_page(const lab::Page& page, const std::vector<std::string>& figure_ids,
                 const figure::Views& views, const PaperOptions& options,
                 const std::filesystem::path& out, const core::Cancel& cancel = {});

// The picture as .png, in memory.
std::string render_png(const lab::Page& page, const std::vector<std::string>& figure_ids,
                       const figure::Views& views, const PaperOptions& options);

// Pixels of a picture: red, green, blue, row by row from the top.
struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
  bool operator==(const Pixels&) const = default;
};

// The pixels of the picture as .png; with a ground, whatever `options` says. A given room sets its
// size.
Pixels render_pixels(const lab::Page& page, const std::vector<std::string>& figure_ids,
                     const figure::Views& views, const PaperOptions& options);

// Room that the picture takes.
SheetRoom room_of(const lab::Page& page, const std::vector<std::string>& figure_ids,
                  const figure::Views& views, const PaperOptions& options);

// Throws core::InputError unless `out` ends in something that export_page can write: ask before a
// long computation.
void check_ending(const std::filesystem::path& out);
// Whether the path ends as a picture: .png, .svg, .pdf, .html or .tex.
bool is_picture(const std::filesystem::path& out);

// "heads = 8, d_model = 64": every parameter that has an effect, for PaperOptions::parameters. In
// English by their ids, as the command line takes them; else by their names.
std::string parameter_line(const param::List& list, const words::Words& w);
// A line of the parameters of `other` that differ.
std::string differing_line(const param::List& list, const param::List& other,
                           const words::Words& w);

// "Temperature = 0.5": a knob and its value, as the reader calls them.
std::string knob_text(const param::Parameter& parameter, const words::Words& w);

}  // namespace paper
