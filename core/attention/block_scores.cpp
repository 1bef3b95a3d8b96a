#include "core/attention/block_scores.h"

#include <algorithm>
#include <limits>

namespace core::detail {
namespace {

Index round_up(Index i, Index step) { return (i + step - 1) / step * step; }

void scaled_row(const ScoreSource& source, Index head, Index row, float* to) {
  const float* from = source.Q.data() + row * source.Q.outerStride() + head * source.d_k;
  for (Index k = 0; k < source.d_k; ++k) to[k] = from[k] * source.scale;
}

}  // namespace

GroupView::GroupView(const SparseBlock& block, const PlannedGroup& planned, float* scores) {
  for (Index r = 0; r < planned.rows; ++r) {
    const PlannedItem& item = block.items[static_cast<std::size_t>(planned.item + r)];
    begins[r] = item.begin;
    ends[r] = item.end;
  }
  group = {planned.rows, planned.begin,           planned.end,   begins,
           ends,         scores + planned.offset, planned.stride};
}

void BlockScores::compute(const ScoreSource& source, const SparseBlock& block, Index head) {
  const Index queries = round_up(kernels::kGroupRows * source.d_k, 16);
  queries_ = room_->reserve(queries + block.room);
  scores_ = queries_ + queries;
  score_groups(source, block, head);
  score_scattered(source, block, head);
}

void BlockScores::score_groups(const ScoreSource& source, const SparseBlock& block, Index head) {
  for (const PlannedGroup& planned : block.groups) {
    for (Index r = 0; r < planned.rows; ++r) {
      const PlannedItem& item = block.items[static_cast<std::size_t>(planned.item + r)];
      scaled_row(source, head, block.first + item.row, queries_ + r * source.d_k);
    }
    const GroupView view(block, planned, scores_);
    source.table.group_scores(view.group, queries_, source.d_k,
                              source.packed.keys(head, planned.lattice));
  }
}

void BlockScores::score_scattered(const ScoreSource& source, const SparseBlock& block, Index head) {
  Index run = 0;
  for (Index row = 0; row < block.end - block.first; ++row) {
    const Index count = block.scattered[static_cast<std::size_t>(row)];
    if (count > 0) {
      scaled_row(source, head, block.first + row, queries_);
      const std::span<const std::int32_t> keys = scattered_keys(source.plan, block, row, run);
      float* s = scores_ + block.scattered_at[static_cast<std::size_t>(row)];
      source.table.gathered_scores({source.K.data() + head * source.d_k, source.K.outerStride(),
                                    source.d_k, keys.data(), count},
                                   queries_, s);
      std::fill(s + count, s + round_up(count, source.plan.lanes()),
                -std::numeric_limits<float>::infinity());
    }
    run += static_cast<Index>(source.plan.mask().row(block.first + row).size());
  }
}

std::span<const kernels::Segment> BlockScores::segments(const SparsePlan& plan,
                                                        const SparseBlock& block, Index row,
                                                        Index run) {
  const Index lanes = plan.lanes(), scattered = block.scattered[static_cast<std::size_t>(row)];
  segments_.clear();
  if (scattered > 0) {
    segments_.push_back(
        {scores_ + block.scattered_at[static_cast<std::size_t>(row)], round_up(scattered, lanes)});
  }
  for (const KeyRun& each : plan.mask().row(block.first + row)) {
    const RunPlace& place = block.places[static_cast<std::size_t>(run++)];
    if (place.scattered) continue;
    const Index begin = place.offset / lanes * lanes;
    segments_.push_back({scores_ + begin, round_up(place.offset + each.count, lanes) - begin});
  }
  return segments_;
}

std::span<const std::int32_t> BlockScores::scattered_keys(const SparsePlan& plan,
                                                          const SparseBlock& block, Index row,
                                                          Index run) {
  keys_.clear();
  for (const KeyRun& each : plan.mask().row(block.first + row)) {
    if (!block.places[static_cast<std::size_t>(run++)].scattered) continue;
    for (std::int32_t t = 0; t < each.count; ++t) keys_.push_back(each.begin + t * each.step);
  }
  return keys_;
}

}  // namespace core::detail
