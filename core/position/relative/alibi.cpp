#include "core/position/relative/alibi.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/position/checks.h"

namespace core {
namespace {

// Slope k = 1 .. h of the geometric sequence.
double geometric_slope(Index k, Index h) {
  return std::exp2(-8 * static_cast<double>(k) / static_cast<double>(h));
}

}  // namespace

VectorD alibi_slopes(Index h, AlibiSlopeRule rule) {
  position::require_at_least("alibi_slopes", "a number of heads", 1, h);
  if (rule == AlibiSlopeRule::geometric) {
    return VectorD::NullaryExpr(h, [&](Index k) { return geometric_slope(k + 1, h); });
  }
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(h)));
  return VectorD::NullaryExpr(h, [&](Index k) {
    return k < power ? geometric_slope(k + 1, power)
                     : geometric_slope(2 * (k - power) + 1, 2 * power);
  });
}

MatrixD alibi_bias(double slope, Index n, Index m, AlibiForm form) {
  if (!std::isfinite(slope)) {
    refuse("alibi_bias", "a finite slope", position::number_text(slope));
  }
  const IndexMatrix relative = relative_positions(n, m);
  return MatrixD::NullaryExpr(n, m, [&](Index i, Index j) {
    const Index r = relative(i, j);
    if (form == AlibiForm::key_only) return slope * static_cast<double>(j);
    if (form == AlibiForm::symmetric) return -slope * static_cast<double>(std::abs(r));
    return r > 0 ? -std::numeric_limits<double>::infinity() : slope * static_cast<double>(r);
  });
}

Index alibi_reach(double slope, double share) {
  position::require_positive("alibi_reach", "slope", slope);
  if (!(share > 0 && share < 1)) {
    refuse("alibi_reach", "a share between 0 and 1", position::number_text(share));
  }
  const double keys = std::ceil(-std::log1p(-share) / slope);
  if (keys > 1e15) refuse("alibi_reach", "a slope that ends within 1e15 positions", "less");
  return std::max<Index>(static_cast<Index>(keys), 1) - 1;
}

}  // namespace core
