// What a shell offers at the Tab key, read off the command line's own words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace cli {

enum class Shell { bash, zsh, fish };

// A script of that shell: commands, options with what they do, labs, presets, `--set` names, and
// files where files are meant. What options do is said in the language that `app` was made in.
std::string completions(const CLI::App& app, Shell shell);

}  // namespace cli
