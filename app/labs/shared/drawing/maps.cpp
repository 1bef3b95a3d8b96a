#include "app/labs/shared/drawing/maps.h"

#include "app/labs/shared/drawing/pair_map.h"

namespace lab {

ColorScale signed_scale(figure::Number largest) {
  const auto size = to_float(largest.value);
  const float hi = kScaleMargin * (size > 0 && std::isfinite(size) ? size : 1);
  return {.map = MapName::diverging, .transform = figure::Transform::linear, .lo = -hi, .hi = hi};
}

}  // namespace lab
