// And, or and minus of the runs of one row: arithmetic progressions stay progressions, so that the
// time follows the runs and not the keys wherever it can.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/mask/sparse_mask.h"

namespace core {

// The keys that two runs share: again one run, whose step is the least common multiple of theirs
// (Chinese remainder theorem). Empty when there is none.
std::optional<KeyRun> intersect_run(const KeyRun& a, const KeyRun& b);

// The keys of `a` that are not in `b`, appended to `pieces`. What lies between two keys of `b` is
// written as c - 1 runs or, when that is fewer, as the q - 1 remaining residues (c keys of `a` are
// in `b`, every q-th).
void subtract_run(const KeyRun& a, const KeyRun& b, std::vector<KeyRun>& pieces);

// Sets of keys as runs that name each key once, in rising order of `begin`: what SparseMask keeps
// of a row. The object holds scratch memory that its calls use again; a result is valid until the
// next call and must not be passed to it. Should pairs of runs cost more than the keys themselves,
// the keys are merged one by one, so the time is never above O(keys).
class RunAlgebra {
 public:
  using Runs = std::span<const KeyRun>;
  const std::vector<KeyRun>& intersect(Runs a, Runs b);
  const std::vector<KeyRun>& unite(Runs a, Runs b);
  const std::vector<KeyRun>& subtract(Runs a, Runs b);

 private:
  // A set in two parts: runs of step 1, which do not overlap in extent, and the others.
  struct Parts {
    std::vector<KeyRun> solid, strided;
    std::int64_t keys = 0;
    void take(Runs runs);
  };
  enum class Operation { intersect, unite, subtract };

  const std::vector<KeyRun>& run(Operation operation, Runs a, Runs b);
  bool intersect_parts();
  bool unite_parts();
  bool subtract_parts();
  void meet_solids(const std::vector<KeyRun>& runs, const std::vector<KeyRun>& solids);
  void cut_pieces(const std::vector<KeyRun>& cutters);
  void cut_solids(const std::vector<KeyRun>& solids);
  void merge_keys(Operation operation, Runs a, Runs b);
  void tidy();
  // False when the work so far costs more than the keys would.
  bool worth_it() const { return work_ <= budget_; }

  Parts a_, b_;
  std::vector<KeyRun> result_, pieces_, cut_;
  std::vector<std::int32_t> keys_a_, keys_b_, keys_;
  std::int64_t work_ = 0, budget_ = 0;
};

}  // namespace core
