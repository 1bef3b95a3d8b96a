// What stands for a lab in README.md and docs, and, smaller still, on the start page.
#pragma once

#include <string_view>
#include <vector>

namespace lab {

struct Picture {
  std::string_view preset, figure;  // empty: as the lab is at first; its first figure
  // On the start page:
  std::string_view start = {};               // the figure, where it is another
  std::vector<std::string_view> plots = {};  // of the figure; none: all
  int columns = 0;                           // plots a row; 0: as many as fit
  // Laid out so much larger and drawn so much smaller, letters too: where words belong to the
  // picture. 1: a picture without axes, titles and labels.
  float reduced = 1;

  std::string_view start_figure() const { return start.empty() ? figure : start; }
};

// As the lab's text says it; of a lab without a text, of which there are some in tests, an empty
// one.
const Picture& picture_of(std::string_view lab);

}  // namespace lab
