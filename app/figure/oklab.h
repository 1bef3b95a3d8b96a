// OKLab (B. Ottosson, 2020): a colour space where distances are about as large as they look. Used
// to mix colours here, and by tests to tell palettes apart.
#pragma once

#include "app/figure/color.h"

namespace figure {

struct Oklab {
  double l = 0, a = 0, b = 0;
};
struct LinearRgb {
  double r = 0, g = 0, b = 0;
};

LinearRgb to_linear(Rgba color);
Rgba from_linear(const LinearRgb& linear);
Oklab to_oklab(const LinearRgb& linear);
LinearRgb from_oklab(const Oklab& lab);

// `share` of b in a, mixed in OKLab; the opacity is a's.
Rgba mix(Rgba a, Rgba b, double share);

}  // namespace figure
