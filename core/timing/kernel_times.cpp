#include "core/timing/kernel_times.h"

#include <algorithm>
#include <cmath>

#include "core/attention/fast/fast.h"
#include "core/attention/sparse/sparse.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/timing/measure_seconds.h"

namespace core {
namespace {

constexpr double kKernelSeconds = 2e-3;  // a sample repeats its call for at least so long
constexpr int kKernelSamples = 9,
              kFewestKernelSamples = 3;   // of a call; the fewer the longer it is
constexpr double kKernelPatience = 0.15;  // seconds for all samples of one kernel at one length

Matrix random_inputs(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, cols);
  for (Index k = 0; k < matrix.size(); ++k) {
    matrix.data()[k] = static_cast<float>(random.gaussian());
  }
  return matrix;
}

// The inputs of one length, and what the kernels write into.
class KernelBench {
 public:
  KernelBench(const TimedKernels& what, Index n, int threads)
      : Q_(random_inputs(n, what.width, 1)),
        K_(random_inputs(n, what.width, 2)),
        V_(random_inputs(n, what.width, 3)),
        mask_(what.mask(n)) {
    options_.heads = what.heads;
    options_.keep_weights = false;
    options_.threads = threads;
  }

  Index length() const { return Q_.rows(); }
  void run(Kernel kernel, const Cancel& cancel) {
    options_.mask.reset();
    if (kernel == Kernel::sparse) {
      attend_sparse_into(Q_, K_, V_, mask_, options_, sparse_result_, cancel);
      return;
    }
    if (kernel == Kernel::causal) options_.mask = Mask::causal(length(), length());
    attend_fast_into(Q_, K_, V_, options_, dense_result_, cancel);
  }

 private:
  Matrix Q_, K_, V_;
  SparseMask mask_;
  AttentionOptions options_;
  Attention dense_result_;
  SparseAttention sparse_result_;
};

// The first call warms caches and buffers; its time says how often to repeat.
KernelTiming time_kernel(KernelBench& bench, Kernel kernel, double patience, const Cancel& cancel) {
  const double once = measure_seconds([&] { bench.run(kernel, cancel); });
  const int repeats = std::clamp(static_cast<int>(std::ceil(kKernelSeconds / once)), 1, 1000);
  const int affordable = static_cast<int>(kKernelPatience / (once * repeats));
  const int samples =
      once > patience ? 1 : std::clamp(affordable, kFewestKernelSamples, kKernelSamples);
  std::vector<double> seconds;
  for (int s = 0; s < samples; ++s) {
    cancel.poll();
    seconds.push_back(measure_seconds([&] {
                        for (int k = 0; k < repeats; ++k) bench.run(kernel, cancel);
                      }) /
                      repeats);
  }
  std::sort(seconds.begin(), seconds.end());
  return {bench.length(), samples, seconds.front(), seconds[seconds.size() / 2], seconds.back()};
}

void fit_series(KernelSeries& series) {
  const std::size_t count = std::min(kFitted, series.timings.size());
  if (count < 3) return;
  std::vector<double> n, seconds;
  for (std::size_t k = series.timings.size() - count; k < series.timings.size(); ++k) {
    n.push_back(static_cast<double>(series.timings[k].n));
    seconds.push_back(series.timings[k].seconds);
  }
  series.fit = fit_power(n, seconds);
}

}  // namespace

const KernelTiming* KernelSeries::at(Index n) const {
  for (const KernelTiming& timing : timings) {
    if (timing.n == n) return &timing;
  }
  return nullptr;
}

KernelTimes time_kernels(const TimedKernels& what, const KernelLimits& limits, int threads,
                         const Cancel& cancel,
                         const std::function<void(const KernelTimes&)>& report) {
  KernelTimes measured;
  measured.threads = thread_count(threads);
  double planned = 0, done = 0;
  for (const Index n : what.lengths) planned += static_cast<double>(n);
  for (const Index n : what.lengths) {
    const bool fits = static_cast<double>(n * what.width) <= limits.numbers;
    std::optional<KernelBench> bench;
    if (fits) bench.emplace(what, n, threads);
    for (const Kernel kernel : kKernels) {
      cancel.poll();
      KernelSeries& series = measured.series[static_cast<std::size_t>(kernel)];
      const bool slow = !series.timings.empty() && series.timings.back().seconds > limits.seconds;
      if (!fits || slow || what.macs(kernel, n) > limits.macs) {
        ++measured.left_out;
        continue;
      }
      series.timings.push_back(time_kernel(*bench, kernel, limits.seconds, cancel));
      fit_series(series);
    }
    done += static_cast<double>(n);
    cancel.progress(static_cast<float>(done / planned));
    measured.whole = n == what.lengths.back();
    report(measured);
  }
  return measured;
}

}  // namespace core
