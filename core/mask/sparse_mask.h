// Masks as lists of what they keep: runs of keys for each row, never n x m. Memory follows the
// number of runs; a window, a stride, a block of documents are one run a row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/mask/mask.h"
#include "core/types.h"

namespace core {

// The keys begin, begin + step, ..., `count` of them. count >= 1; step >= 1, and 1 when count is 1.
struct KeyRun {
  std::int32_t begin = 0, count = 0, step = 1;
  std::int32_t last() const { return begin + (count - 1) * step; }
  bool operator==(const KeyRun&) const = default;
};

// An n by m allow mask (row = query, column = key; true means "may attend"). Immutable; copies are
// deep. The runs of a row name each of its keys once, in rising order of `begin`; runs with a step
// above 1 may interleave with others ("every third key, and the window between").
class SparseMask {
 public:
  // An empty mask: nothing is allowed. 0 <= n, m <= kMost, else InputError.
  static constexpr Index kMost = Index{1} << 30;
  explicit SparseMask(Index n = 0, Index m = 0);

  Index rows() const { return n_; }
  Index cols() const { return m_; }
  std::span<const KeyRun> row(Index i) const {
    return {runs_.data() + first_[static_cast<std::size_t>(i)],
            runs_.data() + first_[static_cast<std::size_t>(i) + 1]};
  }
  // How many keys row i keeps; how many pairs there are in all.
  Index kept(Index i) const;
  Index kept() const { return kept_; }
  bool allowed(Index i, Index j) const;
  // The keys of row i in rising order, into `keys`, whose memory is used again.
  void keys_into(Index i, std::vector<std::int32_t>& keys) const;
  // Bytes that the runs take.
  double memory_bytes() const;

  // True when every row names each of its keys once (see above). O(kept).
  bool is_sound() const;
  // Whether both keep the same pairs, whatever runs they are written as.
  bool same_pairs(const SparseMask& other) const;

  // From and to the other forms; for tests and small sizes, since the dense one is n x m.
  static SparseMask from(const Mask& mask);
  BoolMatrix dense() const;

 private:
  friend class SparseMaskBuilder;

  Index n_ = 0, m_ = 0, kept_ = 0;
  std::vector<std::size_t> first_;  // n + 1
  std::vector<KeyRun> runs_;
};

// Makes a mask row by row, the first row first.
class SparseMaskBuilder {
 public:
  SparseMaskBuilder(Index n, Index m) : mask_(n, m) {}
  // The next row; its runs in any order. InputError when a run does not fit into m columns or there
  // are n rows already. That keys are distinct is the caller's to see to (`is_sound` checks it).
  void add_row(std::span<const KeyRun> runs);
  // Rows that were not added are empty.
  SparseMask finish();

 private:
  SparseMask mask_;
  std::vector<KeyRun> sorted_;
  Index next_ = 0;
};

// Writes rising, distinct keys as few runs: greedily, the longest progression from each key on that
// the next keys form. Appends to `runs`.
void append_runs(std::span<const std::int32_t> keys, std::vector<KeyRun>& runs);

}  // namespace core
