// T5's relative positions: Raffel et al. 2020, arXiv:1910.10683, section 2.1, in the form of its
// code, `_relative_position_bucket`: a learned scalar per head and bucket is added to q . k, which
// is not divided by sqrt(d_k) (that is folded into the initialisation). Near distances have buckets
// of their own, farther ones share them on a logarithmic scale, all from max_distance on share one.
#pragma once

#include <optional>
#include <vector>

#include "core/position/relative/relative.h"

namespace core {

struct T5BucketSpec {
  bool bidirectional =
      true;            // keys ahead have the upper half of the buckets; else all are bucket 0
  Index buckets = 32;  // both sides together
  Index max_distance = 128;
};

// Buckets computed in whole numbers. With N = buckets of this side - max_exact, a distance t in
// [max_exact, max_distance) is in bucket max_exact + k, where k is the largest with
//   t^N >= max_distance^k max_exact^(N-k).
// That equals floor(N log(t / max_exact) / log(max_distance / max_exact)), without the risk that a
// logarithm falls just short of a whole number.
class T5Buckets {
 public:
  // Limits of the exact powers: buckets from 2 (4 when bidirectional, and even) to 1024,
  // max_distance above max_exact and at most 2^31, else InputError.
  explicit T5Buckets(const T5BucketSpec& spec);

  const T5BucketSpec& spec() const { return spec_; }
  // Distances below it have buckets of their own: half the buckets of a side.
  Index max_exact() const { return max_exact_; }
  // The number of buckets of a side.
  Index side() const { return static_cast<Index>(first_.size()); }
  // Whether this relative position is in the last bucket of its side, with all that are farther.
  bool shares_last(Index relative) const;
  // The least distance of each bucket of a side, increasing, the first 0: where to draw the
  // borders.
  const std::vector<Index>& first_distances() const { return first_; }
  // relative = key minus query. In [0, spec().buckets); never falls with the distance on one side.
  Index operator()(Index relative) const;
  IndexMatrix operator()(const IndexMatrix& relative) const;

 private:
  T5BucketSpec spec_;
  Index max_exact_ = 0;
  std::vector<Index> first_;
};

// The bucket as published code computes it: by logarithms, in Scalar (float there). At a border it
// may be one below that of T5Buckets.
template <class Scalar>
Index t5_bucket_by_logarithm(const T5BucketSpec& spec, Index relative);

// bias(i, j) = table(bucket(i, j), head). table: (buckets, h); 0 <= head < h, buckets inside the
// table, else InputError.
MatrixD t5_bias(const MatrixD& table, Index head, const IndexMatrix& buckets);

// softmax(Q K^T + bias) V. Q: (n, d), K: (m, d), V: (m, d_v), bias: (n, m), else InputError.
ScoredAttention t5_attention(const MatrixD& Q, const MatrixD& K, const MatrixD& V,
                             const MatrixD& bias, const std::optional<Mask>& mask = std::nullopt);

}  // namespace core
