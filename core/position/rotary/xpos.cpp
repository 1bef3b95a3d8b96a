#include "core/position/rotary/xpos.h"

#include <cmath>

#include "core/position/checks.h"

namespace core {

VectorD xpos_decay(Index pairs, double gamma) {
  position::require_at_least("xpos_decay", "a number of pairs", 1, pairs);
  position::require_positive("xpos_decay", "gamma", gamma);
  return VectorD::NullaryExpr(pairs, [&](Index i) {
    return (static_cast<double>(i) / static_cast<double>(pairs) + gamma) / (1 + gamma);
  });
}

XposTables xpos_tables(const VectorD& positions, const VectorD& theta, const XposOptions& options) {
  position::require_positive("xpos_tables", "scale base", options.scale_base);
  const VectorD zeta = xpos_decay(theta.size(), options.gamma);
  const RotaryTableD plain = rotary_angles(positions, theta);
  XposTables tables{plain, plain};
  for (Index p = 0; p < positions.size(); ++p) {
    for (Index i = 0; i < theta.size(); ++i) {
      const double factor = std::pow(zeta(i), positions(p) / options.scale_base);
      tables.query.cos(p, i) *= factor;
      tables.query.sin(p, i) *= factor;
      tables.key.cos(p, i) /= factor;
      tables.key.sin(p, i) /= factor;
    }
  }
  return tables;
}

}  // namespace core
