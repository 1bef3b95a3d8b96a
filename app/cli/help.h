// What --help prints, in the reader's language.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/words/words.h"

namespace cli {

// Lays out the words of a command as CLI11's own formatter does, but for what that one says in
// English only and columns that it measures in bytes. `w` outlives it.
class Help : public CLI::FormatterBase {
 public:
  explicit Help(const words::Words& w) : w_(w) {}
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::string usage(const CLI::App& app, const std::string& name) const;
  // What stands beside an option's name: that it takes a text, how often, and that it must be
  // there.
  std::string takes(const CLI::Option& option) const;
  std::string options(const CLI::App& app, bool positional) const;
  std::string commands(const CLI::App& app) const;

  const words::Words& w_;
};

}  // namespace cli
