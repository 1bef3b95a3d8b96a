// How an export's paper is: --width, --height, --font, --dpi and what stands on it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "app/paper/export_figure.h"
#include "app/words/words.h"

namespace cli {

// --comments, --bom and --with-json, of numbers.
struct NumberWords {
  bool comments = false, bom = false, json = false;

  void add_to(CLI::App& command, const words::Words& w);
};

struct PaperWords {
  std::string width, height, font, dpi;
  bool no_title = false, no_caption = false, no_parameters = false;
  bool transparent = false, crop = false, outlines = false;

  void add_to(CLI::App& command, const words::Words& w);
  // Fills in what is asked for. `sized`: --size or --scale are given too, which go with no length.
  // Throws core::InputError.
  void apply(paper::PaperOptions& options, bool sized) const;
};

// "85mm", "8.5cm", "3.35in", "241pt" as points; "1200px" as pixels of so many dots an inch. Throws
// core::InputError, naming `option`, unless it is one of these and within the paper's limits.
double parse_length(std::string_view option, const std::string& text, double dots);

// What the paper had no room for, as options.left_out has it: nothing of a picture is lost without
// a word.
void report_left_out(const paper::PaperOptions& options);

}  // namespace cli
