#include "app/cli/shared/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "app/cli/shared/effect.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/training_report.h"
#include "app/figure/picking.h"
#include "app/paper/export_figure.h"
#include "app/paper/style/colors.h"
#include "app/param/reading.h"
#include "app/session/pick.h"

namespace cli {
namespace {

using core::InputError;

// "id=value" as its two parts.
std::pair<std::string, std::string> parse_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    words::refuse<InputError>(N_("--set: expected id=value, got {}"), in_quotes(text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  unsigned value = 0;  // of which no sign is read
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> finite_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "weights:12,10" in its parts: one or two places.
struct PickWords {
  std::string figure;
  std::vector<double> at;
};

PickWords parse_pick(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    const std::string places = text.substr(colon + 1);
    const std::size_t comma = places.find(',');
    const auto first = finite_number(places.substr(0, comma));
    if (first && comma == std::string::npos) return {text.substr(0, colon), {*first}};
    const auto second = first ? finite_number(places.substr(comma + 1)) : std::nullopt;
    if (second) return {text.substr(0, colon), {*first, *second}};
  }
  words::refuse<InputError>(
      N_("--pick: expected FIGURE:ROW,COL such as weights:12,10, or PLOT:X, PLOT:Y or PLOT:Y,X for "
         "a place in a plot, got {}"),
      in_quotes(text));
}

const figure::Heatmap* pickable_heatmap(const figure::Plot& plot) {
  for (const figure::Mark& mark : plot.marks) {
    const auto* map = std::get_if<figure::Heatmap>(&mark);
    if (map && !(map->row_param.empty() && map->col_param.empty())) return map;
  }
  return nullptr;
}

// The plot that a pick means: the one of this id, or the first of the figure of this id. Others
// than those with something to pick do not count.
const figure::Plot& pickable(const lab::Page& page, const std::string& id) {
  const figure::Plot* found = nullptr;
  std::vector<std::string> ids;
  for (const figure::Figure& figure : page.figures) {
    for (const figure::Plot& plot : figure.plots) {
      if (!pickable_heatmap(plot) && !figure::takes_places(plot)) continue;
      ids.push_back(plot.id);
      if (!found && (plot.id == id || figure.id == id)) found = &plot;
    }
  }
  if (found) return *found;
  words::refuse<InputError>(N_("--pick: expected a figure of {}, got {}"), words::listed(ids),
                            in_quotes(id));
}

figure::Pick cell_pick(const figure::Plot& plot, const figure::Heatmap& map,
                       const std::vector<double>& at) {
  const auto rows = static_cast<double>(map.source->rows());
  const auto cols = static_cast<double>(map.source->cols());
  const auto inside = [](double v, double count) {
    return v >= 0 && v < count && v == std::floor(v);
  };
  if (at.size() != 2 || !inside(at[0], rows) || !inside(at[1], cols)) {
    words::refuse<InputError>(
        N_("--pick: expected a row from 0 to {} and a column from 0 to {}, got {}"), rows - 1,
        cols - 1, fmt::format("{}", fmt::join(at, ",")));
  }
  const auto middle = [](const figure::Axis& axis, double cell, double count) {
    return axis.lo + (axis.hi - axis.lo) * (cell + 0.5) / count;
  };
  return figure::pick_in(plot, middle(plot.x, at[1], cols), middle(plot.y, at[0], rows));
}

// A place along the plot's axes, y before x as rows are before columns.
figure::Pick place_pick(const figure::Plot& plot, const std::vector<double>& at) {
  struct Wanted {
    const char* name;
    const figure::Axis* axis;
  };
  std::vector<Wanted> wanted;
  const bool y_counts = !plot.y_param.empty() || !plot.points_param.empty();
  const bool x_counts = !plot.x_param.empty() || !plot.points_param.empty();
  if (y_counts) wanted.push_back({"y", &plot.y});
  if (x_counts) wanted.push_back({"x", &plot.x});
  bool good = at.size() == wanted.size();
  words::Sentence ranges;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const figure::Axis& axis = *wanted[k].axis;
    const double lo = std::min(axis.lo, axis.hi);
    const double hi = std::max(axis.lo, axis.hi) - (axis.cells ? 1 : 0);
    const words::Sentence range(N_("{} from {} to {}"), wanted[k].name, lo, hi);
    ranges = ranges.empty() ? range : words::Sentence(N_("{}, {}"), ranges, range);
    good = good && at[k] >= lo && at[k] <= hi;
  }
  if (!good) {
    words::refuse<InputError>(N_("--pick: expected {} in {}, got {}"), ranges, plot.id,
                              fmt::format("{}", fmt::join(at, ",")));
  }
  // The axis that is not asked for sets nothing: any place on it will do.
  const double y = y_counts ? at.front() : plot.y.lo;
  const double x = x_counts ? at.back() : plot.x.lo;
  return figure::pick_in(plot, x, y);
}

}  // namespace

CLI::Validator not_empty(std::string_view expected, const words::Words& w) {
  const std::string refusal =
      words::Sentence(N_("expected {}, got nothing"), words::Sentence(expected)).in(w);
  return {[refusal](const std::string& text) { return text.empty() ? refusal : std::string(); },
          ""};
}

void ViewWords::add_to(CLI::App& command, const words::Words& w) {
  command.add_option("--set", set, w("id=value: sets a parameter (see: attnscope labs)"))
      ->allow_extra_args(false);
  command.add_option("--preset", preset, w("Start from one of the lab's presets"))
      ->check(not_empty(N_("the id of a preset"), w));
  command.add_option("--session", session, w("Start from a session, an exported figure or a link"))
      ->check(not_empty(N_("a file name or a link"), w));
  command
      .add_option("--pick", pick,
                  w("FIGURE:ROW,COL picks a cell as a click would; PLOT:X, PLOT:Y or PLOT:Y,X "
                    "picks a place in a plot where a click sets a value or adds a point"))
      ->check(not_empty(N_("a place such as weights:12,10"), w));
}

void LookWords::add_to(CLI::App& command, const std::string& default_theme, const words::Words& w) {
  theme = default_theme;
  command.add_option("--size", size, w("WIDTHxHEIGHT in pixels at scale 1"))
      ->check(not_empty(N_("WIDTHxHEIGHT"), w));
  command
      .add_option("--scale", scale,
                  w.format("Pixels per unit, from {} to {}", paper::kLeastScale, paper::kMostScale))
      ->check(not_empty(N_("a number"), w));
  command.add_option("--theme", theme, w("light or dark"))
      ->check(not_empty(N_("light or dark"), w));
  command.add_option("--lang", language, w("en or zh_CN"));
}

figure::ThemeName LookWords::theme_name() const {
  if (theme != "dark" && theme != "light") {
    words::refuse<InputError>(N_("--theme: expected dark or light, got {}"), in_quotes(theme));
  }
  return figure::parse_theme(theme);
}

words::Language LookWords::lang() const {
  if (language != "en" && language != "zh_CN") {
    words::refuse<InputError>(N_("--lang: expected en or zh_CN, got {}"), in_quotes(language));
  }
  return words::parse_language(language);
}

Wanted LookWords::wanted(float otherwise) const {
  Wanted wanted;
  if (!theme.empty()) wanted.theme = theme_name();
  if (!language.empty()) wanted.language = lang();
  wanted.scale = checked_scale(otherwise);
  if (!size.empty()) {
    const Size asked = parse_size(size);
    wanted.width = asked.width;
    wanted.height = asked.height;
    wanted.sized = true;
  }
  return wanted;
}

float LookWords::checked_scale(float otherwise) const {
  if (scale.empty()) return otherwise;
  const auto value = finite_number(scale);
  if (!value || *value < static_cast<double>(paper::kLeastScale) ||
      *value > static_cast<double>(paper::kMostScale)) {
    words::refuse<InputError>(N_("--scale: expected a number from {} to {}, got {}"),
                              paper::kLeastScale, paper::kMostScale, in_quotes(scale));
  }
  return static_cast<float>(*value);
}

Size parse_size(const std::string& text, SizeOf what) {
  constexpr std::int64_t kLeast = 96, kMost = 16384;
  const std::size_t x = text.find('x');
  if (x != std::string::npos) {
    const auto width = whole_number(std::string_view(text).substr(0, x));
    const auto height = whole_number(std::string_view(text).substr(x + 1));
    const auto fits = [&](const std::optional<std::int64_t>& side) {
      return side &&
             ((*side >= kLeast && *side <= kMost) || (*side == 0 && what == SizeOf::figures));
    };
    if (fits(width) && fits(height)) {
      return {static_cast<int>(*width), static_cast<int>(*height)};
    }
  }
  words::refuse<InputError>(
      what == SizeOf::figures
          ? N_("--size: expected WIDTHxHEIGHT, each from {} to {} such as 1600x1000, or 0 for the "
               "figures' own width or height, got {}")
          : N_("--size: expected WIDTHxHEIGHT, each from {} to {} such as 1600x1000, got {}"),
      kLeast, kMost, in_quotes(text));
}

namespace {

std::string value_of(lab::State& state, std::string_view id) {
  param::List list = state.list();
  return param::serialize(*list.find(id));
}

// Numbers beyond what was found, whether there are such. Nobody asked for a default.
bool brought_into_range(const lab::Lab& lab, lab::State& state, const words::Words& w) {
  const auto before = state.clone(), untouched = lab.make();
  const std::vector<param::Refusal> beyond = param::settle_found(state.describe());
  for (const param::Refusal& one : beyond) {
    if (value_of(*before, one.id) == value_of(*untouched, one.id)) continue;
    const words::Sentence reported(N_("{}: expected {}, got {}; it is {} now."), one.id,
                                   one.expected, one.got, param::shown(value_of(state, one.id)));
    report(reported.in(w));
  }
  return !beyond.empty();
}

}  // namespace

lab::Page View::compute(words::Language language) {
  const words::Words in_language(language);
  const TrainingReport reported(*runs, in_language);
  lab::Memo& memo = kept ? kept->memos.of(std::string(lab->id)) : own_memo;
  const auto computed = [&] {
    lab::Page page =
        state->compute({.cancel = {}, .words = in_language, .memo = memo, .runs = runs.get()});
    state->learn(page.found);
    param::require_names(state->list());
    param::require_found(state->list(), given);
    if (!page.fault.empty()) throw InputError(page.fault);
    paper::recolor(page, figures.colors, in_language);
    return page;
  };
  lab::Page page = computed();
  return brought_into_range(*lab, *state, in_language) ? computed() : page;
}

session::Session View::session() const {
  return {std::string(lab->id), param::values(state->describe()), views, {}, figures, "", holds};
}

void View::refuse_inputs(const std::filesystem::path& out, const session::Holds& compared) const {
  paper::Inputs all = inputs;
  session::Session read = session();
  read.holds.all.insert(read.holds.all.end(), compared.all.begin(), compared.all.end());
  all.add(read);
  all.refuse(out);
}

bool View::reads_given_file() const {
  if (input) return true;
  const auto read = session::files_read(*lab, param::values(state->describe()));
  return kept && std::any_of(read.begin(), read.end(),
                             [&](const std::string& path) { return kept->files.contains(path); });
}

void View::report_unknown_parts(const lab::Page& page, const words::Words& w) const {
  session::Session named = session();
  named.figure = figure;
  for (const words::Sentence& part : session::unknown_parts(named, page)) report(part.in(w));
}

namespace {

// A file that is called "-" becomes one with what comes on the standard input.
void take_input(View& view, param::Values& wanted) {
  param::List list = view.state->list();
  for (auto& [id, value] : wanted) {
    const param::Parameter* parameter = list.find(id);
    const auto* file = parameter ? std::get_if<param::File>(&parameter->kind) : nullptr;
    if (!file || value != "-") continue;
    if (view.input) {
      words::refuse<InputError>(
          N_("expected one file from the standard input, got a second one, {}"), id);
    }
    view.input = std::make_unique<GivenFile>(standard_input(), file->endings);
    value = view.input->path().string();
  }
}

}  // namespace

View make_view(const ViewWords& words, words::Language language, Kept* kept) {
  View view;
  view.kept = kept;
  if (kept) view.runs = kept->runs;
  session::Session session;
  if (!words.session.empty()) session = given_session(words.session);
  const std::string& lab = words.lab.empty() ? session.lab : words.lab;
  if (lab.empty()) {
    words::refuse<InputError>(N_("expected a lab or --session, got neither of them"));
  }
  view.lab = &lab::find(lab);
  view.state = view.lab->make();
  const auto describe = view.state->describe();
  if (!words.session.empty()) {
    if (!session::is_link(words.session)) view.inputs.add(std::filesystem::path(words.session));
    if (session.lab != lab) {
      words::refuse<InputError>(N_("--session: expected a session of the lab {}, got one of {}"),
                                lab, session.lab);
    }
    param::assign(describe, session.values);
    view.views = std::move(session.views);
    view.figures = std::move(session.figures);
    view.figure = std::move(session.figure);
    view.holds = std::move(session.holds);
    view.paper = std::move(session.paper);
    for (const session::SessionFile& file : session.files) {
      view.notes.push_back(session::file_note(file, session::kReadByCommand));
    }
  }
  if (!words.preset.empty()) {
    const lab::Preset* chosen = nullptr;
    std::vector<std::string> ids;
    for (const lab::Preset& preset : view.lab->presets) {
      ids.emplace_back(preset.id);
      if (preset.id == words.preset) chosen = &preset;
    }
    if (!chosen) {
      words::refuse<InputError>(N_("--preset: expected one of {}, got {}"), words::listed(ids),
                                in_quotes(words.preset));
    }
    param::assign(describe, chosen->values);
  }
  const bool begins = words.session.empty() && words.preset.empty();
  if (begins && words.as_window && language == words::Language::zh_CN) {
    param::assign(describe, param::read_settings(view.lab->chinese));
  }
  param::Values wanted;
  for (const std::string& assignment : words.set) {
    wanted.push_back(parse_assignment(assignment));
    const std::string& id = wanted.back().first;
    const auto same = [&](const auto& other) { return other.first == id; };
    if (std::count_if(wanted.begin(), wanted.end(), same) > 1) {
      words::refuse<InputError>(N_("--set: expected each parameter once, got {} twice"),
                                in_quotes(id));
    }
  }
  if (words.takes_input) take_input(view, wanted);
  param::assign(describe, wanted);
  for (const auto& [id, value] : wanted) view.given.push_back(id);
  if (!words.moves) require_effect({view.state.get()}, view.given);
  if (!words.pick.empty()) apply_pick(view, words.pick, language);
  return view;
}

void apply_pick(View& view, const std::string& text, words::Language language) {
  const PickWords words = parse_pick(text);
  const lab::Page page = view.compute(language);
  const figure::Plot& plot = pickable(page, words.figure);
  const figure::Heatmap* map = pickable_heatmap(plot);
  const figure::Pick pick = map ? cell_pick(plot, *map, words.at) : place_pick(plot, words.at);
  session::apply(view.state->describe(), pick);
}

}  // namespace cli
