// A sweep as a page that is touched: its slider goes from frame to frame.
#pragma once

#include <string>
#include <vector>

#include "app/sweep/make.h"

namespace sweep {

inline constexpr int kUsualTouch = 21, kMostTouch = 200;  // places of the slider

// The page (.html) of these figures, or with none of what is shown of the page; the slider has
// `count` places from the beginning of the way to its end and stands at first where the knobs
// stand. Sizes, axes and colors hold all of the frames' data. Throws as make_film does.
std::string make_touch(const Job& job, const std::vector<std::string>& figures, int count,
                       const MakePage& make, const core::Cancel& cancel = {},
                       const Report& report = {});

}  // namespace sweep
