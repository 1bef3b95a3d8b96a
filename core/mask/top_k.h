// The best keys of each row, from scores that are never held all at once.
#pragma once

#include <functional>
#include <span>

#include "core/mask/sparse_mask.h"

namespace core {

// Writes the m scores of query i. Called from several threads at once.
using RowScores = std::function<void(Index i, std::span<float> scores)>;

struct TopKOptions {
  // Keys to choose among, n x m; null: all of them. Not owned.
  const SparseMask* among = nullptr;
  int threads = 0;  // 0 = all cores
};

// Row i keeps its k largest scores, ties to the lower key; all of its keys when there are no more
// than k. A NaN is below everything, -infinity included. n, m within SparseMask's sizes, k >= 0,
// else InputError. O(n m) time and O(m) memory a thread; `cancel` is polled for every row.
SparseMask top_k(Index n, Index m, Index k, const RowScores& scores,
                 const TopKOptions& options = {}, const Cancel& cancel = {});
// The same of scores that are at hand, n x m.
SparseMask top_k(const Matrix& scores, Index k, const TopKOptions& options = {});

}  // namespace core
