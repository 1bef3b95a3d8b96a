#include "core/attention/options.h"

#include <cmath>
#include <string>

#include "core/attention/scoring.h"
#include "core/refuse.h"

namespace core {

template <class Scalar>
Scalar AttentionOptionsOf<Scalar>::scale_for(Index d_k) const {
  if (!scale) return attention_scale<Scalar>(d_k);
  if (!std::isfinite(*scale)) refuse("attention", "a finite scale", std::to_string(*scale));
  return *scale;
}

template <class Scalar>
void require_fit(const char* where, const AttentionOptionsOf<Scalar>& options, Index n, Index m,
                 Index heads) {
  const std::string pairs = shape_text(n, m);
  if (options.mask && (options.mask->rows() != n || options.mask->cols() != m)) {
    refuse(where, "a mask of " + pairs, shape_text(options.mask->rows(), options.mask->cols()));
  }
  const auto biases = static_cast<Index>(options.bias.size());
  if (biases > 1 && biases != heads) {
    refuse(where, "no bias, one, or one for each of " + std::to_string(heads) + " heads",
           std::to_string(biases));
  }
  for (const SharedMatrixOf<Scalar>& bias : options.bias) {
    if (!bias) refuse(where, "a bias of " + pairs, "none");
    if (bias->rows() != n || bias->cols() != m) {
      refuse(where, "a bias of " + pairs, shape_text(*bias));
    }
  }
}

#define CORE_INSTANTIATE(Scalar)              \
  template struct AttentionOptionsOf<Scalar>; \
  template void require_fit(const char*, const AttentionOptionsOf<Scalar>&, Index, Index, Index);
CORE_INSTANTIATE(float)
CORE_INSTANTIATE(double)
#undef CORE_INSTANTIATE

}  // namespace core
