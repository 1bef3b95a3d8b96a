#include "app/paper/style/style.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/figure/formula.h"
#include "app/figure/paper_look.h"
#include "app/paper/style/lettering.h"
#include "app/param/reading.h"
#include "app/words/sentence.h"

namespace paper {
namespace {

using core::InputError;

constexpr double kLeastSize = 6, kMostSize = 72;  // points
constexpr double kLeastLine = 0.1, kMostLine = 10;
constexpr std::size_t kMostText = 400, kMostCaption = 4000;
constexpr std::size_t kMostTicks = 100;

void describe_sizes(Style& s, param::List& list) {
  const auto size = [&](double& value, std::string_view id, std::string_view label,
                        std::string_view help) {
    list.real(value, id, label, help, {.unit = "pt", .max = kMostSize});
  };
  size(s.title_size, "title_size", N_("Titles"),
       N_("Size of titles in points; 0: in proportion to --font"));
  size(s.label_size, "label_size", N_("Labels"),
       N_("Size of axis labels, legends and captions in points; 0: as --font says"));
  size(s.tick_size, "tick_size", N_("Ticks"),
       N_("Size of the numbers and names at axes in points; 0: in proportion to --font"));
  size(s.note_size, "note_size", N_("Notes"),
       N_("Size of notes and of the line of parameters in points; 0: in proportion to --font"));
}

void describe_look(Style& s, param::List& list) {
  list.group(kLook);
  list.text(s.font_family, "font_family", N_("Font"),
            N_("Family of fonts for all text, such as DejaVu Serif: any that is installed"),
            kMostText);
  describe_sizes(s, list);
  list.real(s.line_width, "line_width", N_("Lines"),
            N_("Width of drawn lines in points; 0: as each is drawn"),
            {.unit = "pt", .max = kMostLine});
  list.choice(s.legend, "legend", N_("Legend"), N_("Where the names of lines stand"),
              {{"automatic", N_("by itself")},
               {"beside", N_("beside")},
               {"below", N_("below")},
               {"none", N_("none")}});
  list.flag(s.dashes, "dashes", N_("Dashes"), N_("Lines differ by their dashes, too"));
  list.flag(s.markers, "markers", N_("Markers"), N_("Lines carry markers of different shapes"));
  list.flag(s.letters, "letters", N_("Letters"),
            N_("Letters (a), (b), … before the titles of figures, or of one figure's plots"));
  list.flag(s.grid_names, "grid_names", N_("Grid names"),
            N_("Small pictures have axes with names, such as the tokens of every head"));
  list.flag(s.no_marks, "no_marks", N_("No marks"),
            N_("Without what is picked: frames, bold names, lines where a knob stands"));
  list.choice(s.colors, "colors", N_("Colours"), N_("Colour map of all heatmaps"),
              {{"figure", N_("its own")},
               {"viridis", "viridis"},
               {"cividis", "cividis"},
               {"magma", "magma"},
               {"gray", N_("grey")},
               {"diverging", N_("diverging")}});
}

void describe_axes(Style& s, param::List& list) {
  const std::vector<param::Option> scales = {
      {"figure", N_("its own")}, {"linear", N_("linear")}, {"log", N_("logarithmic")}};
  list.text(s.x_limits, "x_limits", N_("x from, to"),
            N_("Limits of the x axis, such as \"0 20\"; of cells, the first and the last index"),
            kMostText);
  list.text(s.y_limits, "y_limits", N_("y from, to"), N_("Limits of the y axis"), kMostText);
  list.text(s.x_ticks, "x_ticks", N_("x ticks"), N_("Ticks of the x axis, such as \"0 10 20\""),
            kMostText);
  list.text(s.y_ticks, "y_ticks", N_("y ticks"), N_("Ticks of the y axis"), kMostText);
  list.choice(s.x_scale, "x_scale", N_("x scale"), N_("Scale of the x axis"), scales);
  list.choice(s.y_scale, "y_scale", N_("y scale"), N_("Scale of the y axis"), scales);
  list.text(s.vmin, "vmin", N_("Colours from"), N_("Value at the lower end of the colour map"),
            kMostText);
  list.text(s.vmax, "vmax", N_("Colours to"), N_("Value at the upper end of the colour map"),
            kMostText);
  list.choice(s.color_scale, "color_scale", N_("Colour scale"),
              N_("Scale of the colour map; a logarithmic one without a lower end has four decades"),
              scales);
}

void describe_content(Style& s, param::List& list) {
  list.group(kContent);
  list.text(s.title, "title", N_("Title"), N_("Title of the figure, instead of its own"),
            kMostText);
  list.text(s.caption, "caption", N_("Caption"), N_("Caption of the figure, instead of its own"),
            kMostCaption);
  list.text(s.x_label, "x_label", N_("x label"), N_("Label of the x axis, with its unit"),
            kMostText);
  list.text(s.y_label, "y_label", N_("y label"), N_("Label of the y axis, with its unit"),
            kMostText);
  describe_axes(s, list);
  list.text(s.only, "only", N_("Only"),
            N_("Only these plots or lines, by name or number, with commas between them"),
            kMostText);
}

void check_size(const param::Parameter& parameter) {
  const auto size = param::number(parameter);
  const bool line = parameter.info.id == "line_width";
  const double least = line ? kLeastLine : kLeastSize, most = line ? kMostLine : kMostSize;
  if (parameter.info.unit != "pt" || !size || *size == 0 || (*size >= least && *size <= most)) {
    return;
  }
  words::refuse<InputError>(N_("{}: expected 0 or {} to {} points, got {}"), parameter.info.id,
                            least, most, *size);
}

void check_limits(std::string_view id, const std::string& text) {
  if (text.empty()) return;
  const std::vector<double> ends = numbers(id, text);
  if (ends.size() == 2 && ends[0] < ends[1]) return;
  words::refuse<InputError>(N_("{}: expected two numbers, the smaller one first, such as \"0 20\", "
                               "got {}"),
                            id, param::shown(text));
}

void check_number(std::string_view id, const std::string& text) {
  const auto number = param::whole<double>(param::trimmed(text));
  if (text.empty() || (number && std::isfinite(*number))) return;
  words::refuse<InputError>(N_("{}: expected a number, got {}"), id, param::shown(text));
}

void check_colors(const Style& s) {
  check_number("vmin", s.vmin);
  check_number("vmax", s.vmax);
  const double lo = s.vmin.empty() ? -HUGE_VAL : numbers("vmin", s.vmin)[0];
  const double hi = s.vmax.empty() ? HUGE_VAL : numbers("vmax", s.vmax)[0];
  if (!(lo < hi)) {
    words::refuse<InputError>(N_("vmin: expected a number below vmax, {}, got {}"), hi, lo);
  }
  if (s.color_scale != ColorChoice::log) return;
  for (const auto& [id, text] : {std::pair{"vmin", s.vmin}, std::pair{"vmax", s.vmax}}) {
    if (text.empty() || numbers(id, text)[0] > 0) continue;
    words::refuse<InputError>(
        N_("{}: expected a number above 0, as the colour scale is logarithmic, got {}"), id,
        param::shown(text));
  }
}

struct TextPiece {
  std::string text = {};
  bool formula = false;
};

// The parts of an author's text between "$": every second one is a formula. "\$" is a dollar sign.
std::vector<TextPiece> pieces_of(const std::string& text) {
  std::vector<TextPiece> pieces(1);
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool escaped = text.compare(k, 2, "\\$") == 0;
    if (text[k] == '$') {
      pieces.push_back({.formula = !pieces.back().formula});
    } else if (!escaped) {
      pieces.back().text += text[k];
    } else {
      pieces.back().text += pieces.back().formula ? "\\$" : "$";
      ++k;
    }
  }
  return pieces;
}

void check_formulas(std::string_view id, const std::string& text) {
  const std::vector<TextPiece> pieces = pieces_of(text);
  if (pieces.size() % 2 == 0) {
    words::refuse<InputError>(
        N_("{}: expected a second $ at the end of the formula, or \\$ for a sign, got {}"), id,
        param::shown(text));
  }
  for (const TextPiece& piece : pieces) {
    if (!piece.formula) continue;
    if (piece.text.find("\\frac") != std::string::npos) {
      words::refuse<InputError>(
          N_("{}: expected a formula of one line, a/b instead of a fraction, got {}"), id,
          param::shown(piece.text));
    }
    try {
      figure::check_formula(piece.text);
    } catch (const InputError& error) {
      words::refuse<InputError>(N_("{}: {}"), id, core::message_of(error));
    }
  }
}

}  // namespace

