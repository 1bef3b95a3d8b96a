// attnscope_bench: attention beside PyTorch and ONNX Runtime, as ratios.
//
// Own runs and the peers' take turns in short rounds, so that what else the machine does meets
// all. Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "arguments.h"
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
  bool quick = false, alone = false;
  int rounds = 7;
  std::string json, against;  // files
  double peak = 0;            // multiplications and additions a second, one core
};

struct Peers {
  bench::Peer torch, onnx;
  // Medians of an earlier run, by what was measured.
  std::map<std::string, double> before;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
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

// Bytes a second that `threads` read of memory that no cache holds.
double measure_reading(int threads) {
  constexpr Index kFloats = Index{1} << 25, kPart = Index{1} << 16;
  const Matrix numbers = Matrix::Ones(kFloats / kPart, kPart);
  std::vector<float> sums(static_cast<std::size_t>(numbers.rows()));
  bench::Times times;
  for (int round = 0; round < 10; ++round) {
    times.add({bench::time_once([&] {
      core::parallel_for(numbers.rows(), threads, [&](Index k, int) {
        sums[static_cast<std::size_t>(k)] = numbers.row(k).sum();
      });
    })});
  }
  return 4 * static_cast<double>(kFloats) / times.min();
}

// A few lines of the table: `own` against PyTorch's case `name` and ONNX Runtime's of the same name
// (empty: against nobody).
struct Case {
  std::string title, name;
  Index n;
  int threads;
  double operations;
  std::function<void()> own;
};

std::vector<std::string> flavours(const std::string& name) {
  if (name == "causal") return {"causal.plain", "causal.fused", "causal.grouped"};
  if (name == "layer") return {"layer.plain", "layer.packed", "layer.fused"};
  if (name == "core") return {"core.plain", "core.fused"};
  return {};
}

void print_peer(const char* name, const bench::BestOfPeer& best, const bench::Times& own,
                nlohmann::ordered_json& row) {
  fmt::print("  {:<12} {:>8.2f} {:>8.2f} {:>8}  {:>5.2f} {:>5.2f}", name, best.min() * 1e3,
             best.median() * 1e3, best.text(), best.min() / own.min(),
             best.median() / own.median());
  row["peers"].push_back({{"peer", name},
                          {"setting", best.text()},
                          {"min_ms", best.min() * 1e3},
                          {"median_ms", best.median() * 1e3}});
}

void compare(const Setup& setup, Peers& peers, const Case& of) {
  of.own();
  const double once = bench::time_once(of.own);
  const int repeats = std::max(1, static_cast<int>(0.05 / once));
  bench::Times own;
  bench::BestOfPeer torch(peers.torch, of.name, of.n, of.threads, bench::Multiplies::yes);
  bench::BestOfPeer onnx(peers.onnx, flavours(of.name), of.n, of.threads);
  for (int round = 0; round < setup.rounds; ++round) {
    for (int i = 0; i < repeats; ++i) own.add({bench::time_once(of.own)});
    torch.run(repeats);
    onnx.run(repeats);
  }
  const std::string key = fmt::format("{}, n {}, {} threads", of.title, of.n, of.threads);
  nlohmann::ordered_json row{{"case", key},
                             {"min_ms", own.min() * 1e3},
                             {"median_ms", own.median() * 1e3},
                             {"peak_share", of.operations / own.min() / setup.peak / of.threads},
                             {"peers", nlohmann::ordered_json::array()}};
  fmt::print("{:<32} {:>5} {:>2}  {:>8.2f} {:>8.2f} {:>4.0f} %", of.title, of.n, of.threads,
             own.min() * 1e3, own.median() * 1e3,
             100 * of.operations / own.min() / setup.peak / of.threads);
  if (!torch.none()) print_peer("PyTorch", torch, own, row);
  if (!onnx.none()) {
    if (!torch.none()) fmt::print("\n{:66}", "");
    print_peer("ONNX Runtime", onnx, own, row);
  }
  if (const auto found = peers.before.find(key); found != peers.before.end()) {
    fmt::print("  before: {:.2f}", found->second / (own.median() * 1e3));
  }
  fmt::print("\n");
  std::fflush(stdout);
  peers.rows.push_back(std::move(row));
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

void compare_at(const Setup& setup, Peers& peers, Index n, int threads) {
  const Matrix X = Matrix::Random(n, kWidth);
  const core::PackedMultiHeadWeights weights(layer_weights());
  core::AttentionOptions options;
  options.heads = kHeads;
  options.scale = 1 / std::sqrt(static_cast<float>(kHeadWidth));
  options.threads = threads;
  core::FastMultiHead layer;
  const auto size = static_cast<double>(n);
  const double projections = 8 * size * kWidth * kWidth;
  const double attention = 4 * size * size * kWidth;

  compare(setup, peers,
          {"layer, all weights kept", "layer", n, threads, projections + attention,
           [&] { multi_head_forward_into(X, X, weights, options, layer); }});
  const auto attend = [&] {
    core::attend_fast_into(layer.Q, layer.K, layer.V, options, layer.attention);
  };
  compare(setup, peers, {"attention alone", "core", n, threads, attention, attend});
  options.mask = core::Mask::causal(n, n);
  const double half = 4 * kWidth * size * (size + 1) / 2;
  compare(setup, peers, {"causal", "causal", n, threads, half, attend});
  compare(setup, peers,
          {"causal, peer as usually written", "causal_usual", n, threads, half, attend});
}

void compare_products(const Setup& setup, Peers& peers, int threads) {
  const Matrix A = Matrix::Random(2048, kWidth), B = Matrix::Random(kWidth, kWidth);
  Matrix C;
  const core::Product product{&A, &B, nullptr, &C};
  compare(setup, peers,
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
  bench::Arguments()
      .quick(setup.quick)
      .alone(setup.alone)
      .rounds(setup.rounds)
      .option("--json", setup.json, "Writes what was measured into this file")
      .option("--against", setup.against,
              "Tells how many times as long an earlier run took, of which --json wrote this file")
      .read(count, words);
  return setup;
}

std::map<std::string, double> medians_of(const std::string& file) {
  std::map<std::string, double> all;
  try {
    for (const auto& row : nlohmann::json::parse(std::ifstream(file)).at("rows")) {
      all[row.at("case").get<std::string>()] = row.at("median_ms").get<double>();
    }
  } catch (const nlohmann::json::exception&) {
    fmt::print(stderr, "attnscope_bench: --against: expected a file that --json wrote, got {}\n",
               file);
    std::exit(2);
  }
  return all;
}

void write_json(const Setup& setup, Peers& peers) {
  if (setup.json.empty()) return;
  const nlohmann::ordered_json all{{"kernels", core::kernels_for(core::Isa::best).name},
                                   {"peak_gflops", setup.peak / 1e9},
                                   {"pytorch", peers.torch.version()},
                                   {"onnxruntime", peers.onnx.version()},
                                   {"rows", std::move(peers.rows)}};
  std::ofstream(setup.json) << all.dump(1) << "\n";
}

}  // namespace

int main(int count, char** words) {
  Setup setup = parse(count, words);
  const auto before =
      setup.against.empty() ? std::map<std::string, double>() : medians_of(setup.against);
  setup.peak = measure_peak();
  fmt::print("kernels {}, peak of one core {:.0f} Gflop/s\n",
             core::kernels_for(core::Isa::best).name, setup.peak / 1e9);
  const std::string folder = ATTNSCOPE_SOURCE_DIR "/tests/bench/";
  measure_streaming(setup, setup.quick ? 4096 : 16384);
  fmt::print("reading: {:.1f} GB/s by 1 thread, {:.1f} by 2\n", measure_reading(1) / 1e9,
             measure_reading(2) / 1e9);
  Peers peers{.torch = bench::Peer(bench::torch_peer(setup.alone)),
              .onnx = bench::Peer(setup.alone ? "" : folder + "onnx_peer.py"),
              .before = before};

  bench::tell(peers.torch);
  if (setup.alone) {
    fmt::print("ONNX Runtime was left off.\n");
  } else if (peers.onnx.version().empty()) {
    fmt::print(
        "ONNX Runtime is not there (its library below the folder that ATTNSCOPE_PEERS names, and "
        "Debian's "
        "python3-onnx).\n");
  } else {
    fmt::print("beside ONNX Runtime {}: its best flavour of the graph, all weights an output\n",
               peers.onnx.version());
  }
  fmt::print("{:<32} {:>5} {:>2}  {:>8} {:>8} {:>6}  {:<12} {:>8} {:>8} {:>8}  {:>5} {:>5}\n",
             "8 heads, width 512", "n", "t", "min ms", "median", "peak", "peer", "min", "median",
             "setting", "min", "med");
  for (const int threads : {1, 2}) {
    compare_products(setup, peers, threads);
    for (const Index n : {128, 512, 1024, 2048, 4096}) {
      if (!setup.quick || n <= 1024) compare_at(setup, peers, n, threads);
    }
  }
  write_json(setup, peers);
  return 0;
}
