// Attention kernels: the pairs that a pattern keeps, counted, and the time they take, measured.
#pragma once

#include "app/labs/cost/layers.h"
#include "app/labs/lab.h"
#include "core/cost/attention_cost.h"
#include "core/cost/power_fit.h"
#include "core/mask/sparse_mask.h"

namespace lab::cost {

// Every weight, the causal half, and the pairs of the pattern.
enum class Kernel { dense, causal, sparse };
inline constexpr Kernel kKernels[] = {Kernel::dense, Kernel::causal, Kernel::sparse};

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

// One kernel at one length. Seconds of one call: the fastest of `samples`, since whatever disturbs
// a measurement adds to it, and the median and the slowest besides.
struct Timing {
  Index n = 0;
  int samples = 0;
  double seconds = 0, median = 0, slowest = 0;
};

struct Series {
  std::vector<Timing> timings;
  // Through the longest `kFitted` lengths; nothing before there are three.
  std::optional<core::PowerFit> fit;

  const Timing* at(Index n) const;
};
inline constexpr std::size_t kFitted = 4;

struct Measured {
  std::array<Series, 3> series;  // by Kernel
  int threads = 0;
  bool whole = false;  // false while lengths are still under way
  // Lengths that were left out: a call there would take more multiply-adds or memory than a lab
  // may.
  Index left_out = 0;

  const Series& of(Kernel kernel) const { return series[to_size(kernel)]; }
};

// What is larger is left out: half a second on two cores, and Q, K, V and the output of half a GiB.
struct MeasureLimits {
  double macs = 2e10;
  double numbers = 1 << 25;  // of Q
  double seconds = 2;        // of a call, on a slow or busy machine: longer lengths are left out
};

// Times every kernel at every length, weights not kept; `report` is called after each length with
// what there is so far. Polls `cancel` and reports progress.
Measured measure(const KernelSizes& sizes, const Run& run,
                 const std::function<void(const Measured&)>& report,
                 const MeasureLimits& limits = {});

}  // namespace lab::cost
