// What an installed program brings along, and what a report of a fault needs.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/desktop/files.h"
#include "app/words/words.h"

namespace cli {

// What the desktop wants (app/desktop/files.h), manual pages in both languages and completions.
// `english` and `chinese` are the same command line in these languages.
std::vector<desktop::File> installed_files(const std::string& program, const CLI::App& english,
                                           const CLI::App& chinese);

// The path by which this program can be started again.
std::string own_program();

// The folder of this person in which files are looked for as they are in /usr/share.
// Throws core::InputError where the environment names none.
std::filesystem::path own_share();

// "attnscope 0.1.0", what it was built with, and the instruction set that it uses.
std::string version_text();

using Facts = std::vector<std::pair<std::string, std::string>>;
// The same and what is known of the machine, in lines; nothing personal: no names, no paths.
// `display`: what there is to draw on.
std::string diagnosis(const words::Words& w, const Facts& display);

}  // namespace cli
