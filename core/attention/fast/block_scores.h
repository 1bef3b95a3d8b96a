// Scores of one block of a sparse plan.
#pragma once

#include <span>
#include <vector>

#include "core/attention/sparse/packed_lattices.h"
#include "core/attention/sparse/sparse_plan.h"

namespace core::detail {

// Source of scores. Rows of Q and K are those of the plan's mask.
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

// The scores of all rows of a block, each run's in its place. Rows are counted from the block's
// first.
class BlockScores {
 public:
  // Both must outlive this; the scores are kept in `room`.
  BlockScores(const ScoreSource& source, FloatBuffer& room) : source_(source), room_(room) {}

  // Scaled scores of one head.
  void compute(const SparseBlock& block, Index head);

  float* data() { return scores_; }
  std::span<const KeyRun> runs(Index row) const {
    return source_.plan.mask().row(block_->first + row);
  }
  // A row's scores in whole vectors, -inf where nothing is kept. Valid until the next call.
  std::span<const kernels::Segment> segments(Index row);
  // A row's scores run after run, `factor` times, into kept(row) floats.
  void copy_row(Index row, float factor, float* to) const;
  // Sets every kept score of a row, and 0 in between.
  void fill_row(Index row, float value);

 private:
  void score_groups(Index head);
  void score_scattered(Index head, Index row);
  void scaled_query(Index head, Index row, float* to) const;

  const ScoreSource& source_;
  FloatBuffer& room_;
  const SparseBlock* block_ = nullptr;
  float* queries_ = nullptr;
  float* scores_ = nullptr;
  std::vector<kernels::Segment> segments_;
};

}  // namespace core::detail
