// How a lecture looks: what is remembered of it, apart from how the window looks else.
#pragma once

#include "app/figure/theme.h"

namespace state {

struct LectureLook {
  figure::ThemeName theme = figure::ThemeName::light;
  float scale = 2;
  bool sentence = true;  // it stands beside the figures
  bool operator==(const LectureLook&) const = default;
};

}  // namespace state
