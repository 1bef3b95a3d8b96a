// A call as the words of the command line that do the same.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/shared/fault.h"
#include "app/words/sentence.h"
#include "core/types.h"

namespace cli {

// The value as a message quotes it.
std::string shown(const nlohmann::ordered_json& value);

// "multi_head", "--width=85mm", "--set=heads=4": what stands in the call, but for its id and
// command. Throws core::InputError for what is no option of this command, is among `refused`, or
// is no value that it takes.
std::vector<std::string> words_of(const nlohmann::ordered_json& call, const CLI::App& command,
                                  const std::vector<std::string_view>& refused);

// Fills in the words of a command, and `more` behind those of the call.
template <class Words>
void parse_call(const nlohmann::ordered_json& call, Words& words,
                std::initializer_list<std::string> more,
                const std::vector<std::string_view>& refused, const words::Words& w) {
  CLI::App program;
  program.set_help_flag();
  CLI::App* command = words.add_to(program, w);
  std::vector<std::string> given = words_of(call, *command, refused);
  given.insert(given.begin(), command->get_name());
  given.insert(given.end(), more.begin(), more.end());
  std::reverse(given.begin(), given.end());  // as CLI11 wants them
  try {
    program.parse(given);
  } catch (const CLI::ParseError& error) {
    words::refuse<core::InputError>("{}", fault(program, error, w));
  }
}

}  // namespace cli
