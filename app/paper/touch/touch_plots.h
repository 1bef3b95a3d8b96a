// What a page that is touched knows of its plots: where data lie, and their names and numbers.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/paper/touch/touch_sheet.h"

namespace paper {

// Names of rows and columns, each list once.
class TouchNames {
 public:
  int add(const figure::Labels& labels);
  const std::vector<figure::Labels>& all() const { return all_; }

 private:
  std::vector<figure::Labels> all_;
  std::map<std::vector<std::string>, int> found_;
};

// One object for each plot of a laid-out figure. `drawing` is its number in the sheet of `ink`;
// places are in units from `origin`.
std::vector<nlohmann::json> touch_plots(const figure::Figure& figure,
                                        const figure::Drawing& drawing, int number,
                                        const TouchInk& ink, figure::Point origin,
                                        TouchNames& names);

// What of the figure can be left out: its thumbnails, else what has the color of a head or of one
// of several curves. Null where that is nothing.
nlohmann::json touch_parts(const figure::Figure& figure, const TouchPalette& palette,
                           const words::Words& w);

}  // namespace paper
