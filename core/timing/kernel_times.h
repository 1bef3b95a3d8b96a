// Attention kernels, timed on the machine that runs this, now.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "core/cost/power_fit.h"
#include "core/mask/sparse_mask.h"
#include "core/types.h"

namespace core {

// Every weight, the causal half, and the pairs of a pattern.
enum class Kernel { dense, causal, sparse };
inline constexpr Kernel kKernels[] = {Kernel::dense, Kernel::causal, Kernel::sparse};

// One kernel at one length. Seconds of one call: the fastest of `samples`, since whatever disturbs
// a measurement adds to it, and the median and the slowest besides.
struct KernelTiming {
  Index n = 0;
  int samples = 0;
  double seconds = 0, median = 0, slowest = 0;
};

struct KernelSeries {
  std::vector<KernelTiming> timings;
  // Through the longest `kFitted` lengths; nothing before there are three.
  std::optional<PowerFit> fit;

  const KernelTiming* at(Index n) const;
};
inline constexpr std::size_t kFitted = 4;

struct KernelTimes {
  std::array<KernelSeries, 3> series;  // by Kernel
  int threads = 0;
  bool whole = false;  // false while lengths are still under way
  // Lengths that were left out: a call there would take more multiply-adds or memory than allowed.
  Index left_out = 0;

  const KernelSeries& of(Kernel kernel) const { return series[static_cast<std::size_t>(kernel)]; }
};

// What is larger is left out: half a second on two cores, and Q, K, V and the output of half a GiB.
struct KernelLimits {
  double macs = 2e10;
  double numbers = 1 << 25;  // of Q
  double seconds = 2;        // of a call, on a slow or busy machine: longer lengths are left out
};

struct TimedKernels {
  Index width = 0, heads = 1;  // of all heads together
  std::vector<Index> lengths;
  std::function<SparseMask(Index n)> mask;  // the pattern
  std::function<double(Kernel kernel, Index n)> macs;
};

// Times every kernel at every length, weights not kept; `report` is called after each length with
// what there is so far. Polls `cancel` and reports progress.
KernelTimes time_kernels(const TimedKernels& what, const KernelLimits& limits, int threads,
                         const Cancel& cancel,
                         const std::function<void(const KernelTimes&)>& report);

}  // namespace core
