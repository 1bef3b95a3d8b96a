// Scores of one block of a sparse plan, run by run.
#pragma once

#include <span>
#include <vector>

#include "core/attention/packed_lattices.h"
#include "core/attention/sparse_plan.h"

namespace core::detail {

// What scores are computed from. Rows of Q and K are those of the plan's mask.
struct ScoreSource {
  RowsView Q, K;  // n x (heads d_k), m x (heads d_k)
  Index d_k;
  float scale;
  const SparsePlan& plan;
  const kernels::Table& table;
  const PackedLattices& packed;
};

// One group of a block as the kernels see it.
struct GroupView {
  kernels::Int begins[kernels::kGroupRows], ends[kernels::kGroupRows];
  kernels::SparseGroup group;

  GroupView(const SparseBlock& block, const PlannedGroup& planned, float* scores);
  GroupView(const GroupView&) = delete;
  GroupView& operator=(const GroupView&) = delete;
};

class BlockScores {
 public:
  // Keeps its scores in `room`, which must outlive this.
  explicit BlockScores(FloatBuffer& room) : room_(&room) {}

  // The scaled scores of head `head` for all runs of `block`.
  void compute(const ScoreSource& source, const SparseBlock& block, Index head);

  float* data() const { return scores_; }
  // Row i's scores (i counted from the block's first row, its first run being number `run`) as
  // whole vectors, -inf where nothing is kept. Valid until the next call.
  std::span<const kernels::Segment> segments(const SparsePlan& plan, const SparseBlock& block,
                                             Index row, Index run);
  // The keys of row i's scattered runs, in order. Valid until the next call.
  std::span<const std::int32_t> scattered_keys(const SparsePlan& plan, const SparseBlock& block,
                                               Index row, Index run);

 private:
  void score_groups(const ScoreSource& source, const SparseBlock& block, Index head);
  void score_scattered(const ScoreSource& source, const SparseBlock& block, Index head);

  FloatBuffer* room_;
  float* queries_ = nullptr;
  float* scores_ = nullptr;
  std::vector<std::int32_t> keys_;
  std::vector<kernels::Segment> segments_;
};

}  // namespace core::detail
