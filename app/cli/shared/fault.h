// What is wrong with the words of a command line, as far as that is no command's own business.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/words/words.h"

namespace cli {

// In one sentence; `app` has parsed them.
std::string fault(const CLI::App& app, const CLI::ParseError& error, const words::Words& w);

}  // namespace cli
