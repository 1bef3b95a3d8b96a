// Places of a drawing as painters of paper take them.
#pragma once

#include <cmath>

#include "app/figure/drawing.h"

namespace paper {

inline double wide(float v) { return static_cast<double>(v); }
inline bool finite(figure::Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

}  // namespace paper
