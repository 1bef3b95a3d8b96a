// Curves over a logarithmic axis of whole numbers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace lab::cost {

// Whole numbers from lo to hi, evenly apart in their logarithms, each once; both ends are among
// them.
std::vector<double> log_samples(double lo, double hi);

// A plot of two logarithmic axes; y holds what is drawn. A click sets `param` to its place on x.
class LogPlot {
 public:
  LogPlot(std::string id, figure::Axis x, std::string y_label, std::string param);

  // y(x) where it is positive; of the line only its look and label are given.
  LogPlot& curve(const std::function<double(double)>& y, figure::Line look);
  // A point to click at.
  LogPlot& point(double x, double y, const figure::Color& color, bool chosen,
                 figure::Assignments pick);
  LogPlot& mark(figure::Mark mark);
  void hold(double y);
  const figure::Axis& x() const { return plot_.x; }
  double highest() const { return plot_.y.hi; }

  // With room above and below what it holds.
  figure::Plot finish(std::string title = "") &&;

 private:
  figure::Plot plot_;
};

}  // namespace lab::cost
