// What is wrong with the words of a command line, as far as that is no command's own business.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/words/words.h"

namespace cli {

// In one sentence; `app` has parsed them.
std::string fault(const CLI::App& app, const CLI::ParseError& error, const words::Words& w);

// A sentence that begins with a setting's name, "x_ticks: …", names the option that was typed for
// it, "--x-ticks: …"; one that has no such option among the words stays as it is.
std::string as_typed(const std::string& said, const std::vector<std::string>& typed);

}  // namespace cli
