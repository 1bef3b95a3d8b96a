// Axes and colours that stay while a knob moves: what a figure fits to its data is given the range
// of all of its frames, so that nothing but the data is seen to move.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace sweep {

// Held together are axes of one plot with one scale, and heatmaps of one plot with one map of
// colours, whose names are alike but for the numbers in them. Three things stay as each frame has
// them: axes of cells, whose number is what changes when they change; the axes of a plot with a
// heatmap, which fills them; and those of a plot that is a window onto other places in other
// frames: its x axes have nothing in common.
class Steady {
 public:
  void add(const std::vector<figure::Figure>& figures);
  void apply(std::vector<figure::Figure>& figures) const;

 private:
  struct Extent {
    double lo = 0, hi = 0;             // of all
    double last_lo = 0, first_hi = 0;  // what all have in common, unless it is empty
    bool common() const { return last_lo < first_hi; }
  };
  void widen(const std::string& key, double a, double b);
  bool wanders(const figure::Plot& plot) const;

  std::map<std::string, Extent> extents_;
};

}  // namespace sweep
