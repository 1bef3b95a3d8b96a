// What a page is compared with: --compare and --compare-as.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/options.h"
#include "app/paper/export_figure.h"

namespace cli {

struct CompareWords {
  std::vector<std::string> with;  // id=value, or one session or exported figure
  std::string as;

  void add_to(CLI::App& command, const words::Words& w);
  // What the view's session then holds: the view's own holds where nothing is asked for. Throws
  // core::InputError.
  session::Holds holds(const View& view) const;
  // The sessions that are named.
  void add_inputs(paper::Inputs& inputs) const;
};

// The page that the view's page, `live`, is compared with and how, for paper; nothing where none
// is. `figures`: those that are exported, or none. Throws core::InputError where `live` has one
// of them and the other page has not.
paper::Compared compared_page(const View& view, const lab::Page& live, const session::Holds& holds,
                              const std::vector<std::string>& figures, words::Language language);

}  // namespace cli
