// What an embedded window shows.
#pragma once

#include <string>
#include <vector>

namespace ui {

struct EmbeddedParts {
  std::string figure = {};              // empty: the page's first
  std::vector<std::string> knobs = {};  // empty: those that the lab has at hand
};

}  // namespace ui
