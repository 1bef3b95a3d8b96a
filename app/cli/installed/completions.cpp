#include "app/cli/installed/completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "app/labs/labs.h"
#include "app/lesson/library.h"

namespace cli {
namespace {

using Texts = std::vector<std::string>;

// What can stand where an option wants a value. `nothing` cannot be guessed.
enum class Value { flag, nothing, file, folder, lab, preset, setting, lesson, one_of };

struct Option {
  Texts names;  // "-o", "--out"
  std::string about;
  Value value = Value::flag;
  Texts choices = {};  // of one_of
};

struct Command {
  std::string name, about;  // an empty name: the program itself
  std::vector<Option> options = {};
  std::vector<Value> positional = {};
};

struct LabWords {
  std::string id;
  Texts presets, settings;
};

// By an option's last name, where it takes a value.
Option described(const CLI::Option& option) {
  static const std::map<std::string, Value, std::less<>> kValues = {
      {"--out", Value::file},         {"--session", Value::file},  {"--handout", Value::file},
      {"--control-map", Value::file}, {"--lab", Value::lab},       {"--preset", Value::preset},
      {"--keys", Value::preset},      {"--set", Value::setting},   {"--param", Value::setting},
      {"--compare", Value::setting},  {"--lesson", Value::lesson}, {"--stops", Value::lesson}};
  static const std::map<std::string, Texts, std::less<>> kChoices = {
      {"--theme", {"light", "dark"}},
      {"--format", {"png", "svg", "pdf", "csv", "json", "npy", "npz", "safetensors"}},
      {"--lang", {"en", "zh_CN"}},
      {"--loop", {"once", "loop", "back"}},
      {"--ease", {"in-out", "linear"}},
      {"--compare-as", {"split", "live", "held", "difference"}}};
  Option out{{}, option.get_description()};
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_type_name().empty()) return out;
  out.value = Value::nothing;
  if (const auto value = kValues.find(out.names.back()); value != kValues.end()) {
    out.value = value->second;
  }
  if (const auto choices = kChoices.find(out.names.back()); choices != kChoices.end()) {
    out.value = Value::one_of;
    out.choices = choices->second;
  }
  return out;
}

Value positional_value(const std::string& name) {
  if (name == "lab") return Value::lab;
  if (name == "lesson") return Value::lesson;
  if (name == "folder") return Value::folder;
  return Value::file;
}

Command described(const CLI::App& app, bool whole) {
  Command out{whole ? "" : app.get_name(), app.get_description()};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      out.positional.push_back(positional_value(option->get_name(true)));
    } else {
      out.options.push_back(described(*option));
    }
  }
  return out;
}

std::vector<Command> commands_of(const CLI::App& app) {
  std::vector<Command> all{described(app, true)};
  for (const CLI::App* command : app.get_subcommands({})) {
    all.push_back(described(*command, false));
  }
  return all;
}

std::vector<LabWords> labs() {
  std::vector<LabWords> all;
  for (const lab::Lab& lab : lab::all()) {
    LabWords words{std::string(lab.id), {}, {}};
    for (const lab::Preset& preset : lab.presets) words.presets.emplace_back(preset.id);
    const auto state = lab.make();
    const param::List list = state->list();
    for (const param::Parameter& p : list.items()) words.settings.emplace_back(p.info.id);
    all.push_back(std::move(words));
  }
  return all;
}

Texts lab_ids() {
  Texts ids;
  for (const lab::Lab& lab : lab::all()) ids.emplace_back(lab.id);
  return ids;
}

Texts names_of(const std::vector<Command>& commands) {
  Texts names;
  for (std::size_t k = 1; k < commands.size(); ++k) names.push_back(commands[k].name);
  return names;
}

// In single quotes, for bash and zsh.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// In single quotes, for fish.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string joined(const Texts& texts, std::string_view by = " ") {
  return fmt::format("{}", fmt::join(texts, by));
}

// What both bash and zsh begin with: functions that print presets and settings of a lab, the
// command and the lab that stand in the words before the cursor.
std::string shared_functions() {
  std::string out = "_attnscope_presets() {\n  case $1 in\n";
  const std::vector<LabWords> all = labs();
  for (const LabWords& lab : all) {
    out += fmt::format("    {}) echo {} ;;\n", lab.id, shell_quoted(joined(lab.presets)));
  }
  out += "  esac\n}\n\n_attnscope_settings() {\n  case $1 in\n";
  for (const LabWords& lab : all) {
    out += fmt::format("    {}) echo {} ;;\n", lab.id, shell_quoted(joined(lab.settings)));
  }
  return out + "  esac\n}\n\n";
}

