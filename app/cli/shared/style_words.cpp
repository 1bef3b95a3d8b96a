#include "app/cli/shared/style_words.h"

#include <algorithm>

#include "app/cli/shared/options.h"
#include "app/cli/shared/output.h"
#include "app/cli/shared/refusals.h"
#include "app/system/atomic_file.h"
#include "app/words/sentence.h"
#include "core/text/printable.h"

namespace cli {
namespace {

std::string option_of(std::string_view id) {
  std::string option = "--" + std::string(id);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

// "8pt" is 8, as --font has it.
std::string without_unit(const param::Parameter& parameter, std::string text) {
  if (parameter.info.unit == "pt" && text.ends_with("pt")) {
    text.resize(text.size() - 2);
    while (text.ends_with(' ')) text.pop_back();
  }
  return text;
}

std::string choices_of(const param::Choice& choice) {
  std::string all;
  for (const param::Option& one : choice.options) {
    all += (all.empty() ? "" : ", ") + std::string(one.id);
  }
  return all;
}

}  // namespace

void StyleWords::add_to(CLI::App& command, const words::Words& w) {
  command
      .add_option("--style", style,
                  w("A style, by its name or its file: the paper, its type and its look; other "
                    "options come on top"))
      ->check(not_empty(N_("the name of a style, or its file"), w));
  paper::Style plain;
  const param::List list = paper::describe(plain);
  for (const param::Parameter& one : list.items()) {
    const std::string id(one.info.id), help = w(one.info.help);
    if (std::holds_alternative<param::Flag>(one.kind)) {
      command.add_flag(option_of(id), flags[id], help);
      continue;
    }
    const auto* choice = std::get_if<param::Choice>(&one.kind);
    command
        .add_option(option_of(id), given[id],
                    choice ? w.format("{}: {}", help, choices_of(*choice)) : help)
        ->check(not_empty(N_("a value"), w));
  }
  command.add_flag("--no-legend", no_legend, w("Without the names of lines: --legend none"));
  command
      .add_option("--save-style", save_style,
                  w("Keep the paper, its type and its look as a style, by a name, or in a file "
                    "that ends in .json"))
      ->check(not_empty(N_("the name of a style, or a file"), w));
}

std::string StyleWords::first_given() const {
  if (!style.empty()) return "--style";
  for (const auto& [id, text] : given) {
    if (!text.empty()) return option_of(id);
  }
  for (const auto& [id, is_set] : flags) {
    if (is_set) return option_of(id);
  }
  if (no_legend) return "--no-legend";
  return save_style.empty() ? "" : "--save-style";
}

void StyleWords::begin(paper::PaperOptions& options) const {
  if (!style.empty()) paper::apply(paper::find_style(style), options);
}

void StyleWords::apply(paper::PaperOptions& options) const {
  param::Values values;
  const param::List list = paper::describe(options.style);
  for (const param::Parameter& one : list.items()) {
    const std::string id(one.info.id);
    const auto text = given.find(id);
    if (text != given.end() && !text->second.empty()) {
      values.emplace_back(id, without_unit(one, text->second));
    }
    const auto flag = flags.find(id);
    if (flag != flags.end() && flag->second) values.emplace_back(id, "true");
  }
  if (no_legend) {
    const auto legend = given.find("legend");
    if (legend != given.end()) refuse_with("--no-legend", {{!legend->second.empty(), "--legend"}});
    values.emplace_back("legend", "none");
  }
  paper::set(options.style, values);
  paper::check(options.style);
}

void StyleWords::save(const paper::PaperOptions& options, const words::Words& w) const {
  if (save_style.empty()) return;
  const auto file = paper::save_style(save_style, paper::named_style_of(options));
  report(w.format(N_("kept the style in {}"), sys::shown_path(file)));
}

}  // namespace cli
