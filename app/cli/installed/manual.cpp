#include "app/cli/installed/manual.h"

#include <fmt/format.h>

namespace cli {
namespace {

// As groff takes it: what begins a line or an escape is made plain.
std::string plain(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\n') {
      out += "\n.br\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string title(const std::string& text) { return fmt::format(".SH \"{}\"\n", plain(text)); }

// "-o, --out TEXT" and what it does.
std::string option_entry(const CLI::Option& option, const words::Words& w) {
  const bool positional = option.get_positional();
  std::string name = option.get_name(positional, !positional);
  std::string head;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t comma = std::min(name.find(',', at), name.size());
    if (!head.empty()) head += ", ";
    const std::string one = name.substr(at, comma - at);
    head += positional ? italic(one) : bold(one);
    at = comma + 1;
  }
  if (!positional && !option.get_type_name().empty()) head += " " + italic(w("TEXT"));
  return fmt::format(".TP\n{}\n{}\n", head, plain(option.get_description()));
}

// "attnscope export [OPTIONS] lab"
std::string synopsis(const CLI::App& app, const std::string& command, const words::Words& w) {
  std::string line = bold(command) + " [" + italic(w("OPTIONS")) + "]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string id = italic(option->get_name(true));
    line += option->get_required() ? " " + id : " [" + id + "]";
  }
  return line + "\n";
}

std::string options(const CLI::App& app, const words::Words& w) {
  std::string out;
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() == positional) out += option_entry(*option, w);
    }
  }
  return out;
}

std::string entry(std::string_view head, const std::string& text) {
  return fmt::format(".TP\n{}\n{}\n", bold(head), plain(text));
}

}  // namespace

std::string manual(const CLI::App& app, const words::Words& w, const std::string& version) {
  const std::string& name = app.get_name();
  std::string out = fmt::format(".TH ATTNSCOPE 1 \"\" \"{} {}\"\n", name, version);
  out += title(w(N_("NAME"))) + plain(w(N_("attnscope - an oscilloscope for attention"))) + "\n";
  out += title(w(N_("SYNOPSIS"))) + synopsis(app, name, w);
  for (const CLI::App* command : app.get_subcommands({})) {
    out += ".br\n" + synopsis(*command, name + " " + command->get_name(), w);
  }
  out += title(w(N_("DESCRIPTION"))) +
         plain(w(N_("Turn a knob, and a mechanism of the Transformer answers on screen in the same "
                    "frame. Without a command the window opens, with the file if one is given. "
                    "The commands make what the window makes, with no display."))) +
         "\n";
  out += title(w(N_("OPTIONS"))) + options(app, w);
  out += title(w(N_("COMMANDS")));
  for (const CLI::App* command : app.get_subcommands({})) {
    out += fmt::format(".SS \"{} {}\"\n{}\n{}", plain(name), plain(command->get_name()),
                       plain(command->get_description()), options(*command, w));
  }
  out += title(w(N_("EXIT STATUS"))) + entry("0", w(N_("Done."))) +
         entry("1", w(N_("It could not be done: a file could not be read or written, a display is "
                         "missing."))) +
         entry("2", w(N_("The words were wrong; what was expected and what came is said.")));
  out += title(w(N_("ENVIRONMENT"))) +
         entry("LANG, LC_ALL, LC_MESSAGES", w(N_("The language, where --lang says none."))) +
         entry("XDG_CONFIG_HOME, XDG_DATA_HOME",
               w(N_("Where settings and kept work lie; ~/.config and ~/.local/share."))) +
         entry("ATTNSCOPE_ADDRESS",
               w(N_("The address of attnscope in a browser, which links begin with."))) +
         entry("ATTNSCOPE_ISA", w(N_("baseline, v3 or v4: the widest instruction set to use."))) +
         entry("ATTNSCOPE_DRAW",
               w(N_("driver or processor: what draws the window, OpenGL or the program itself.")));
  return out;
}

}  // namespace cli
