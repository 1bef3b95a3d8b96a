// attnscope_bench [--quick] [--rounds N]: attention beside PyTorch, as ratios.
//
// Own runs and the peer's take turns in short rounds, so that what else the machine does meets
// both. Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

#include "core/attention/fast/fast_multi_head.h"
#include "core/attention/fast/gemm.h"
#include "core/attention/fast/weight_tile.h"
#include "core/attention/streaming/streaming.h"
#include "core/parallel.h"
#include "peer.h"
#include "timing.h"

namespace {

using core::Index;
using core::Matrix;

constexpr Index kHeads = 8, kWidth = 512, kHeadWidth = kWidth / kHeads;

struct Setup {
  bool quick = false;
  int rounds = 7;
  double peak = 0;  // multiplications and additions a second, one core
};

// A matrix product that stays in the first cache: what this core can do at most.
double measure_peak() {
  const core::kernels::Table& table = core::kernels_for(core::Isa::best);
  constexpr Index kRows = 6, kDepth = 64;
  core::FloatBuffer a(kRows * kDepth), panel(kDepth * table.width), c(kRows * table.width);
  std::fill_n(a.data(), kRows * kDepth, 1.F);
  std::fill_n(panel.data(), kDepth * table.width, 1.F);
  bench::Times times;
  for (int round = 0; round < 200; ++round) {
    times.add({bench::time_once([&] {
      for (int i = 0; i < 1000; ++i) {
        table.multiply(a.data(), kDepth, kRows, panel.data(), table.width, kDepth, c.data(),
                       table.width, false);
      }
    })});
  }
  return 2e3 * static_cast<double>(kRows * kDepth * table.width) / times.min();
}

// One line of the table: `own` against the peer's `name` (empty: against nobody).
struct Case {
  std::string title, name;
  Index n;
  int threads;
  double operations;
  std::function<void()> own;
};

void compare(const Setup& setup, bench::Peer& peer, const Case& row) {
  row.own();
  const double once = bench::time_once(row.own);
  const int repeats = std::max(1, static_cast<int>(0.05 / once));
  bench::Times own;
  bench::BestOfPeer best(peer, row.name, row.n, row.threads, bench::Multiplies::yes);
  for (int round = 0; round < setup.rounds; ++round) {
    for (int i = 0; i < repeats; ++i) own.add({bench::time_once(row.own)});
    best.run(repeats);
  }
  const bench::Times& other = best.times();
  std::string line = fmt::format("{:<34} {:>5} {:>2}  {:>8.2f} {:>8.2f}", row.title, row.n,
                                 row.threads, own.min() * 1e3, own.median() * 1e3);
  if (other.all.empty()) {
    line += fmt::format("  {:>8} {:>8} {:>4}  {:>5} {:>5}", "-", "-", "-", "-", "-");
  } else {
    line += fmt::format("  {:>8.2f} {:>8.2f} {:>4}  {:>5.2f} {:>5.2f}", other.min() * 1e3,
                        other.median() * 1e3, best.setting().text(), other.min() / own.min(),
                        other.median() / own.median());
  }
  fmt::print("{}  {:>4.0f} %\n", line, 100 * row.operations / own.min() / setup.peak / row.threads);
  std::fflush(stdout);
}

core::MultiHeadWeights layer_weights() {
  const float size = 1 / std::sqrt(static_cast<float>(kWidth));
  core::MultiHeadWeights weights;
  weights.heads = kHeads;
  for (Matrix* W : {&weights.W_q, &weights.W_k, &weights.W_v, &weights.W_o}) {
    *W = size * Matrix::Random(kWidth, kWidth);
  }
  for (auto* b : {&weights.b_q, &weights.b_k, &weights.b_v, &weights.b_o}) {
    *b = core::Vector::Zero(kWidth);
  }
  return weights;
}

void compare_at(const Setup& setup, bench::Peer& peer, Index n, int threads) {
  const Matrix X = Matrix::Random(n, kWidth);
  const core::MultiHeadWeights weights = layer_weights();
  core::AttentionOptions options;
  options.heads = kHeads;
  options.scale = 1 / std::sqrt(static_cast<float>(kHeadWidth));
  options.threads = threads;
  core::FastMultiHead layer;
  const auto size = static_cast<double>(n);
  const double projections = 8 * size * kWidth * kWidth;
  const double attention = 4 * size * size * kWidth;

  compare(setup, peer,
          {"layer, all weights kept", "layer", n, threads, projections + attention,
           [&] { multi_head_forward_into(X, X, weights, options, layer); }});
  const auto attend = [&] {
    core::attend_fast_into(layer.Q, layer.K, layer.V, options, layer.attention);
  };
  compare(setup, peer, {"attention alone", "core", n, threads, attention, attend});
  options.mask = core::Mask::causal(n, n);
  const double half = 4 * kWidth * size * (size + 1) / 2;
  compare(setup, peer, {"causal", "causal", n, threads, half, attend});
  compare(setup, peer,
          {"causal, peer as usually written", "causal_usual", n, threads, half, attend});
}

void compare_products(const Setup& setup, bench::Peer& peer, int threads) {
  const Matrix A = Matrix::Random(2048, kWidth), B = Matrix::Random(kWidth, kWidth);
  Matrix C;
  const core::Product product{&A, &B, nullptr, &C};
  compare(setup, peer,
          {"projection 2048 x 512 x 512", "", 2048, threads, 2.0 * 2048 * kWidth * kWidth, [&] {
             core::multiply_into({&product, 1}, threads);
           }});
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Comes first in the program, so that the peak of memory is its own.
void measure_streaming(const Setup& setup, Index n) {
  const Matrix Q = Matrix::Random(n, kWidth), K = Matrix::Random(n, kWidth),
               V = Matrix::Random(n, kWidth);
  core::AttentionOptions options;
  options.heads = kHeads;
  options.scale = 1 / std::sqrt(static_cast<float>(kHeadWidth));
  core::StreamedAttention streamed;
  for (const bool causal : {true, false}) {
    options.mask = causal ? core::Mask::causal(n, n) : core::Mask::none(n, n);
    const double time =
        bench::time_once([&] { streamed = core::stream_attention(Q, K, V, options); });
    const auto size = static_cast<double>(n);
    const double share =
        4 * size * size * kWidth * (causal ? 0.5 : 1) / time / setup.peak / core::thread_count(0);
    fmt::print(
        "streamed, n {}, 8 heads, {}: {:.2f} s on {} threads, {:.0f} % of the peak, {:.0f} MB\n", n,
        causal ? "causal" : "every key", time, core::thread_count(0), 100 * share,
        peak_megabytes());
  }
  options.threads = 1;
  bench::Times tile;
  for (int i = 0; i < 20; ++i) {
    tile.add({bench::time_once([&] {
      weight_tile(Q, K, options, streamed.row_max, streamed.row_sum,
                  {.r0 = 64, .r1 = 64 + 2048, .c0 = 0, .c1 = 2048, .level = 3});
    })});
  }
  fmt::print("a 256 x 256 tile at level 3 (2048 x 2048 weights), 1 thread: {:.2f} ms\n\n",
             tile.min() * 1e3);
}

Setup parse(int count, char** words) {
  Setup setup;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--quick") {
      setup.quick = true;
    } else if (word == "--rounds" && i + 1 < count) {
      setup.rounds = std::max(1, std::atoi(words[++i]));
    } else {
      fmt::print(stderr, "attnscope_bench: expected [--quick] [--rounds N], got {}\n", word);
      std::exit(2);
    }
  }
  return setup;
}

}  // namespace

