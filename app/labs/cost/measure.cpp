// Times of the attention kernels on this machine.
#include <chrono>

#include "app/labs/cost/kernels.h"
#include "app/labs/shared/parts.h"
#include "core/attention/fast.h"
#include "core/attention/sparse.h"
#include "core/parallel.h"
#include "core/random.h"

namespace lab::cost {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSampleSeconds = 2e-3;   // a sample repeats its call for at least so long
constexpr int kSamples = 9, kFewest = 3;  // of a call; the fewer the longer it is
constexpr double kPatience = 0.15;        // seconds for all samples of one kernel at one length

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  core::Random random(seed);
  Matrix matrix(rows, cols);
  for (Index k = 0; k < matrix.size(); ++k) {
    matrix.data()[k] = static_cast<float>(random.gaussian());
  }
  return matrix;
}

// The inputs of one length, and what the kernels write into.
class Bench {
 public:
  Bench(const KernelSizes& sizes, Index n, int threads)
      : Q_(random_matrix(n, sizes.d, 1)),
        K_(random_matrix(n, sizes.d, 2)),
        V_(random_matrix(n, sizes.d, 3)),
        mask_(make_mask(sizes.pattern, n, sizes.r)) {
    options_.heads = sizes.heads;
    options_.keep_weights = false;
    options_.threads = threads;
  }

  Index length() const { return Q_.rows(); }
  void run(Kernel kernel, const core::Cancel& cancel) {
    options_.mask.reset();
    if (kernel == Kernel::sparse) {
      core::attend_sparse_into(Q_, K_, V_, mask_, options_, sparse_result_, cancel);
      return;
    }
    if (kernel == Kernel::causal) options_.mask = core::Mask::causal(length(), length());
    core::attend_fast_into(Q_, K_, V_, options_, dense_result_, cancel);
  }

 private:
  Matrix Q_, K_, V_;
  core::SparseMask mask_;
  core::AttentionOptions options_;
  core::Attention dense_result_;
  core::SparseAttention sparse_result_;
};

// The first call warms caches and buffers, and tells how often to repeat.
Timing time_of(Bench& bench, Kernel kernel, double patience, const core::Cancel& cancel) {
  auto start = Clock::now();
  bench.run(kernel, cancel);
  const double once = seconds_since(start);
  const int repeats = std::clamp(static_cast<int>(std::ceil(kSampleSeconds / once)), 1, 1000);
  const int affordable = static_cast<int>(kPatience / (once * repeats));
  const int samples = once > patience ? 1 : std::clamp(affordable, kFewest, kSamples);
  std::vector<double> seconds;
  for (int s = 0; s < samples; ++s) {
    cancel.poll();
    start = Clock::now();
    for (int k = 0; k < repeats; ++k) bench.run(kernel, cancel);
    seconds.push_back(seconds_since(start) / repeats);
  }
  std::sort(seconds.begin(), seconds.end());
  return {bench.length(), samples, seconds.front(), seconds[seconds.size() / 2], seconds.back()};
}

void fit(Series& series) {
  const std::size_t count = std::min(kFitted, series.timings.size());
  if (count < 3) return;
  std::vector<double> n, seconds;
  for (std::size_t k = series.timings.size() - count; k < series.timings.size(); ++k) {
    n.push_back(to_double(series.timings[k].n));
    seconds.push_back(series.timings[k].seconds);
  }
  series.fit = core::fit_power(n, seconds);
}

}  // namespace

Measured measure(const KernelSizes& sizes, const Run& run,
                 const std::function<void(const Measured&)>& report, const MeasureLimits& limits) {
  const core::Cancel& cancel = run.cancel;
  Measured measured;
  measured.threads = core::thread_count(run.threads);
  const std::vector<Index> lengths = kernel_lengths(sizes.longest);
  double planned = 0, done = 0;
  for (const Index n : lengths) planned += to_double(n);
  for (const Index n : lengths) {
    const bool fits = to_double(n) * sizes.d <= limits.numbers;
    std::optional<Bench> bench;
    if (fits) bench.emplace(sizes, n, run.threads);
    for (const Kernel kernel : kKernels) {
      cancel.poll();
      Series& series = measured.series[static_cast<std::size_t>(kernel)];
      const bool slow = !series.timings.empty() && series.timings.back().seconds > limits.seconds;
      if (!fits || slow || kernel_cost(kernel, sizes, n).macs > limits.macs) {
        ++measured.left_out;
        continue;
      }
      series.timings.push_back(time_of(*bench, kernel, limits.seconds, cancel));
      fit(series);
    }
    done += to_double(n);
    cancel.progress(static_cast<float>(done / planned));
    measured.whole = n == lengths.back();
    report(measured);
  }
  return measured;
}

}  // namespace lab::cost
