// Curves over a logarithmic axis of whole numbers.
#pragma once

#include <functional>
#include <vector>

#include "app/figure/figure.h"

namespace lab::cost {

// Whole numbers from lo to hi, evenly apart in their logarithms, each once; both ends are among
// them.
std::vector<double> log_samples(double lo, double hi);

// An empty plot of two logarithmic axes; y is fitted to what is drawn by `add_curve`.
figure::Plot log_plot(std::string id, std::string x_label, double lo, double hi,
                      std::string y_label);

// Adds y(x) as a line, where it is positive, and widens the y axis to hold it.
struct CurveLook {
  figure::Color color = {};
  std::string label = {};
  bool dashed = false;
  float width = 1.5f;
};
void add_curve(figure::Plot& plot, const std::function<double(double)>& y, const CurveLook& look);

// A point to click at.
void add_point(figure::Plot& plot, double x, double y, const figure::Color& color, bool chosen,
               figure::Assignments pick);

// Room above and below the curves; to be called after the last one.
void settle(figure::Plot& plot);

}  // namespace lab::cost
