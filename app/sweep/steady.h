// Axes and colours that stay while a knob moves: what a figure fits to its data is given the range
// of all of its frames, so that nothing but the data is seen to move.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace sweep {

// Held together are axes of one plot with one scale, and heatmaps of one plot with one map of
// colours, whose names are alike but for the numbers in them. Two things stay as each frame has
// them: axes of cells, whose number is what changes when they change, and the axes of a plot with a
// heatmap, which fills them.
class Steady {
 public:
  void add(const std::vector<figure::Figure>& figures);
  void apply(std::vector<figure::Figure>& figures) const;

 private:
  struct Extent {
    double lo = 0, hi = 0;
  };
  void widen(const std::string& key, double a, double b);

  std::map<std::string, Extent> extents_;
};

}  // namespace sweep
