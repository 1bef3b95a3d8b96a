#include "core/position/sinusoidal/sinusoidal_shift.h"

#include <cmath>

namespace core {

MatrixD sinusoidal_shift(double k, Index d, const SinusoidalOptions& options) {
  const VectorD theta = frequencies(d, options.base, options.rule);
  MatrixD shift = MatrixD::Zero(d, d);
  for (Index i = 0; i < theta.size(); ++i) {
    const Index sine = sine_column(i, d, options.layout);
    const Index cosine = cosine_column(i, d, options.layout);
    shift(sine, sine) = shift(cosine, cosine) = std::cos(k * theta(i));
    shift(sine, cosine) = std::sin(k * theta(i));
    shift(cosine, sine) = -shift(sine, cosine);
  }
  return shift;
}

}  // namespace core
