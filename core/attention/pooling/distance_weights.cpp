#include "core/attention/pooling/distance_weights.h"

#include "core/attention/softmax.h"

namespace core {

VectorD distance_share(double query, const VectorD& keys) {
  const VectorD distance = (keys.array() - query).abs();
  return distance / distance.sum();
}

VectorD inverse_distance_weights(double query, const VectorD& keys) {
  const VectorD distance = (keys.array() - query).abs();
  if ((distance.array() == 0).any()) return hardmax_ties_shared<double>(-distance);
  const VectorD inverse = distance.cwiseInverse();
  return inverse / inverse.sum();
}

}  // namespace core
