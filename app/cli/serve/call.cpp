#include "app/cli/serve/call.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/shared/output.h"

namespace cli {
namespace {

using core::InputError;
using Json = nlohmann::ordered_json;

// A value as it stands on the command line.
std::string text_of(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean() || value.is_number() || value.is_array()) return value.dump();
  words::refuse<InputError>(N_("{}: expected a text, a number, true or false, got {}"), name,
                            shown(value));
}

// A list of an option that takes one text: "0, 50, 100".
std::string joined(const std::string& name, const Json& list) {
  std::string text;
  for (const Json& one : list) text += (text.empty() ? "" : ", ") + text_of(name, one);
  return text;
}

// The words of one option: it stands once for each of a list, or of an object's members.
void add(const std::string& name, const std::string& option, const Json& value,
         std::vector<std::string>& words) {
  if (value.is_object()) {
    for (const auto& [id, one] : value.items()) {
      words.push_back(option + "=" + id + "=" + text_of(name + "." + id, one));
    }
  } else if (value.is_array()) {
    for (const Json& one : value) words.push_back(option + "=" + text_of(name, one));
  } else {
    words.push_back(option + "=" + text_of(name, value));
  }
}

}  // namespace

std::string shown(const Json& value) {
  if (value.is_string()) return in_quotes(value.get<std::string>());
  return in_quotes(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::vector<std::string> words_of(const Json& call, const CLI::App& command,
                                  const std::vector<std::string_view>& refused) {
  std::vector<std::string> words;
  for (const auto& [name, value] : call.items()) {
    if (name == "id" || name == "command" || value.is_null()) continue;
    std::string option = "--" + name;
    std::replace(option.begin(), option.end(), '_', '-');
    const bool is_refused = std::find(refused.begin(), refused.end(), name) != refused.end();
    const CLI::Option* positional = command.get_option_no_throw(name);
    const CLI::Option* named = command.get_option_no_throw(option);
    if (is_refused || name.empty() || name.front() == '-' || (!positional && !named)) {
      words::refuse<InputError>(N_("expected an option of {}, got {}"), command.get_name(),
                                in_quotes(name));
    }
    if (!named) {
      words.insert(words.begin(), text_of(name, value));
    } else if (named->get_type_name().empty()) {  // a flag
      if (!value.is_boolean()) {
        words::refuse<InputError>(N_("{}: expected true or false, got {}"), name, shown(value));
      }
      if (value.get<bool>()) words.push_back(option);
    } else if (value.is_array() && named->get_expected_max() == 1) {
      words.push_back(option + "=" + joined(name, value));
    } else {
      add(name, option, value, words);
    }
  }
  return words;
}

}  // namespace cli