param::List describe(Style& style) {
  param::List list;
  describe_look(style, list);
  describe_content(style, list);
  return list;
}

param::Values given(const Style& style) {
  Style now = style, plain;
  return param::difference(param::values([&] { return describe(now); }),
                           param::values([&] { return describe(plain); }));
}

param::Values look_of(const param::Values& values, bool content) {
  Style plain;
  param::List list = describe(plain);
  param::Values kept;
  for (const auto& value : values) {
    const param::Parameter* one = list.find(value.first);
    if (content || !one || one->group == kLook) kept.push_back(value);
  }
  return kept;
}

void set(Style& style, const param::Values& values) {
  param::assign([&] { return describe(style); }, values);
}

std::vector<double> numbers(std::string_view id, const std::string& text) {
  std::vector<double> found;
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), ',', ' ');
  std::string_view rest = spaced;
  while (!param::trimmed(rest).empty()) {
    rest = param::trimmed(rest);
    const std::string_view word = param::taken_to(' ', rest);
    const auto number = param::whole<double>(word);
    if (!number || !std::isfinite(*number) || found.size() == kMostTicks) {
      words::refuse<InputError>(N_("{}: expected at most {} numbers such as \"0 10 20\", got {}"),
                                id, kMostTicks, param::shown(text));
    }
    found.push_back(*number);
  }
  return found;
}

bool has_formulas(const Style& style) {
  return std::ranges::any_of(
      std::array{&style.title, &style.caption, &style.x_label, &style.y_label},
      [](const std::string* text) { return pieces_of(*text).size() > 1; });
}

std::string typeset(const std::string& text) {
  std::string made;
  for (TextPiece& piece : pieces_of(text)) {
    if (piece.formula) std::ranges::replace(piece.text, ' ', '\t');  // a line is not broken there
    if (piece.formula) made += figure::kFormulaSign;
    made += piece.text;
    if (piece.formula) made += figure::kFormulaSign;
  }
  return made;
}

void check(Style& style) {
  const param::List list = describe(style);
  for (const param::Parameter& parameter : list.items()) check_size(parameter);
  check_limits("x_limits", style.x_limits);
  check_limits("y_limits", style.y_limits);
  numbers("x_ticks", style.x_ticks);
  numbers("y_ticks", style.y_ticks);
  check_colors(style);
  check_formulas("title", style.title);
  check_formulas("caption", style.caption);
  check_formulas("x_label", style.x_label);
  check_formulas("y_label", style.y_label);
  style.font_family = found_family(style.font_family);
}

}  // namespace paper
