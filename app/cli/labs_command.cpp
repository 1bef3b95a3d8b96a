#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/refusals.h"
#include "app/labs/shared/text/picture.h"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

std::string_view scale_name(param::Scale scale) {
  return scale == param::Scale::log ? "log" : "linear";
}

// A number as an integer where the parameter is one.
Json number_json(const param::Parameter& parameter, double value) {
  if (std::holds_alternative<param::Integer>(parameter.kind))
    return static_cast<std::int64_t>(value);
  return value;
}

Json catalogue_json(const param::Catalogue& catalogue) {
  Json j;
  for (const param::Option& operation : catalogue.operations) {
    j["operations"].push_back(operation.id);
  }
  for (const param::Entry& entry : catalogue.entries) {
    Json arguments = Json::array();
    for (const param::Argument& a : entry.arguments) {
      const auto number = [&a](int value) {
        return a.parts == 1 ? Json(value) : Json(a.number(value));
      };
      arguments.push_back({{"id", a.id},
                           {"min", number(a.min)},
                           {"max", number(a.max)},
                           {"step", number(1)},
                           {"scale", scale_name(a.scale)},
                           {"default", number(a.initial)},
                           {"help", a.help}});
    }
    j["entries"].push_back({{"id", entry.id}, {"help", entry.help}, {"arguments", arguments}});
  }
  return j;
}

Json parameter_json(const param::Parameter& parameter) {
  const param::Info& info = parameter.info;
  Json j;
  j["id"] = info.id;
  j["type"] = param::kind_name(parameter);
  j["label"] = info.label;
  j["group"] = parameter.group;
  if (param::number(parameter)) {
    j["min"] = number_json(parameter, info.min);
    j["max"] = number_json(parameter, info.max);
    const bool whole = std::holds_alternative<param::Integer>(parameter.kind);
    j["step"] = number_json(parameter, whole ? std::max(1.0, info.step) : info.step);
    j["scale"] = scale_name(info.scale);
    if (info.slides_to) j["slides_to"] = *info.slides_to;
  }
  if (info.plays > 0) j["plays"] = info.plays;
  j["essential"] = info.essential;
  if (const auto* file = std::get_if<param::File>(&parameter.kind)) j["endings"] = file->endings;
  if (const auto* name = std::get_if<param::Name>(&parameter.kind)) {
    j["otherwise"] = name->otherwise;
    for (std::size_t k = 0; name->names && k < name->names->size(); ++k) {
      j["names"].push_back((*name->names)[k].id);
    }
  }
  if (const auto* points = std::get_if<param::Points>(&parameter.kind)) {
    j["most"] = points->most;
    j["x"] = {points->x_min, points->x_max};
    j["y"] = {points->y_min, points->y_max};
  }
  j["default"] = param::to_json(parameter);
  if (const auto* choice = std::get_if<param::Choice>(&parameter.kind)) {
    for (const param::Option& option : choice->options) j["choices"].push_back(option.id);
  }
  if (const auto* stack = std::get_if<param::Stack>(&parameter.kind)) {
    j["items"] = stack->most;
    j["catalogue"] = catalogue_json(*stack->catalogue);
  }
  if (const auto* painted = std::get_if<param::Painted>(&parameter.kind)) {
    j["rows"] = painted->rows;
    j["columns"] = painted->columns;
  }
  j["unit"] = info.unit;
  j["help"] = info.help;
  return j;
}

Json figures_json(const lab::Page& page) {
  Json figures = Json::array();
  for (const figure::Figure& figure : page.figures) {
    Json plots = Json::array();
    for (const figure::Plot& plot : figure.plots) {
      plots.push_back({{"id", plot.id}, {"title", plot.title}});
    }
    figures.push_back({{"id", figure.id}, {"title", figure.title}, {"plots", plots}});
  }
  return figures;
}

std::span<const lab::Lab> labs_of(const LabsWords& words) {
  return words.id ? std::span(&lab::find(*words.id), 1) : std::span(lab::all());
}

