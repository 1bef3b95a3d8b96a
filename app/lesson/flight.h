// Parts of a plot that are seen to travel to parts of another, as the mathematics goes: a row of a
// matrix becomes bars, products become the sum that they make.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/lesson/lesson.h"
#include "app/lesson/sight.h"

namespace lesson {

// One thing on its way, in the pixels of the frames that it was made from.
struct Flying {
  figure::Rect from, to;
  figure::Rgba begins, ends;  // its colours
  float delay = 0;            // of the whole time, before it leaves

  struct Place {
    figure::Rect rect;
    figure::Rgba color;
  };
  // share: of the whole time, 0 to 1; it leaves and arrives gently.
  Place at(float share) const;
};

inline constexpr std::size_t kMostFlying = 2048;  // of one travel

// Where a plot lies; none: it is not shown.
using FrameOf = std::function<std::optional<figure::PlotFrame>(const figure::Plot&)>;

// All that travels on this page. As many sources as targets go one to one, in their order; all go
// to a single target, and a single source goes to all; cells go to, or come from, as many others as
// they have columns or rows by these; else in proportion. A travel of which either
// side is not shown, is not on the page or has more than kMostFlying parts, is left out.
std::vector<Flying> flights(const std::vector<Travel>& travels, const Sight& sight,
                            const FrameOf& frame_of, const figure::Theme& theme);

}  // namespace lesson