// How bash completes a value; `cur` is the word under way.
std::string bash_value(const Option& option) {
  switch (option.value) {
    case Value::flag: return "";
    case Value::nothing: return "return";
    case Value::file: return "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames; return";
    case Value::folder:
      return "COMPREPLY=($(compgen -d -- \"$cur\")); compopt -o filenames; return";
    case Value::lab: return "_attnscope_words \"$labs\"; return";
    case Value::preset: return "_attnscope_words \"$(_attnscope_presets \"$lab\")\"; return";
    case Value::setting:
      return "_attnscope_words \"$(_attnscope_settings \"$lab\")\"; "
             "COMPREPLY=(\"${COMPREPLY[@]/%/=}\"); compopt -o nospace; return";
    case Value::lesson:
      return "_attnscope_words \"$lessons\"; COMPREPLY+=($(compgen -f -X '!*.md' -- \"$cur\")); "
             "return";
    case Value::one_of: return "_attnscope_words \"" + joined(option.choices) + "\"; return";
  }
  return "";
}

std::string bash(const std::vector<Command>& commands) {
  std::string out =
      "# What bash offers after attnscope; made by attnscope itself.\n\n" + shared_functions();
  out += "_attnscope_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n\n";
  out += "_attnscope() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n";
  out += fmt::format("  local commands={} labs={}\n  local lessons={}\n",
                     shell_quoted(joined(names_of(commands))), shell_quoted(joined(lab_ids())),
                     shell_quoted(joined(lesson::names())));
  out += "  local command= lab= word\n  COMPREPLY=()\n";
  out +=
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    if [[ -z $command && \" $commands \" == *\" $word \"* ]]; then command=$word\n"
      "    elif [[ -z $lab && \" $labs \" == *\" $word \"* ]]; then lab=$word; fi\n  done\n"
      "  # A value of a setting, which only the person knows.\n"
      "  [[ $cur == = || $prev == = ]] && return\n";
  out += "  case $command:$prev in\n";
  for (const Command& command : commands) {
    for (const Option& option : command.options) {
      if (option.value == Value::flag) continue;
      Texts patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
      out += fmt::format("    {}) {} ;;\n", joined(patterns, "|"), bash_value(option));
    }
  }
  out += "  esac\n  if [[ $cur == -* ]]; then\n    case $command in\n";
  for (const Command& command : commands) {
    Texts names;
    for (const Option& option : command.options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
    }
    out += fmt::format("      {}) _attnscope_words {} ;;\n",
                       command.name.empty() ? "''" : command.name, shell_quoted(joined(names)));
  }
  out += "    esac\n    return\n  fi\n  case $command in\n";
  for (const Command& command : commands) {
    if (command.name.empty()) {
      out +=
          "    '') _attnscope_words \"$commands\"; COMPREPLY+=($(compgen -f -- \"$cur\")); "
          "compopt -o filenames ;;\n";
    } else if (!command.positional.empty()) {
      const Value value = command.positional[0];
      const std::string said = bash_value({{}, "", value, {}});
      out += fmt::format("    {}) {}{} ;;\n", command.name,
                         value == Value::lab ? "[[ -z $lab ]] && " : "",
                         value == Value::lab ? "_attnscope_words \"$labs\"" : said);
    }
  }
  return out + "  esac\n}\n\ncomplete -F _attnscope attnscope\n";
}

std::string zsh_value(const Option& option) {
  switch (option.value) {
    case Value::flag: return "";
    case Value::nothing: return "_message value; return";
    case Value::file: return "_files; return";
    case Value::folder: return "_files -/; return";
    case Value::lab: return "compadd -- $labs; return";
    case Value::preset: return "compadd -- ${=\"$(_attnscope_presets \"$lab\")\"}; return";
    case Value::setting: return "compadd -S = -- ${=\"$(_attnscope_settings \"$lab\")\"}; return";
    case Value::lesson: return "compadd -- $lessons; _files -g '*.md'; return";
    case Value::one_of: return "compadd -- " + joined(option.choices) + "; return";
  }
  return "";
}

// NAME:ABOUT for _describe: a colon in the name would end it.
std::string zsh_described(const std::string& name, const std::string& about) {
  return shell_quoted(name + ":" + about);
}

std::string zsh(const std::vector<Command>& commands) {
  std::string out =
      "#compdef attnscope\n# What zsh offers after attnscope; made by attnscope "
      "itself.\n\n" +
      shared_functions();
  out += "_attnscope() {\n  local -a commands labs lessons options\n  local command= lab= word\n";
  out += "  commands=(\n";
  for (std::size_t k = 1; k < commands.size(); ++k) {
    out += "    " + zsh_described(commands[k].name, commands[k].about) + "\n";
  }
  out +=
      fmt::format("  )\n  labs=({})\n  lessons=({})\n", joined(lab_ids()), joined(lesson::names()));
  out +=
      "  for word in ${words[2,CURRENT-1]}; do\n"
      "    if [[ -z $command && -n ${(M)commands:#$word:*} ]]; then command=$word\n"
      "    elif [[ -z $lab && -n ${(M)labs:#$word} ]]; then lab=$word; fi\n  done\n"
      "  case $command:${words[CURRENT-1]} in\n";
  for (const Command& command : commands) {
    for (const Option& option : command.options) {
      if (option.value == Value::flag) continue;
      Texts patterns;
      for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
      out += fmt::format("    {}) {} ;;\n", joined(patterns, "|"), zsh_value(option));
    }
  }
  out += "  esac\n  case $command in\n";
  for (const Command& command : commands) {
    out += fmt::format("    {}) options=(\n", command.name.empty() ? "''" : command.name);
    for (const Option& option : command.options) {
      for (const std::string& name : option.names) {
        out += "      " + zsh_described(name, option.about) + "\n";
      }
    }
    out += "    ) ;;\n";
  }
  out +=
      "  esac\n  if [[ ${words[CURRENT]} == -* ]]; then\n    _describe -o option options\n"
      "    return\n  fi\n  case $command in\n";
  for (const Command& command : commands) {
    if (command.name.empty()) {
      out += "    '') _describe command commands; _files ;;\n";
    } else if (!command.positional.empty()) {
      const Value value = command.positional[0];
      out += fmt::format("    {}) {}{} ;;\n", command.name,
                         value == Value::lab ? "[[ -z $lab ]] && " : "",
                         value == Value::lab ? "compadd -- $labs" : zsh_value({{}, "", value, {}}));
    }
  }
  return out + "  esac\n}\n\n_attnscope \"$@\"\n";
}

std::string fish_value(const Option& option) {
  switch (option.value) {
    case Value::flag: return "";
    case Value::nothing: return " -x";
    case Value::file: return " -r -F";
    case Value::folder: return " -x -a '(__fish_complete_directories)'";
    case Value::lab: return " -x -a \"$__attnscope_labs\"";
    case Value::preset: return " -x -a '(__attnscope_presets)'";
    case Value::setting: return " -x -a '(__attnscope_settings)'";
    case Value::lesson: return " -r -F -a \"$__attnscope_lessons\"";
    case Value::one_of: return " -x -a " + fish_quoted(joined(option.choices));
  }
  return "";
}

std::string fish(const std::vector<Command>& commands) {
  std::string out = "# What fish offers after attnscope; made by attnscope itself.\n\n";
  out += fmt::format("set -g __attnscope_labs {}\nset -g __attnscope_lessons {}\n\n",
                     joined(lab_ids()), joined(lesson::names()));
  out +=
      "function __attnscope_lab\n  for word in (commandline -opc)\n"
      "    contains -- $word $__attnscope_labs; and echo $word; and return\n  end\nend\n\n"
      "function __attnscope_presets\n  switch (__attnscope_lab)\n";
  const std::vector<LabWords> all = labs();
  for (const LabWords& lab : all) {
    out += fmt::format("    case {}\n      printf '%s\\n' {}\n", lab.id, joined(lab.presets));
  }
  out += "  end\nend\n\nfunction __attnscope_settings\n  switch (__attnscope_lab)\n";
  for (const LabWords& lab : all) {
    out += fmt::format("    case {}\n      printf '%s=\\n' {}\n", lab.id, joined(lab.settings));
  }
  out += "  end\nend\n\n";
  const std::string none =
      fish_quoted("not __fish_seen_subcommand_from " + joined(names_of(commands)));
  for (const Command& command : commands) {
    const std::string where =
        command.name.empty() ? none : fish_quoted("__fish_seen_subcommand_from " + command.name);
    if (!command.name.empty()) {
      out += fmt::format("complete -c attnscope -n {} -a {} -d {}\n", none, command.name,
                         fish_quoted(command.about));
    }
    for (const Option& option : command.options) {
      out += fmt::format("complete -c attnscope -n {}", where);
      for (const std::string& name : option.names) {
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      out += fish_value(option) + " -d " + fish_quoted(option.about) + "\n";
    }
    if (!command.name.empty() && !command.positional.empty()) {
      const Value value = command.positional[0];
      const std::string condition =
          value == Value::lab ? fish_quoted("__fish_seen_subcommand_from " + command.name +
                                            "; and not string length -q (__attnscope_lab)")
                              : where;
      out += fmt::format("complete -c attnscope -n {}{}\n", condition,
                         fish_value({{}, "", value, {}}));
    }
  }
  return out;
}

}  // namespace

std::string completions(const CLI::App& app, Shell shell) {
  const std::vector<Command> commands = commands_of(app);
  switch (shell) {
    case Shell::bash: return bash(commands);
    case Shell::zsh: return zsh(commands);
    case Shell::fish: return fish(commands);
  }
  return {};
}

}  // namespace cli
