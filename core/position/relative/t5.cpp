#include "core/position/relative/t5.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/attention/scoring.h"
#include "core/position/checks.h"

namespace core {
namespace {

constexpr Index kMostBuckets = 1024;
constexpr Index kMostDistance = Index{1} << 31;

// A whole number >= 1 of any size, as digits of 32 bits, lowest first.
class Natural {
 public:
  // base^exponent
  static Natural power(Index base, Index exponent) {
    Natural value;
    for (Index k = 0; k < exponent; ++k) value.multiply(static_cast<std::uint64_t>(base));
    return value;
  }
  void multiply(std::uint64_t factor) {  // below 2^32
    std::uint64_t carry = 0;
    for (std::uint32_t& digit : digits_) {
      carry += digit * factor;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry > 0) digits_.push_back(static_cast<std::uint32_t>(carry));
  }
  friend bool operator<(const Natural& a, const Natural& b) {
    if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size();
    return std::lexicographical_compare(a.digits_.rbegin(), a.digits_.rend(), b.digits_.rbegin(),
                                        b.digits_.rend());
  }

 private:
  std::vector<std::uint32_t> digits_ = {1};
};

Index side_buckets(const T5BucketSpec& spec) {
  return spec.bidirectional ? spec.buckets / 2 : spec.buckets;
}

// The least t with t^N >= bound.
Index smallest_root(const Natural& bound, Index N, Index low, Index high) {
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (Natural::power(middle, N) < bound) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

void require_spec(const char* where, const T5BucketSpec& spec) {
  const Index least = spec.bidirectional ? 4 : 2;
  if (spec.buckets < least || spec.buckets > kMostBuckets ||
      (spec.bidirectional && spec.buckets % 2 != 0)) {
    refuse(where,
           std::string(spec.bidirectional ? "an even number of buckets" : "a number of buckets") +
               " from " + std::to_string(least) + " to " + std::to_string(kMostBuckets),
           std::to_string(spec.buckets));
  }
  const Index max_exact = side_buckets(spec) / 2;
  if (spec.max_distance <= max_exact || spec.max_distance > kMostDistance) {
    refuse(where, "a largest distance above " + std::to_string(max_exact) + " and at most 2^31",
           std::to_string(spec.max_distance));
  }
}

// The distance towards the key's side, and the first bucket of that side. With one side only a key
// ahead counts as distance 0.
struct Side {
  Index distance, begin;
};

Side side_of(const T5BucketSpec& spec, Index relative) {
  if (!spec.bidirectional) return {std::max<Index>(-relative, 0), 0};
  return {std::abs(relative), relative > 0 ? spec.buckets / 2 : 0};
}

}  // namespace

T5Buckets::T5Buckets(const T5BucketSpec& spec) : spec_(spec) {
  require_spec("T5Buckets", spec);
  const Index buckets = side_buckets(spec);
  max_exact_ = buckets / 2;
  const Index N = buckets - max_exact_;
  for (Index t = 0; t < max_exact_; ++t) first_.push_back(t);
  for (Index k = 0; k < N; ++k) {
    Natural bound = Natural::power(spec.max_distance, k);
    for (Index rest = k; rest < N; ++rest) bound.multiply(static_cast<std::uint64_t>(max_exact_));
    first_.push_back(smallest_root(bound, N, max_exact_, spec.max_distance));
  }
}

Index T5Buckets::operator()(Index relative) const {
  const Side side = side_of(spec_, relative);
  const auto after = std::upper_bound(first_.begin(), first_.end(), side.distance);
  return side.begin + (after - first_.begin()) - 1;
}

bool T5Buckets::shares_last(Index relative) const {
  const bool farthest_ahead = relative >= 0 && (*this)(relative) == (*this)(spec_.max_distance);
  return farthest_ahead || (relative <= 0 && (*this)(relative) == (*this)(-spec_.max_distance));
}

IndexMatrix T5Buckets::operator()(const IndexMatrix& relative) const {
  return relative.unaryExpr([this](Index r) { return (*this)(r); });
}

template <class Scalar>
Index t5_bucket_by_logarithm(const T5BucketSpec& spec, Index relative) {
  require_spec("t5_bucket_by_logarithm", spec);
  const Side side = side_of(spec, relative);
  const Index buckets = side_buckets(spec), max_exact = buckets / 2;
  if (side.distance < max_exact) return side.begin + side.distance;
  // The published code divides by a double constant, which is rounded to the Scalar of the array.
  const auto range = static_cast<Scalar>(
      std::log(static_cast<double>(spec.max_distance) / static_cast<double>(max_exact)));
  const Scalar ratio = static_cast<Scalar>(side.distance) / static_cast<Scalar>(max_exact);
  const Scalar steps = std::log(ratio) / range * static_cast<Scalar>(buckets - max_exact);
  return side.begin + std::min(max_exact + static_cast<Index>(steps), buckets - 1);
}
template Index t5_bucket_by_logarithm<float>(const T5BucketSpec&, Index);
template Index t5_bucket_by_logarithm<double>(const T5BucketSpec&, Index);

MatrixD t5_bias(const MatrixD& table, Index head, const IndexMatrix& buckets) {
  if (head < 0 || head >= table.cols()) {
    refuse("t5_bias", "a head from 0 to below " + std::to_string(table.cols()),
           std::to_string(head));
  }
  return buckets.unaryExpr([&](Index bucket) {
    if (bucket < 0 || bucket >= table.rows()) {
      refuse("t5_bias", "buckets from 0 to below " + std::to_string(table.rows()),
             std::to_string(bucket));
    }
    return table(bucket, head);
  });
}

ScoredAttention t5_attention(const MatrixD& Q, const MatrixD& K, const MatrixD& V,
                             const MatrixD& bias, const std::optional<Mask>& mask) {
  position::require_shape("t5_attention", "a bias", bias, Q.rows(), K.rows());
  return attend_scored(dot_scores(Q, K) + bias, V, mask);
}

}  // namespace core
