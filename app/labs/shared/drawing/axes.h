// Axes: of values, of powers, of cells.
#pragma once

#include "app/labs/lab.h"

namespace lab {

using figure::Number, figure::Numbers;

// The finite values that an axis has to hold.
struct Extent {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;

  void add(Number value);
  void add(const Numbers& values);
  bool empty() const { return !(lo <= hi); }
};
template <class... All>
Extent extent_of(const All&... all) {
  Extent extent;
  (extent.add(all), ...);
  return extent;
}
// The axis holds them, with `room` of their span to both sides (of a single value, a tenth of it).
// Nothing to hold: 0 to 1.
void fit(Axis& axis, const Extent& extent, double room = 0.08);
// What lines and points reach up and down to.
Extent heights(const std::vector<Mark>& marks);
// A logarithmic axis from half of the least of them to twice the largest; all are positive.
void fit_log(Axis& axis, const Extent& extent);
// A logarithmic axis from one power of ten to another that holds them; all are positive.
void fit_powers(Axis& axis, const Extent& extent);

// The largest magnitude; 0 when there is nothing.
double largest_size(const Numbers& values);

// What an axis has beside its label and its range.
struct AxisLook {
  std::string link = {};  // axes with one link share crosshair, zoom and pan
  Labels labels = nullptr;
  Color color = Role::dim;
  int marked = -1;
  bool named = false;
};
// Never empty: where hi is not above lo it is lo + 1.
Axis value_axis(std::string label, Number lo, Number hi, AxisLook look = {});
Axis log_axis(std::string label, Number lo, Number hi, AxisLook look = {});
Axis fitted_axis(std::string label, const Extent& extent, double room = 0.08, AxisLook look = {});
// Not drawn.
Axis hidden_axis(Number lo, Number hi);

// An axis of `count` cells.
Axis cell_axis(std::string label, Index count, AxisLook look);
Axis cell_axis(std::string label, Index count, std::string link = {});
// The same counted from 1, as layers, heads and other things are that have no place in a text.
Axis counted_axis(std::string label, Index count, std::string link = {});

}  // namespace lab
