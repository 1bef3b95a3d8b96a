#include "app/cli/options.h"

#include <fmt/format.h>

#include <charconv>

#include "app/page/session_carrier.h"

namespace cli {
namespace {

using core::InputError;

// "id=value" as its two parts.
std::pair<std::string, std::string> parse_assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("--set: expected id=value, got \"{}\"", text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Pick {
  std::string figure;
  long row, col;
};

Pick parse_pick(const std::string& text) {
  const std::size_t colon = text.rfind(':'), comma = text.rfind(',');
  if (colon != std::string::npos && comma != std::string::npos && colon < comma) {
    const auto row = whole_number(std::string_view(text).substr(colon + 1, comma - colon - 1));
    const auto col = whole_number(std::string_view(text).substr(comma + 1));
    if (row && col) return {text.substr(0, colon), *row, *col};
  }
  throw InputError(
      fmt::format("--pick: expected FIGURE:ROW,COL such as weights:12,10, got \"{}\"", text));
}

// The heatmap that a pick means: of the plot of this id, or the first of the figure of this id.
const figure::Heatmap* pickable(const lab::Page& page, const std::string& id,
                                std::string& pickable_ids) {
  const figure::Heatmap* found = nullptr;
  for (const figure::Figure& figure : page.figures) {
    for (const figure::Plot& plot : figure.plots) {
      for (const figure::Mark& mark : plot.marks) {
        const auto* heatmap = std::get_if<figure::Heatmap>(&mark);
        if (!heatmap || (heatmap->row_param.empty() && heatmap->col_param.empty())) continue;
        pickable_ids += (pickable_ids.empty() ? "" : ", ") + plot.id;
        if (!found && (plot.id == id || figure.id == id)) found = heatmap;
      }
    }
  }
  return found;
}

}  // namespace

void ViewWords::add_to(CLI::App& command) {
  command.add_option("--set", set, "id=value: sets a parameter (see: attnscope labs)")
      ->allow_extra_args(false);
  command.add_option("--preset", preset, "Start from one of the lab's presets");
  command.add_option("--session", session, "Start from a session or an exported figure");
  command.add_option("--pick", pick, "FIGURE:ROW,COL: pick a cell, as a click would");
}

void LookWords::add_to(CLI::App& command, const std::string& default_theme) {
  theme = default_theme;
  command.add_option("--size", size, "WIDTHxHEIGHT in pixels at scale 1");
  command.add_option("--scale", scale, "Pixels a unit, from 0.25 to 8");
  command.add_option("--theme", theme, "light or dark");
  command.add_option("--lang", language, "en or zh_CN");
}

float LookWords::checked_scale() const {
  if (scale != 0 && !(scale >= 0.25 && scale <= 8)) {
    throw InputError(fmt::format("--scale: expected a number from 0.25 to 8, got {}", scale));
  }
  return static_cast<float>(scale);
}

Size parse_size(const std::string& text) {
  const std::size_t x = text.find('x');
  if (x != std::string::npos) {
    const auto width = whole_number(std::string_view(text).substr(0, x));
    const auto height = whole_number(std::string_view(text).substr(x + 1));
    const auto fits = [](const std::optional<long>& side) {
      return side && *side >= 64 && *side <= 16384;
    };
    if (fits(width) && fits(height)) {
      return {static_cast<int>(*width), static_cast<int>(*height)};
    }
  }
  throw InputError(fmt::format(
      "--size: expected WIDTHxHEIGHT, each from 64 to 16384 such as 1600x1000, got \"{}\"", text));
}

lab::Page View::compute(words::Language language) {
  const words::Words in_language(language);
  return state->compute({.cancel = {}, .words = in_language, .memo = memo});
}

lab::Session View::session() const {
  return {std::string(lab->id), param::values(state->describe()), views};
}

View make_view(const ViewWords& words) {
  View view;
  view.lab = &lab::find(words.lab);
  view.state = view.lab->make();
  const auto describe = view.state->describe();
  if (!words.session.empty()) {
    lab::Session session = lab::from_json(page::read_session(words.session));
    if (session.lab != words.lab) {
      throw InputError(fmt::format("--session: expected a session of the lab {}, got one of {}",
                                   words.lab, session.lab));
    }
    param::assign(describe, session.values);
    view.views = std::move(session.views);
  }
  if (!words.preset.empty()) {
    const lab::Preset* chosen = nullptr;
    std::string ids;
    for (const lab::Preset& preset : view.lab->presets) {
      ids += (ids.empty() ? "" : ", ") + std::string(preset.id);
      if (preset.id == words.preset) chosen = &preset;
    }
    if (!chosen) {
      throw InputError(fmt::format("--preset: expected one of {}, got \"{}\"", ids, words.preset));
    }
    param::assign(describe, chosen->values);
  }
  param::Values wanted;
  for (const std::string& assignment : words.set) wanted.push_back(parse_assignment(assignment));
  param::assign(describe, wanted);
  if (!words.pick.empty()) apply_pick(view, words.pick);
  return view;
}

void apply_pick(View& view, const std::string& text) {
  const Pick pick = parse_pick(text);
  const lab::Page page = view.compute(words::Language::en);
  std::string ids;
  const figure::Heatmap* heatmap = pickable(page, pick.figure, ids);
  if (!heatmap) {
    throw InputError(fmt::format("--pick: expected a figure of {}, got \"{}\"", ids, pick.figure));
  }
  const long rows = heatmap->source->rows(), cols = heatmap->source->cols();
  if (pick.row < 0 || pick.row >= rows || pick.col < 0 || pick.col >= cols) {
    throw InputError(
        fmt::format("--pick: expected a row from 0 to {} and a column from 0 to {}, got {},{}",
                    rows - 1, cols - 1, pick.row, pick.col));
  }
  param::Values values;
  if (!heatmap->row_param.empty()) {
    values.emplace_back(heatmap->row_param, std::to_string(pick.row));
  }
  if (!heatmap->col_param.empty()) {
    values.emplace_back(heatmap->col_param, std::to_string(pick.col));
  }
  param::assign(view.state->describe(), values);
}

}  // namespace cli
