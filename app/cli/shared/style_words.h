// How an export's figures look: --style and an option for each parameter of paper::Style.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "app/paper/style/named_style.h"

namespace cli {

struct StyleWords {
  std::string style, save_style;
  std::map<std::string, std::string> given;  // by the parameters' ids
  std::map<std::string, bool> flags;
  bool no_legend = false;

  void add_to(CLI::App& command, const words::Words& w);
  // What --style names goes into the options, before others are.
  void begin(paper::PaperOptions& options) const;
  // Each of the other options. Throws core::InputError.
  void apply(paper::PaperOptions& options) const;
  // --save-style: what the options are like by now. Says where.
  void save(const paper::PaperOptions& options, const words::Words& w) const;
  // "--title": the first that is given; empty: none is.
  std::string first_given() const;
};

}  // namespace cli
