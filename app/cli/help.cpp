#include "app/cli/help.h"

#include <fmt/format.h>

#include "core/text/utf8.h"

namespace cli {
namespace {

constexpr std::size_t kColumn = 30;  // where descriptions begin

// So many columns of a terminal: two for each character of East Asian scripts.
std::size_t columns(std::string_view text) {
  constexpr char32_t kWide = 0x1100;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    count += core::next_code_point(text, at) >= kWide ? 2 : 1;
  }
  return count;
}

std::string row(const std::string& name, const std::string& description) {
  const std::size_t width = columns(name) + 2;
  const std::string gap =
      width < kColumn ? std::string(kColumn - width, ' ') : "\n" + std::string(kColumn, ' ');
  return fmt::format("  {}{}{}\n", name, gap, description);
}

}  // namespace

std::string Help::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const {
  return app->get_description() + "\n" + usage(*app, name) + options(*app, true) +
         options(*app, false) + commands(*app) + "\n";
}

std::string Help::usage(const CLI::App& app, const std::string& name) const {
  std::string text = name + " [" + w_("OPTIONS") + "]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string id = option->get_name(true);
    text += " " + (option->get_required() ? id : "[" + id + "]");
  }
  if (!app.get_subcommands({}).empty()) text += " [" + w_("SUBCOMMAND") + "]";
  return w_.format(N_("Usage: {}"), text) + "\n";
}

std::string Help::takes(const CLI::Option& option) const {
  if (option.get_type_name().empty()) return "";  // a flag
  std::string text = " " + w_("TEXT");
  if (option.get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  if (option.get_required()) text += " " + w_("REQUIRED");
  return text;
}

std::string Help::options(const CLI::App& app, bool positional) const {
  std::string rows;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional) continue;
    rows +=
        row(option->get_name(positional, !positional) + takes(*option), option->get_description());
  }
  if (rows.empty()) return "";
  return "\n" + (positional ? w_("Positionals:") : w_("Options:")) + "\n" + rows;
}

std::string Help::commands(const CLI::App& app) const {
  std::string rows;
  for (const CLI::App* command : app.get_subcommands({})) {
    rows += row(command->get_name(), command->get_description());
  }
  return rows.empty() ? "" : "\n" + w_("Subcommands:") + "\n" + rows;
}

}  // namespace cli
