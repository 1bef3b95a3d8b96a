// Whole numbers over what rounding makes of them: runs that share a value as steps in colours, or
// where there are too many of them a line that keeps their extremes.
#pragma once

#include <cstddef>
#include <functional>

#include "app/figure/figure.h"
#include "core/types.h"

namespace lab {

inline constexpr core::Index kStepColors = 5;

struct Stairs {
  core::Index begin = 0, end = 0;
  std::function<double(core::Index)> value;             // what numbers of one run share
  std::function<double(core::Index)> height;            // where a number is drawn; NaN: nowhere
  std::function<std::size_t(double value)> color = {};  // of a run, below kStepColors

  core::Index size() const { return end - begin; }
};

// Each run of finite values a step in its colour; single numbers are points, and where there is
// room all are.
void add_steps(const Stairs& stairs, figure::Plot& plot);

// Every number, or of more than `most` the lowest and the highest of each of `stretches`, at their
// own places. With `log` the stretches are equally wide on a logarithmic axis; then begin >= 1.
figure::Line thinned(const Stairs& stairs, core::Index most, core::Index stretches,
                     bool log = false);

}  // namespace lab
