// Plots of bars.
#pragma once

#include "app/labs/shared/drawing/axes.h"

namespace lab {

struct BarPlot {
  std::string id, title = {};  // of the plot, where a figure has several
  Numbers values = {};
  Color color = {};
  std::vector<Assignments> picks = {};
  Index marked = -1;
  double top = 0;              // of weights: from 0 to there, ticks to 1; 0: what the values need
  std::optional<Axis> x = {};  // else counted from 1
};
// Bars with room over them for the numbers at their ends.
Plot bar_plot(BarPlot bars);
inline constexpr double kWeightTop = 1.18;  // `top` of weights

}  // namespace lab
