// The page of the lab of costs: figures, readouts, explanation, as data.
#pragma once

#include "app/labs/cost/kernels.h"
#include "app/labs/shared/parts.h"

namespace lab::cost {

using Marks = std::vector<Mark>;

// --- curves over a logarithmic axis of whole numbers

// Whole numbers from lo to hi, evenly apart in their logarithms, each once; both ends are among
// them.
std::vector<double> log_samples(double lo, double hi);

// y(x) over the axis, where it is positive; `line` has the look and the label.
Line curve(const Axis& x, const std::function<double(double)>& y, Line line);

// A point to click at.
Points point(double x, double y, const Color& color, bool chosen, Assignments pick);

// Two logarithmic axes that hold the marks; a click sets `param` to its place on x.
Plot log_plot(std::string id, Axis x, std::string y_label, std::string param, Marks marks);

// What all parts of a page are made from.
struct Scene {
  const Parameters& p;
  const Words& w;
  std::shared_ptr<const Measured> measured;  // null until it is asked for

  std::string name(LayerKind kind) const { return w(facts(kind).name); }
  std::string kernel_name(Kernel kernel) const;
  // The longest length that was measured and is not above n, else the shortest; 0 when none was.
  Index timed_length() const;
  // The axis of lengths.
  Axis lengths(double lo = 1, double hi = kLongestSequence) const {
    return {w("length n (tokens)"), lo, hi};
  }
};

// A whole number: "1,048,576".
inline std::string whole(double count) { return grouped(to_index(count)); }

Figure table_figure(const Scene& scene);
Figure operations_figure(const Scene& scene);
Figure path_figure(const Scene& scene);
Figure memory_figure(const Scene& scene);
Figure kernel_figure(const Scene& scene);
Figure time_figure(const Scene& scene);   // only when measured
Figure rates_figure(const Scene& scene);  // only when measured

Explanation explain(const Scene& scene);

Page compute(const Parameters& p, const Context& context);

}  // namespace lab::cost
