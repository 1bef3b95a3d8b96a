#include "core/position/learned/taylor.h"

#include <cmath>

#include "core/position/checks.h"

namespace core {

PairExpansion expand_pair(double value, const VectorD& gradient, const MatrixD& hessian,
                          const VectorD& p_m, const VectorD& p_n) {
  const Index d = p_m.size();
  position::require_shape("expand_pair", "positions", p_n, d, 1);
  position::require_shape("expand_pair", "a gradient", gradient, 2 * d, 1);
  position::require_shape("expand_pair", "a Hessian", hessian, 2 * d, 2 * d);
  PairExpansion terms;
  terms.value = value;
  terms.linear_m = p_m.dot(gradient.head(d));
  terms.linear_n = p_n.dot(gradient.tail(d));
  terms.square_m = p_m.dot(hessian.topLeftCorner(d, d) * p_m) / 2;
  terms.square_n = p_n.dot(hessian.bottomRightCorner(d, d) * p_n) / 2;
  terms.mixed = p_m.dot(hessian.topRightCorner(d, d) * p_n);
  return terms;
}

PairExpansion expand_exponential(double px, double xp, double pp, double part) {
  const VectorD parts = VectorD::Constant(1, part);
  VectorD gradient(2);
  MatrixD hessian(2, 2);
  gradient << px, xp;
  hessian << px * px, pp + px * xp, pp + px * xp, xp * xp;
  return expand_pair(1, gradient, hessian, parts, parts);
}

double exact_exponential(double px, double xp, double pp, double part) {
  return std::exp(part * (px + xp) + part * part * pp);
}

}  // namespace core
