// The weights of one head, read a few rows at a time: nothing of n by m is ever held.
#pragma once

#include <memory>
#include <vector>

#include "core/io/tensor/tensor_view.h"
#include "core/tile.h"
#include "core/types.h"

namespace core::heads {

class HeadRows {
 public:
  virtual ~HeadRows() = default;
  virtual Index queries() const = 0;
  virtual Index keys() const = 0;
  // Writes the rows of `count` queries from `first` on, keys() numbers each, to `out`; kMasked
  // where a key may not be seen. Callable from any thread. InputError when a file was changed.
  virtual void read(Index first, Index count, float* out, const Cancel& cancel) const = 0;

  std::vector<float> row(Index query, const Cancel& cancel = {}) const;
};
using HeadPointer = std::shared_ptr<const HeadRows>;

// The key at which a query stands: with more keys than queries the last one at the last key.
inline Index own_key(Index query, Index queries, Index keys) { return query + keys - queries; }

// Rows as a file has them.
HeadPointer stored_rows(TensorView view);
// Reads a matrix in memory.
HeadPointer dense_rows(Matrix weights);

// Reads a matrix (n, m) that outlives them; keys that a query may not see are masked. Causal: query
// i sees the keys up to i, with a window (0: none) the last so many of them.
HeadPointer seen_rows(const Eigen::Map<const Matrix>& weights, bool causal, Index window);

// Options of a softmax over scores. Causal: a query sees keys up to own_key alone.
struct SoftmaxOptions {
  bool causal = false;
  bool operator==(const SoftmaxOptions&) const = default;
};
// softmax of each row of `scores`. What is masked there, and -inf, weighs nothing and is masked. A
// row of which nothing is left is masked whole; a NaN or a +inf makes the others NaN.
HeadPointer softmax_rows_of(HeadPointer scores, const SoftmaxOptions& options);

// scale q·k for each query and key. queries: (n, d), keys: (m, d), with the same d, else
// InputError. Sums in double, rounded once.
HeadPointer product_rows(TensorView queries, TensorView keys, double scale);

// The mean, or the largest, of the same pair in several heads of one shape, else InputError. What
// is masked in all of them is masked; otherwise it counts as 0. A NaN stays one.
HeadPointer mean_rows(std::vector<HeadPointer> heads);
HeadPointer largest_rows(std::vector<HeadPointer> heads);
// a - b, of one shape, else InputError. Masked where both are; where one is it counts as 0.
HeadPointer difference_rows(HeadPointer a, HeadPointer b);

// Every step-th query and key: 0, step, 2 step, ... step >= 1, else InputError.
HeadPointer every_row(HeadPointer head, Index step);

}  // namespace core::heads
