#include "core/timing/position_times.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/attention/fast/gemm.h"
#include "core/position/rotary/rotary.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "core/timing/measure_seconds.h"

namespace core {
namespace {

constexpr int kPositionSamples = 9;
constexpr double kPositionSeconds = 2e-3;  // each sample repeats its work for at least so long
constexpr Index kPositionNumbers = Index{1} << 16;  // of one matrix: a quarter of a MiB
constexpr int kPositionWays = 4;

// What all candidates work on.
struct PositionBench {
  Index tokens, d, heads;
  Matrix x, position, q, k, out, out_2, W;
  RotaryTable table;
  VectorD theta;

  Index d_head() const { return d / heads; }
};

Matrix filled_block(Index rows, Index cols) {
  return Matrix::NullaryExpr(rows, cols, [](Index r, Index c) {
    return 0.25f + static_cast<float>((r * 31 + c * 17) % 64) / 64;
  });
}

PositionBench position_bench(Index d, Index heads, double base) {
  PositionBench bench;
  bench.tokens = std::max<Index>(16, kPositionNumbers / d);
  bench.d = d;
  bench.heads = heads;
  bench.x = bench.q = bench.k = filled_block(bench.tokens, d);
  bench.out = bench.out_2 = bench.x;
  bench.W = filled_block(d, d);
  bench.theta = frequencies(bench.d_head(), base);
  bench.table = rotary_table(bench.tokens, bench.theta, 0, 1);
  sinusoidal_table_into(bench.position, bench.tokens, d, {.base = base}, 0, 1);
  return bench;
}

void rotate_all_heads(PositionBench& bench) {
  for (Index head = 0; head < bench.heads; ++head) {
    const Index at = head * bench.d_head();
    rotate_into(bench.out.data() + at, bench.q.data() + at, bench.tokens, bench.d_head(), bench.d,
                bench.table, RotaryPairing::neighbors, 1);
    rotate_into(bench.out_2.data() + at, bench.k.data() + at, bench.tokens, bench.d_head(), bench.d,
                bench.table, RotaryPairing::neighbors, 1);
  }
}

// Each token's angles once for all heads, in double, rounded once, as tables are made too.
void rotate_on_the_fly(PositionBench& bench) {
  for (Index p = 0; p < bench.tokens; ++p) {
    for (Index i = 0; i < bench.theta.size(); ++i) {
      const double angle = static_cast<double>(p) * bench.theta(i);
      bench.table.cos(p, i) = static_cast<float>(std::cos(angle));
      bench.table.sin(p, i) = static_cast<float>(std::sin(angle));
    }
  }
  rotate_all_heads(bench);
}

PositionTime time_position(const PositionBench& bench, const std::function<void()>& work,
                           float done, const Cancel& cancel) {
  work();  // caches and memory pages are warm from here on
  int repeats = 1;
  const auto sample = [&] {
    return measure_seconds([&] {
      for (int k = 0; k < repeats; ++k) work();
    });
  };
  while (sample() < kPositionSeconds) {
    cancel.poll();
    repeats *= 2;
  }
  std::vector<double> samples;
  for (int s = 0; s < kPositionSamples; ++s) {
    cancel.poll();
    samples.push_back(1e9 * sample() / repeats / static_cast<double>(bench.tokens));
    cancel.progress((done + static_cast<float>(s + 1) / kPositionSamples) / kPositionWays);
  }
  std::sort(samples.begin(), samples.end());
  return {samples[kPositionSamples / 2], samples.front(), samples.back()};
}

}  // namespace

PositionTimes time_positions(Index d_model, Index heads, double base, const Cancel& cancel) {
  PositionBench bench = position_bench(d_model, heads, base);
  PositionTimes measured;
  measured.tokens = bench.tokens;
  measured.samples = kPositionSamples;
  measured.add = time_position(
      bench, [&] { bench.out.noalias() = bench.x + bench.position; }, 0, cancel);
  measured.rotate = time_position(
      bench, [&] { rotate_all_heads(bench); }, 1, cancel);
  measured.on_the_fly = time_position(
      bench, [&] { rotate_on_the_fly(bench); }, 2, cancel);
  const Product product{&bench.x, &bench.W, nullptr, &bench.out};
  const std::vector<Product> one{product};
  measured.projections = time_position(
      bench,
      [&] {
        for (int k = 0; k < 4; ++k) multiply_into(one, 1, cancel);
      },
      3, cancel);
  return measured;
}

}  // namespace core
