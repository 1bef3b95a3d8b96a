// How figures look on paper. Each choice is described once, as knobs of labs are: the command line,
// files of styles, sessions and the export window read that description.
#pragma once

#include <string>
#include <vector>

#include "app/param/values.h"

namespace paper {

enum class LegendPlace { automatic, beside, below, none };
enum class AxisChoice { figure, linear, log };
enum class ColorMap { figure, viridis, cividis, magma, gray, diverging };
enum class ColorChoice { figure, linear, log };

struct Style {
  // The look, which goes from figure to figure.
  std::string font_family = {};  // of all text; empty: the program's own fonts
  // Points; 0: in proportion to the labels of PaperOptions::font.
  double title_size = 0, label_size = 0, tick_size = 0, note_size = 0;
  double line_width = 0;  // points; 0: as each is drawn
  LegendPlace legend = LegendPlace::automatic;
  bool dashes = false, markers = false;  // lines differ by them
  bool letters = false;                  // (a), (b) before the titles
  bool grid_names = false;               // small pictures have axes with their names
  bool no_marks = false;                 // without what is picked, see file/without_marks.h
  ColorMap colors = ColorMap::figure;
  // One figure's own; empty: as it is.
  std::string title = {}, caption = {}, x_label = {}, y_label = {};
  std::string x_limits = {}, y_limits = {}, x_ticks = {}, y_ticks = {};  // "0 2 4"
  AxisChoice x_scale = AxisChoice::figure, y_scale = AxisChoice::figure;
  std::string vmin = {}, vmax = {};  // numbers
  ColorChoice color_scale = ColorChoice::figure;
  std::string only = {};  // names or numbers, with commas between them
  bool operator==(const Style&) const = default;
};

// Parameters of the look stand in the group kLook, those of one figure in kContent.
inline constexpr std::string_view kLook = N_("Look"), kContent = N_("This figure");
param::List describe(Style& style);

// Those that are not as they are by themselves, by their ids.
param::Values given(const Style& style);
// Those of the look among such values; with `content` all of them.
param::Values look_of(const param::Values& values, bool content);
// Sets these and leaves all others. Throws core::InputError for an unknown id and a refused value.
void set(Style& style, const param::Values& values);

// Throws core::InputError, in one sentence, for a text that is no list of numbers, limits that
// limit nothing, and a family of fonts that is not there. Answers with the family as it is called.
void check(Style& style);

// Whether its texts have formulas between "$".
bool has_formulas(const Style& style);

// One of its texts as layout sets it: with figure::kFormulaSign around formulas, and "$" for "\$".
std::string typeset(const std::string& text);

// "0 2.5 10" or "0, 2.5, 10". Throws core::InputError, naming `id`.
std::vector<double> numbers(std::string_view id, const std::string& text);

}  // namespace paper
