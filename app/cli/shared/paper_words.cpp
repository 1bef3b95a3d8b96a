#include "app/cli/shared/paper_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/cli/shared/options.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/refusals.h"
#include "app/words/sentence.h"

namespace cli {
namespace {

using core::InputError;

constexpr double kPointsAnInch = 72, kMillimetresAnInch = 25.4;
constexpr double kScreenDots = 96, kPrintDots = 300;

// The number that a text begins with; `rest` is what follows it.
std::optional<double> leading_number(std::string_view text, std::string_view& rest) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return value;
}

// Points a unit of length; 0 for what is none.
double points_of(std::string_view unit, double dots) {
  if (unit == "mm") return kPointsAnInch / kMillimetresAnInch;
  if (unit == "cm") return 10 * kPointsAnInch / kMillimetresAnInch;
  if (unit == "in") return kPointsAnInch;
  if (unit == "pt") return 1;
  if (unit == "px") return kPointsAnInch / dots;
  return 0;
}

double millimetres(double points) {
  return std::round(points * kMillimetresAnInch / kPointsAnInch);
}

double parse_font(const std::string& text) {
  std::string_view unit;
  const auto size = leading_number(text, unit);
  if (size && (unit.empty() || unit == "pt") && *size >= paper::kLeastFont &&
      *size <= paper::kMostFont) {
    return *size;
  }
  words::refuse<InputError>(N_("--font: expected a size from {} to {} points such as 8pt, got {}"),
                            paper::kLeastFont, paper::kMostFont, in_quotes(text));
}

double parse_dpi(const std::string& text) {
  std::string_view rest;
  const auto dots = leading_number(text, rest);
  if (dots && rest.empty() && *dots >= paper::kLeastDpi && *dots <= paper::kMostDpi) return *dots;
  words::refuse<InputError>(N_("--dpi: expected a number from {} to {} such as 300, got {}"),
                            paper::kLeastDpi, paper::kMostDpi, in_quotes(text));
}

}  // namespace

double parse_length(std::string_view option, const std::string& text, double dots) {
  std::string_view unit;
  const auto number = leading_number(text, unit);
  const double points = number ? *number * points_of(unit, dots) : 0;
  if (points >= paper::kLeastPaper && points <= paper::kMostPaper) return points;
  words::refuse<InputError>(
      N_("{}: expected a length from {} to {} mm such as 85mm, 8.5cm, 3.35in, 241pt or 1200px, got "
         "{}"),
      option, millimetres(paper::kLeastPaper), millimetres(paper::kMostPaper), in_quotes(text));
}

void PaperWords::add_to(CLI::App& command, const words::Words& w) {
  command
      .add_option("--width", width,
                  w("Width of the paper in mm, cm, in, pt or px: the figures are laid out for it, "
                    "and type keeps the size of --font"))
      ->check(not_empty(N_("a length such as 85mm"), w));
  command
      .add_option("--height", height, w("Height of the paper; by default as high as the figures"))
      ->check(not_empty(N_("a length such as 60mm"), w));
  command
      .add_option("--font", font,
                  w.format("Size of labels in points, from {} to {}; 8 with --width, else 9",
                           paper::kLeastFont, paper::kMostFont))
      ->check(not_empty(N_("a size such as 8pt"), w));
  command
      .add_option("--dpi", dpi,
                  w("Dots per inch of a .png (300 with --width, 96 if that is in px), and the "
                    "least for heatmaps in a .pdf or .svg (300)"))
      ->check(not_empty(N_("a number"), w));
  command.add_flag("--no-title", no_title, w("Without the figures' titles"));
  command.add_flag("--no-caption", no_caption, w("Without the captions"));
  command.add_flag("--no-parameters", no_parameters, w("Without the line of parameters"));
  command.add_flag("--transparent", transparent, w("Leave the background transparent"));
  command.add_flag("--crop", crop, w("Crop the paper to the drawing"));
  command.add_flag(
      "--outlines", outlines,
      w("Write the text of a .svg as shapes: it looks the same everywhere but cannot be edited"));
}

void NumberWords::add_to(CLI::App& command, const words::Words& w) {
  command.add_flag(
      "--comments", comments,
      w("Begin a .csv with its title, captions and parameters, in lines that start with #"));
  command.add_flag("--bom", bom,
                   w("Begin a .csv with the UTF-8 byte order mark, which Excel needs for Chinese"));
  command.add_flag("--with-json", json,
                   w("Beside a .csv, .npy or .npz, also write a .json: with captions, axes, "
                     "readouts and the session, whose values are the parameters"));
}

void PaperWords::apply(paper::PaperOptions& options, bool sized) const {
  const bool measured = !width.empty() || !height.empty() || !dpi.empty();
  if (sized && measured) {
    words::refuse<InputError>(
        N_("expected either --width, --height and --dpi (for paper) or --size and --scale (for "
           "pixels), got both"));
  }
  // A style has a paper, too.
  if (sized) options.paper_width = options.paper_height = options.dpi = 0;
  if (width.empty() && options.paper_width <= 0) {
    refuse_without("--width", {{!height.empty(), "--height"}});
  }
  if (!dpi.empty()) options.dpi = parse_dpi(dpi);
  const bool pixels = width.ends_with("px");
  const double dots = options.dpi > 0 ? options.dpi : kScreenDots;
  if (!width.empty()) {
    options.paper_width = parse_length("--width", width, dots);
    options.paper_height = 0;
  }
  if (!height.empty()) options.paper_height = parse_length("--height", height, dots);
  if (options.paper_width > 0 && options.dpi <= 0 && !pixels) options.dpi = kPrintDots;
  if (!font.empty()) options.font = parse_font(font);
  options.heading = options.heading && !no_title;
  options.caption = options.caption && !no_caption;
  options.parameter_line = options.parameter_line && !no_parameters;
  options.transparent = options.transparent || transparent;
  options.crop = options.crop || crop;
  options.outlines = outlines;
}

void report_left_out(const paper::PaperOptions& options) {
  constexpr std::size_t kNamed = 12;
  std::vector<std::string> names;
  for (const std::string& text : *options.left_out) {
    const std::string name = in_quotes(text);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return;
  if (names.size() > kNamed) names.resize(kNamed), names.push_back("…");
  const words::Words w(options.language);
  report(
      w.format(N_("the paper has no room for {}: they are left out"), words::listed(names).in(w)));
}

}  // namespace cli
