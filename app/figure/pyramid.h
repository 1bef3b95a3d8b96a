// The pooled levels of a matrix in memory.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "core/mask/mask.h"
#include "core/tile.h"

namespace figure {

// A matrix, row by row, and the mask that hides some of its cells (null: none).
struct MaskedCells {
  const float* data;
  core::Index rows, cols;
  const core::Mask* mask;
};

// Each level is made in one pass over the matrix when it is first asked for, for each way of
// pooling on its own: the largest of a block costs a small part of what its mean does.
class Pyramid {
 public:
  static constexpr int kLevels = 48;

  // The pooled cells of `level` >= 1, row by row: of the visible cells of each block the one of the
  // greatest magnitude (the positive one of two) or their mean; NaN when one is NaN, core::kMasked
  // when there is none. `cells` are the same at each call. Callable from any thread; throws
  // core::Cancelled and then keeps nothing.
  const std::vector<float>& get(const MaskedCells& cells, int level, core::Pool pool,
                                const core::Cancel& cancel);
  // Whether the level is made already.
  bool made(int level, core::Pool pool) const;

 private:
  struct Level {
    std::vector<float> cells;
    std::atomic<bool> ready = false;
  };
  static constexpr std::size_t place(int level, core::Pool pool) {
    return 2 * static_cast<std::size_t>(level) + (pool == core::Pool::max ? 0 : 1);
  }

  std::mutex mutex_;
  std::array<Level, 2 * kLevels> levels_;
};

}  // namespace figure
