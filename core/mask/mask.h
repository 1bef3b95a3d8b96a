// A mask: which keys each query may attend to. Row = query, column = key; true means "may attend".
#pragma once

#include <memory>
#include <vector>

#include "core/types.h"

namespace core {

using BoolMatrix = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The keys of one row as a half-open range [begin, end); empty when begin >= end.
struct KeyRange {
  Index begin = 0, end = 0;
  Index size() const { return end > begin ? end - begin : 0; }
};

// An n by m allow mask. Structured masks (none, causal, local, padding and what their intersections
// give) are one range a row and cost no memory; an arbitrary one keeps its bits. Copies share them.
class Mask {
 public:
  // Every query sees every key. n, m >= 0, else InputError (so for all that follow).
  static Mask none(Index n, Index m);
  // Key j is seen by query i when j <= i + (m - n): the last query sees the last key.
  static Mask causal(Index n, Index m);
  // Key j is seen by query i when |i - j| <= reach. reach >= 0.
  static Mask local(Index n, Index m, Index reach);
  // Keys from `valid` on are padding. 0 <= valid <= m.
  static Mask key_padding(Index n, Index m, Index valid);
  // Queries from `valid` on are padding: their rows are empty. 0 <= valid <= n.
  static Mask query_padding(Index n, Index m, Index valid);
  // Any pattern.
  static Mask dense(BoolMatrix allowed);

  Index rows() const { return n_; }
  Index cols() const { return m_; }
  // True when every row is one range; then `range` is all there is to know.
  bool is_ranges() const { return bits_ == nullptr; }
  // The smallest range that holds every allowed key of row i. O(m) where there are bits.
  KeyRange range(Index i) const;
  bool allowed(Index i, Index j) const {
    const KeyRange r = band(i);
    return j >= r.begin && j < r.end && (!bits_ || (*bits_)(i, j));
  }
  // The m bits of row i, which hold within `range` only, or null when the range says everything.
  const bool* bits(Index i) const { return bits_ ? bits_->data() + i * m_ : nullptr; }
  // How many pairs are kept.
  Index kept() const;

  // Both must allow. The shapes must be equal, else InputError.
  friend Mask operator&(const Mask& a, const Mask& b);

 private:
  // Range of keys that row i keeps without its bits.
  KeyRange band(Index i) const;
  Mask(Index n, Index m) : n_(n), m_(m), begin_shift_(-n), end_shift_(m), queries_(n), keys_(m) {}

  Index n_ = 0, m_ = 0;
  // Row i sees [max(0, i + begin_shift), min(keys, i + end_shift)) when i < queries, else nothing.
  Index begin_shift_, end_shift_, queries_, keys_;
  std::shared_ptr<const BoolMatrix> bits_;
};

}  // namespace core
