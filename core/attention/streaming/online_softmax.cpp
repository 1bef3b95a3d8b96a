#include "core/attention/streaming/online_softmax.h"

#include <algorithm>
#include <cmath>

namespace core {

template <class Scalar>
void OnlineSoftmax<Scalar>::push(const VectorOf<Scalar>& block) {
  OnlineSoftmax seen;
  for (Index i = 0; i < block.size(); ++i) {
    if (std::isnan(block(i)) || block(i) > seen.max_) seen.max_ = block(i);
    if (std::isnan(seen.max_)) break;
  }
  if (seen.max_ == -std::numeric_limits<Scalar>::infinity()) return;
  for (Index i = 0; i < block.size(); ++i) seen.sum_ += std::exp(block(i) - seen.max_);
  merge(seen);
}

template <class Scalar>
void OnlineSoftmax<Scalar>::merge(const OnlineSoftmax& other) {
  constexpr Scalar kMinusInf = -std::numeric_limits<Scalar>::infinity();
  // The empty state is neutral; it is singled out because -inf - -inf is NaN.
  if (other.max_ == kMinusInf) return;
  if (max_ == kMinusInf) {
    *this = other;
    return;
  }
  const bool poisoned = std::isnan(max_) || std::isnan(other.max_);
  const Scalar max =
      poisoned ? std::numeric_limits<Scalar>::quiet_NaN() : std::max(max_, other.max_);
  sum_ = sum_ * std::exp(max_ - max) + other.sum_ * std::exp(other.max_ - max);
  max_ = max;
}

template <class Scalar>
Scalar OnlineSoftmax<Scalar>::weight(Scalar x) const {
  if (sum_ == Scalar(0)) return std::isnan(x) ? x : Scalar(0);
  return std::exp(x - max_) / sum_;
}

template <class Scalar>
VectorOf<Scalar> OnlineSoftmax<Scalar>::weights(const VectorOf<Scalar>& x) const {
  VectorOf<Scalar> p(x.size());
  for (Index i = 0; i < x.size(); ++i) p(i) = weight(x(i));
  return p;
}

template <class Scalar>
Scalar OnlineSoftmax<Scalar>::logsumexp() const {
  if (!std::isfinite(max_)) return max_;
  return max_ + std::log(sum_);
}

template class OnlineSoftmax<float>;
template class OnlineSoftmax<double>;

}  // namespace core
