#include "app/labs/scoring/model.h"

#include <tuple>

namespace lab::scoring {

Model make_model(const Parameters& p, const Context& context) {
  context.cancel.poll();
  Model m;
  switch (p.view) {
    case View::plane:
      m.plane = std::make_shared<const Plane>(make_plane(p, context));
      break;
    case View::heights:
      m.heights = std::make_shared<const Heights>(make_heights(p));
      break;
    case View::width: {
      const auto drawn = std::tuple(p.rows, p.row_keys, p.seed);
      m.widths = context.memo.get("widths", drawn, [&] { return make_widths(p, context); });
      const auto one = std::tuple(p.d, p.rows, p.row_keys, p.seed);
      m.width = context.memo.get("width", one, [&] { return make_width(p, context); });
      break;
    }
  }
  return m;
}

}  // namespace lab::scoring