Json lab_json(const lab::Lab& lab) {
  Json j;
  j["id"] = lab.id;
  j["title"] = lab.title;
  j["question"] = lab.question;
  j["chapter"] = lab::chapter_title(lab.chapter);
  const auto state = lab.make();
  j["parameters"] = Json::array();
  const param::List list = state->list();
  for (const param::Parameter& p : list.items()) j["parameters"].push_back(parameter_json(p));
  j["presets"] = Json::array();
  for (const lab::Preset& preset : lab.presets) {
    Json values = Json::object();
    for (const auto& [id, value] : preset.values) values[id] = value;
    j["presets"].push_back(
        {{"id", preset.id}, {"title", preset.title}, {"teaches", preset.teaches}, {"set", values}});
  }
  const lab::Picture& picture = lab::picture_of(lab.id);
  j["picture"] = {{"preset", picture.preset}, {"figure", picture.figure}};
  lab::Memo memo;
  const words::Words english;
  const lab::Page page = state->compute({.cancel = {}, .words = english, .memo = memo});
  j["figures"] = figures_json(page);
  return j;
}

// The names alone, which cost no page: of labs.
Json named_labs() {
  Json all = Json::array();
  for (const lab::Lab& lab : lab::all()) {
    all.push_back({{"id", lab.id}, {"title", lab.title}, {"question", lab.question}});
  }
  return all;
}

// The figures and plots of a lab's page with these knobs.
lab::Page named_page(const LabsWords& words, Kept* kept) {
  ViewWords wanted = words.view;
  wanted.lab = *words.id;
  return make_view(wanted, words::Language::en, kept).compute(words::Language::en);
}

std::string names_text(const lab::Page& page) {
  std::string text;
  const auto to = std::back_inserter(text);
  for (const figure::Figure& figure : page.figures) {
    fmt::format_to(to, "{}: {}\n", figure.id, figure.title);
    for (const figure::Plot& plot : figure.plots) {
      if (plot.id != figure.id) fmt::format_to(to, "  {}: {}\n", plot.id, plot.title);
    }
  }
  return text;
}

void refuse_unused(const LabsWords& words) {
  const ViewWords& view = words.view;
  if (words.names && words.id) return;
  refuse_without(words.names ? "LAB" : "--names", {{!view.set.empty(), "--set"},
                                                   {!view.preset.empty(), "--preset"},
                                                   {!view.session.empty(), "--session"},
                                                   {!view.pick.empty(), "--pick"}});
}

Json labs_json(const LabsWords& words, Kept* kept) {
  refuse_unused(words);
  if (words.names && words.id) return {{"figures", figures_json(named_page(words, kept))}};
  if (words.names) return {{"labs", named_labs()}};
  Json listed;
  listed["labs"] = Json::array();
  for (const lab::Lab& lab : labs_of(words)) listed["labs"].push_back(lab_json(lab));
  return listed;
}

std::string lab_text(const lab::Lab& lab) {
  std::string text = fmt::format("{}: {}\n  {}\n", lab.id, lab.title, lab.question);
  const auto to = std::back_inserter(text);
  const auto state = lab.make();
  const param::List list = state->list();
  for (const param::Parameter& p : list.items()) {
    fmt::format_to(to, "    {:<14} {} (default {})\n", p.info.id, param::expected(p),
                   param::serialize(p));
  }
  for (const lab::Preset& preset : lab.presets) {
    fmt::format_to(to, "    --preset {}: {}\n", preset.id, preset.title);
  }
  return text;
}

}  // namespace

CLI::App* LabsWords::add_to(CLI::App& program, const words::Words& w) {
  CLI::App* command =
      program.add_subcommand("labs", w("List every lab, or one, with its parameters"));
  command->add_option("lab", id, w("The lab's id; without it, every lab"));
  command->add_flag("--json", json, w("As JSON"));
  command->add_flag("--names", names,
                    w("Their ids alone; of one lab those of its figures and plots"));
  view.add_to(*command, w);
  return command;
}

std::string listed_labs(const LabsWords& words, Kept& kept) {
  return labs_json(words, &kept).dump();
}

void list_labs(const LabsWords& words) {
  if (words.json) return print_out(labs_json(words, nullptr).dump(2) + "\n");
  refuse_unused(words);
  if (words.names && words.id) return print_out(names_text(named_page(words, nullptr)));
  std::string text;
  for (const lab::Lab& lab : labs_of(words)) {
    text += words.names ? fmt::format("{}: {}\n", lab.id, lab.title) : lab_text(lab);
  }
  print_out(text);
}

}  // namespace cli
