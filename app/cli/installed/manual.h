// The manual page, read off the command line's own words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/words/words.h"

namespace cli {

// In man's language (groff_man(7)), section 1; every option of every command stands in it. `app`
// was made with `w`.
std::string manual(const CLI::App& app, const words::Words& w, const std::string& version);

}  // namespace cli
