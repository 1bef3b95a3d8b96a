#include "app/state/appearance.h"

#include <algorithm>
#include <cmath>

namespace state {

void Appearance::rescale(float factor) {
  if (factor > 0) scale = std::clamp(std::round(factor * 4) / 4, 1.0f, 3.0f);
}

}  // namespace state