int main(int count, char** words) {
  Setup setup = parse(count, words);
  setup.peak = measure_peak();
  fmt::print("kernels {}, peak of one core {:.0f} Gflop/s\n",
             core::kernels_for(core::Isa::best).name, setup.peak / 1e9);
  bench::Peer peer(ATTNSCOPE_SOURCE_DIR "/tests/bench/torch_peer.py");  // or else nothing at all
  measure_streaming(setup, setup.quick ? 4096 : 16384);

  if (peer.version().empty()) {
    fmt::print("PyTorch is not there (Debian: python3-torch): own times alone.\n");
  } else {
    fmt::print("beside PyTorch {}: {}\n", peer.version(), bench::kPeerColumns);
  }
  fmt::print("{:<34} {:>5} {:>2}  {:>8} {:>8}  {:>8} {:>8} {:>4}  {:>5} {:>5}  {:>6}\n",
             "8 heads, width 512", "n", "t", "min ms", "median", "peer min", "median", "set", "min",
             "med", "peak");
  for (const int threads : {1, 2}) {
    compare_products(setup, peer, threads);
    for (const Index n : {128, 512, 1024, 2048, 4096}) {
      if (!setup.quick || n <= 1024) compare_at(setup, peer, n, threads);
    }
  }
  return 0;
}
