// Attention kernels: the pairs that a pattern keeps, counted, and the time they take, measured.
#pragma once

#include "app/labs/cost/layers.h"
#include "app/labs/lab.h"
#include "core/cost/attention_cost.h"
#include "core/mask/sparse_mask.h"
#include "core/timing/kernel_times.h"

namespace lab::cost {

using core::Kernel, core::kKernels;

// What of r positions around a query lies before it and behind it, itself left out; half of r,
// rounded down, lies before.
struct Window {
  Index before, after;
  Window(Index r, Index n) : before(std::min(r / 2, n - 1)), after(std::min((r - 1) / 2, n - 1)) {}
  Index size() const { return before + 1 + after; }
};

core::SparseMask make_mask(Pattern pattern, Index n, Index r);
// Its kept pairs, by the closed forms of core/mask.
Index pattern_pairs(Pattern pattern, Index n, Index r);
// The same as terms that add up: the letters, their numbers, the value, negative when taken away.
struct PairTerm {
  std::string symbols, numbers;
  Index value = 0;
};
struct PairSum {
  std::string letters;  // "q = 16, s = 0: n = q·r + s", or empty
  std::vector<PairTerm> terms;
};
PairSum pair_sum(Pattern pattern, Index n, Index r);

Index kernel_pairs(Kernel kernel, const KernelSizes& sizes, Index n);
// Scores and values.
core::MaskedCost kernel_cost(Kernel kernel, const KernelSizes& sizes, Index n);
// Operations for the scores of all heads, d a pair, counted as the table counts. The values take as
// many again.
inline double kernel_operations(Kernel kernel, const KernelSizes& sizes, Index n) {
  return kernel_cost(kernel, sizes, n).macs / 2;
}

// The lengths that are counted and measured: 128, 256, ... up to the longest.
std::vector<Index> kernel_lengths(int longest);

using Timing = core::KernelTiming;
using Series = core::KernelSeries;
using Measured = core::KernelTimes;
using MeasureLimits = core::KernelLimits;
using core::kFitted;

// Times every kernel at every length, weights not kept; `report` is called after each length with
// what there is so far. Polls `cancel` and reports progress.
Measured measure(const KernelSizes& sizes, const Run& run,
                 const std::function<void(const Measured&)>& report,
                 const MeasureLimits& limits = {});

}  // namespace lab::cost
