#include "app/labs/shared/drawing/maps.h"

#include "app/labs/shared/parts.h"

namespace lab {

ColorScale signed_scale(figure::Number largest) {
  const auto size = to_float(largest.value);
  const float hi = kScaleMargin * (size > 0 && std::isfinite(size) ? size : 1);
  return {.map = MapName::diverging, .transform = figure::Transform::linear, .lo = -hi, .hi = hi};
}

Heatmap picked_map(std::shared_ptr<const TileSource> source, const ColorScale& scale,
                   core::Pool pool, const PickedCell& picked, std::string_view explained) {
  return {.source = std::move(source),
          .scale = scale,
          .pool = pool,
          .row_param = picked.row_param,
          .col_param = picked.col_param,
          .also = explains(explained),
          .pinned = std::pair{picked.row, picked.col}};
}

}  // namespace lab
