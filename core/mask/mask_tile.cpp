#include "core/mask/mask_tile.h"

#include <algorithm>
#include <string>

#include "core/parallel.h"
#include "core/refuse.h"

namespace core {
namespace {

void check(const SparseMask& mask, const MaskTileRequest& request) {
  const auto inside = [](Index begin, Index end, Index size) {
    return 0 <= begin && begin <= end && end <= size;
  };
  if (!inside(request.r0, request.r1, mask.rows()) ||
      !inside(request.c0, request.c1, mask.cols())) {
    refuse("mask tile",
           "rows within 0 to " + std::to_string(mask.rows()) + " and columns within 0 to " +
               std::to_string(mask.cols()),
           std::to_string(request.r0) + " to " + std::to_string(request.r1) + " and " +
               std::to_string(request.c0) + " to " + std::to_string(request.c1));
  }
  if (request.level < 0 || request.level > 30) {
    refuse("mask tile", "a level from 0 to 30", std::to_string(request.level));
  }
}

// The kept pairs of one row of blocks, counted block by block: runs that cover whole blocks are
// entered as a change at their ends, and summed up once.
class Strip {
 public:
  Strip(Index cols, int level)
      : level_(level), counts_(static_cast<std::size_t>(cols), 0), change_(counts_.size() + 1, 0) {}

  void clear() {
    std::fill(counts_.begin(), counts_.end(), 0);
    std::fill(change_.begin(), change_.end(), 0);
  }
  // The keys first, first + step, ..., last, counted from the tile's first column.
  void add(Index first, Index last, Index step) {
    if (step == 1) {
      add_range(first, last + 1);
    } else if (cell() % step == 0 && last - first >= 2 * cell()) {
      add_even(first, last, step);
    } else if (step >= cell()) {
      for (Index j = first; j <= last; j += step) ++count(j >> level_);
    } else {
      add_by_block(first, last, step);
    }
  }
  // How many pairs each block holds; to be called once after the runs.
  const std::vector<Index>& counts() {
    Index open = 0;
    for (std::size_t k = 0; k < counts_.size(); ++k) counts_[k] += open += change_[k];
    return counts_;
  }

 private:
  Index cell() const { return Index{1} << level_; }
  Index& count(Index block) { return counts_[static_cast<std::size_t>(block)]; }
  void add_whole(Index first_block, Index end_block, Index each) {
    change_[static_cast<std::size_t>(first_block)] += each;
    change_[static_cast<std::size_t>(end_block)] -= each;
  }
  void add_range(Index begin, Index end) {
    const Index a = begin >> level_, b = (end - 1) >> level_;
    if (a == b) {
      count(a) += end - begin;
      return;
    }
    count(a) += ((a + 1) << level_) - begin;
    count(b) += end - (b << level_);
    add_whole(a + 1, b, cell());
  }
  // A step that divides the block: every whole block holds as many keys.
  void add_even(Index first, Index last, Index step) {
    const Index a = first >> level_, b = last >> level_;
    count(a) += (((a + 1) << level_) - 1 - first) / step + 1;
    count(b) += (last - (b << level_)) / step + 1;
    add_whole(a + 1, b, cell() / step);
  }
  void add_by_block(Index first, Index last, Index step) {
    while (first <= last) {
      const Index block = first >> level_;
      const Index end = std::min(last, ((block + 1) << level_) - 1);
      const Index here = (end - first) / step + 1;
      count(block) += here;
      first += here * step;
    }
  }

  int level_;
  std::vector<Index> counts_, change_;
};

}  // namespace

Matrix mask_tile(const SparseMask& mask, const MaskTileRequest& request, int threads,
                 const Cancel& cancel) {
  check(mask, request);
  const Index cell = Index{1} << request.level;
  const Index rows = request.r1 - request.r0, cols = request.c1 - request.c0;
  Matrix tile(ceil_div(rows, cell), ceil_div(cols, cell));
  const int workers = thread_count(threads);
  std::vector<Strip> strips(static_cast<std::size_t>(workers), Strip(tile.cols(), request.level));
  parallel_for(tile.rows(), workers, [&](Index r, int worker) {
    cancel.poll();
    Strip& strip = strips[static_cast<std::size_t>(worker)];
    strip.clear();
    const Index begin = request.r0 + r * cell, end = std::min(request.r1, begin + cell);
    for (Index i = begin; i < end; ++i) {
      for (const KeyRun& run : mask.row(i)) {
        const Index skip = run.begin >= request.c0 ? 0 : ceil_div(request.c0 - run.begin, run.step);
        const Index first = run.begin + skip * run.step;
        if (skip >= run.count || first >= request.c1) continue;
        const Index behind = (request.c1 - 1 - first) / run.step;
        const Index count = std::min(run.count - skip, behind + 1);
        strip.add(first - request.c0, first - request.c0 + (count - 1) * run.step, run.step);
      }
    }
    const auto& counts = strip.counts();
    for (Index c = 0; c < tile.cols(); ++c) {
      const Index kept = counts[static_cast<std::size_t>(c)];
      const Index pairs = (end - begin) * std::min(cell, cols - c * cell);
      tile(r, c) = request.pooling == Pool::max
                       ? static_cast<float>(kept > 0)
                       : static_cast<float>(kept) / static_cast<float>(pairs);
    }
  });
  return tile;
}

}  // namespace core
