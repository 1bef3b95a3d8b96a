// Curves over a logarithmic axis of whole numbers.
#pragma once

#include "app/labs/shared/parts.h"

namespace lab::cost {

using Marks = std::vector<figure::Mark>;

// Whole numbers from lo to hi, evenly apart in their logarithms, each once; both ends are among
// them.
std::vector<double> log_samples(double lo, double hi);

// y(x) over the axis, where it is positive; `line` has the look and the label.
Line curve(const figure::Axis& x, const std::function<double(double)>& y, Line line);

// A point to click at.
Points point(double x, double y, const Color& color, bool chosen, figure::Assignments pick);

// What lines and points span upwards.
Extent heights(const Marks& marks);

// Two logarithmic axes that hold the marks; a click sets `param` to its place on x.
Plot log_plot(std::string id, figure::Axis x, std::string y_label, std::string param, Marks marks);

}  // namespace lab::cost
