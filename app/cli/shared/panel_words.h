// Several figures on one sheet: --layout, --share-colors, more than one --preset, and --beside.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/shared/options.h"
#include "app/paper/panels/panels.h"

namespace cli {

struct PanelWords {
  std::string layout;
  bool share_colors = false;
  std::vector<std::string> presets;
  std::vector<std::string> beside;  // files and links that show what follows

  // Takes the place of the view's own --preset.
  void add_to(CLI::App& command, const words::Words& w);
  // The first of the presets, of the sheet's session; empty: none. Throws core::InputError for one
  // that is named twice.
  std::string first_preset() const;
  bool asked() const { return placed() || presets.size() > 1 || !beside.empty(); }
  // Whether more is asked for than figures of several presets.
  bool placed() const { return !layout.empty() || share_colors; }

  // The page's figures of these ids, those of the other presets, each as `view` but for its
  // preset, and what the files beside show, as panels; none of the ids are left to be chosen.
  // `check` may refuse what is opened for it.
  void apply(const ViewWords& view, lab::Page& page, std::vector<std::string>& ids,
             paper::PaperOptions& options, View& first, Kept* kept,
             const std::function<void(const View&)>& check) const;
};

}  // namespace cli
