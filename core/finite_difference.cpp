#include "core/finite_difference.h"

#include <cmath>
#include <string>

#include "core/refuse.h"

namespace core {
namespace {

void require_step(const char* where, double h) {
  if (!(h > 0) || !std::isfinite(h)) refuse(where, "a finite step > 0", std::to_string(h));
}

// f at x with its i-th entry moved to `to`.
double moved(const ScalarField& f, VectorD x, Index i, double to) {
  x(i) = to;
  return f(x);
}

}  // namespace

VectorD central_difference(const ScalarField& f, const VectorD& x, double h) {
  require_step("central_difference", h);
  VectorD gradient(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const double above = x(i) + h, below = x(i) - h;
    gradient(i) = (moved(f, x, i, above) - moved(f, x, i, below)) / (above - below);
  }
  return gradient;
}

VectorD forward_difference(const ScalarField& f, const VectorD& x, double h) {
  require_step("forward_difference", h);
  VectorD gradient(x.size());
  const double here = f(x);
  for (Index i = 0; i < x.size(); ++i) {
    const double above = x(i) + h;
    gradient(i) = (moved(f, x, i, above) - here) / (above - x(i));
  }
  return gradient;
}

}  // namespace core
