#include "core/position/relative/urpe.h"

#include "core/position/checks.h"

namespace core {

UrpeAttention urpe_attention(const MatrixD& scores, const VectorD& c, const MatrixD& V,
                             const std::optional<Mask>& mask) {
  UrpeAttention result;
  result.softmax = attend_scored(scores, V, mask).weights;
  result.C = toeplitz(scores.rows(), scores.cols(), c);
  result.product = result.softmax.cwiseProduct(result.C);
  result.output = result.product * V;
  return result;
}

}  // namespace core
