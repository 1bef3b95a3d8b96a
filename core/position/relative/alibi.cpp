#include "core/position/relative/alibi.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/position/checks.h"

namespace core {

AlibiExponent alibi_exponent(Index head, Index h, AlibiSlopeRule rule) {
  if (head < 1 || head > h) {
    refuse("alibi_exponent", "a head from 1 to " + std::to_string(h), std::to_string(head));
  }
  if (rule == AlibiSlopeRule::geometric) return {head, h};
  const auto power = static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(h)));
  if (head <= power) return {head, power};
  return {2 * (head - power) - 1, 2 * power};
}

VectorD alibi_slopes(Index h, AlibiSlopeRule rule) {
  position::require_at_least("alibi_slopes", "a number of heads", 1, h);
  return VectorD::NullaryExpr(
      h, [&](Index k) { return std::exp2(alibi_exponent(k + 1, h, rule).value()); });
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
