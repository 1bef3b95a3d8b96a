// What a page that is touched knows of its plots: where data lie, and their names and numbers.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/paper/touch/touch_sheet.h"

namespace paper {

// Lists that plots share, each once: names of rows and columns, and places of lines and points.
class TouchLists {
 public:
  int add(const figure::Labels& labels);
  int add(const nlohmann::json& numbers);
  const std::vector<figure::Labels>& names() const { return names_; }
  // As they are written.
  const std::vector<std::string>& numbers() const { return numbers_; }

 private:
  std::vector<figure::Labels> names_;
  std::map<std::vector<std::string>, int> known_names_;
  std::vector<std::string> numbers_;
  std::map<std::string, int> known_numbers_;
};

// One object for each plot of a laid-out figure. `drawing` is its number in the sheet of `ink`;
// places are in units from `origin`.
std::vector<nlohmann::json> touch_plots(const figure::Figure& figure,
                                        const figure::Drawing& drawing, int number,
                                        const TouchInk& ink, figure::Point origin,
                                        TouchLists& lists);

// What of the figure can be left out: its thumbnails, else what has the color of a head or of one
// of several curves. Null where that is nothing.
nlohmann::json touch_parts(const figure::Figure& figure, const TouchPalette& palette,
                           const words::Words& w);

}  // namespace paper
