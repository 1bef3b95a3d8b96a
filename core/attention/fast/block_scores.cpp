#include "core/attention/fast/block_scores.h"

#include <algorithm>
#include <limits>

namespace core::detail {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Asks for `count` floats that will be needed soon.
void prefetch(const float* p, Index count) {
  for (Index k = 0; k < count; k += 16) __builtin_prefetch(p + k);
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

void BlockScores::compute(const SparseBlock& block, Index head) {
  block_ = &block;
  const Index queries = round_up(kernels::kGroupRows * source_.d_k, 16);
  queries_ = room_.reserve(queries + block.room);
  scores_ = queries_ + queries;
  score_groups(head);
  for (Index row = 0; row < block.rows(); ++row) {
    if (!block.row_keys(row).empty()) score_scattered(head, row);
    for (const RowSegment& segment : block.row_segments(row)) {
      if (!segment.holes) continue;
      source_.table.mask_scores({scores_ + segment.offset, segment.count},
                                block.bits.data() + segment.bits);
    }
  }
}

void BlockScores::scaled_query(Index head, Index row, float* to) const {
  const Index i = block_->first + row;
  source_.table.scale(source_.Q.data() + i * source_.Q.outerStride() + head * source_.d_k,
                      source_.d_k, source_.scale, to);
}

void BlockScores::score_groups(Index head) {
  for (std::size_t g = 0; g < block_->groups.size(); ++g) {
    const PlannedGroup& planned = block_->groups[g];
    const PlannedItem* items = block_->items.data() + planned.item;
    for (Index r = 0; r < planned.rows; ++r) {
      scaled_query(head, items[r].row, queries_ + r * source_.d_k);
    }
    if (g + 1 < block_->groups.size()) {
      const PlannedGroup& next = block_->groups[g + 1];
      for (Index r = 0; r < next.rows; ++r) {
        const Index row =
            block_->first + block_->items[static_cast<std::size_t>(next.item + r)].row;
        prefetch(source_.Q.data() + row * source_.Q.outerStride() + head * source_.d_k,
                 source_.d_k);
      }
    }
    const GroupView view(*block_, planned, scores_);
    source_.table.group_scores(view.group, queries_, source_.d_k,
                               source_.packed.keys(head, planned.lattice));
  }
}

void BlockScores::score_scattered(Index head, Index row) {
  const auto keys = block_->row_keys(row);
  const auto count = static_cast<Index>(keys.size());
  const HeadRows rows = source_.packed.key_rows(head);
  float* s = scores_ + block_->scattered_at[static_cast<std::size_t>(row)];
  scaled_query(head, row, queries_);
  source_.table.gathered_scores({rows.data, rows.stride, source_.d_k, keys.data(), count}, queries_,
                                s);
  std::fill(s + count, s + round_up(count, source_.plan.lanes()), -kInfinity);
}

std::span<const kernels::Segment> BlockScores::segments(Index row) {
  segments_.clear();
  for (const RowSegment& segment : block_->row_segments(row)) {
    segments_.push_back({scores_ + segment.offset, segment.count});
  }
  if (const auto count = static_cast<Index>(block_->row_keys(row).size()); count > 0) {
    segments_.push_back({scores_ + block_->scattered_at[static_cast<std::size_t>(row)],
                         round_up(count, source_.plan.lanes())});
  }
  return segments_;
}

void BlockScores::copy_row(Index row, float factor, float* to) const {
  const RunLayout* layout = block_->row_layouts(row).data();
  for (const KeyRun& run : runs(row)) {
    const float* from = scores_ + layout->offset;
    if (layout->stride == 1 && run.count >= source_.plan.lanes()) {
      source_.table.scale(from, run.count, factor, to);
    } else {
      for (Index t = 0; t < run.count; ++t) to[t] = from[t * layout->stride] * factor;
    }
    to += run.count;
    ++layout;
  }
}

void BlockScores::fill_row(Index row, float value) {
  for (const kernels::Segment& segment : segments(row)) {
    std::fill_n(segment.s, segment.count, 0.F);
  }
  const RunLayout* layout = block_->row_layouts(row).data();
  for (const KeyRun& run : runs(row)) {
    float* to = scores_ + layout->offset;
    for (Index t = 0; t < run.count; ++t) to[t * layout->stride] = value;
    ++layout;
  }
}

}  // namespace core::detail
