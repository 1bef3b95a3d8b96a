// sparse_bench: what sparse attention costs, in time and memory, against n for each pattern, and
// beside PyTorch's dense attention under the same mask.
//
// Times tell about a machine; nothing here decides a test. The runs of this program happen in
// processes of their own, so that each has a peak of memory of its own.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>

#include "arguments.h"
#include "core/attention/sparse/sparse_tile.h"
#include "core/mask/patterns/block_patterns.h"
#include "core/mask/patterns/factorized_patterns.h"
#include "core/mask/patterns/global_patterns.h"
#include "core/mask/patterns/window_patterns.h"
#include "core/parallel.h"
#include "peer.h"
#include "timing.h"

namespace {

using core::Index;
using core::Matrix;
using core::SparseMask;

constexpr Index kHeads = 8, kWidth = 512;

struct Measured {
  double seconds = 0, kept = 0, mask_bytes = 0, peak_bytes = 0;
};

struct Inputs {
  explicit Inputs(Index n)
      : Q(Matrix::Random(n, kWidth)), K(Matrix::Random(n, kWidth)), V(Matrix::Random(n, kWidth)) {
    options.heads = kHeads;
    options.scale = 1 / std::sqrt(static_cast<float>(kWidth / kHeads));
    options.keep_weights = false;
  }
  Matrix Q, K, V;
  core::AttentionOptions options;
};

// Runs `work` in a process of its own and adds the peak of that one's memory.
Measured in_child(const std::function<Measured()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const Measured measured = work();
    std::fflush(stdout);
    const bool sent = write(ends[1], &measured, sizeof measured) == sizeof measured;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  Measured measured;
  if (read(ends[0], &measured, sizeof measured) != sizeof measured) measured = {};
  close(ends[0]);
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  measured.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  return measured;
}

// The best of several runs with buffers used again.
double best_time(const Inputs& in, const SparseMask& mask, core::SparseAttention& result) {
  bench::Times times;
  double spent = 0;
  for (int run = 0; run < 3 || (spent < 0.3 && run < 50); ++run) {
    times.add({bench::time_once(
        [&] { attend_sparse_into(in.Q, in.K, in.V, mask, in.options, result); })});
    spent += times.all.back();
  }
  return times.min();
}

using Pattern = std::function<SparseMask(Index n)>;

Measured measure(const Pattern& pattern, Index n) {
  const Inputs in(n);
  const SparseMask mask = pattern(n);
  core::SparseAttention result;
  Measured measured;
  measured.seconds = best_time(in, mask, result);
  measured.kept = static_cast<double>(mask.kept());
  measured.mask_bytes = mask.memory_bytes();
  return measured;
}

// The exponent e of y = c n^e: least squares of ln y against ln n.
double exponent(const std::vector<Index>& n, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto count = static_cast<double>(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double a = std::log(static_cast<double>(n[i])), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

Index root(Index n) { return static_cast<Index>(std::lround(std::sqrt(static_cast<double>(n)))); }

std::vector<Index> first(Index count) {
  std::vector<Index> tokens(static_cast<std::size_t>(count));
  std::iota(tokens.begin(), tokens.end(), Index{0});
  return tokens;
}

struct Row {
  std::string title;
  Pattern pattern;
  bool square = false;  // keeps a share of n x n: smaller sizes
};

std::vector<Row> rows() {
  using namespace core::pattern;
  const auto yes = core::Causal::yes;
  return {
      {"local, 64 on each side", [](Index n) { return local(n, 64); }},
      {"dilated by 8, 64 on each side", [](Index n) { return dilated(n, 64, 8); }},
      {"local and atrous, k = sqrt n", [](Index n) { return local_and_atrous(n, root(n)); }},
      {"strided, l = sqrt n", [](Index n) { return strided_merged(n, root(n)); }},
      {"fixed, l = sqrt n, c = 8", [](Index n) { return fixed_merged(n, root(n), 8); }},
      {"Longformer, 64, 16 global",
       [](Index n) { return longformer(n, {.reach = 64, .global = first(16)}); }},
      {"BigBird, 64, 2 global, 8 random",
       [](Index n) { return bigbird(n, {.reach = 64, .global = first(2)}, 8, 1); }},
      {"BigBird in blocks of 32",
       [](Index n) {
         return block_sparse(bigbird(n / 32, {1, first(1)}, 2, 1), 32);
       }},
      {"sinks 4, window 128", [](Index n) { return streaming(n, 4, 128); }},
      {"documents of 256",
       [](Index n) {
         return documents_of(std::vector<Index>(static_cast<std::size_t>(n / 256), 256));
       }},
      {"2-D, 5 on each side",
       [](Index n) {
         return local_2d({root(n), root(n)}, 5, 5);
       }},
      {"atrous by 16, causal", [=](Index n) { return atrous(n, 16, yes); }, true},
      {"causal", [](Index n) { return causal(n, n); }, true},
  };
}

void print_scaling(bool quick) {
  const std::vector<Index> wide =
      quick ? std::vector<Index>{1024, 4096, 16384} : std::vector<Index>{1024, 4096, 16384, 65536};
  const std::vector<Index> square = {1024, 2048, 4096, 8192};
  const double nothing = in_child([] { return Measured{}; }).peak_bytes;
  fmt::print("8 heads, width 512, {} threads; memory is the whole process, queries to output\n",
             core::thread_count(0));
  fmt::print("{:<33} {:>6} {:>10} {:>9} {:>8} {:>7}  {:>5} {:>5} {:>6}\n", "pattern", "n", "pairs",
             "ms", "ns/pair", "MB", "pairs", "time", "memory");
  for (const Row& row : rows()) {
    const std::vector<Index>& sizes = row.square ? square : wide;
    std::vector<double> kept, seconds, memory;
    for (const Index n : sizes) {
      const Measured all = in_child([&] { return measure(row.pattern, n); });
      kept.push_back(all.kept);
      seconds.push_back(all.seconds);
      memory.push_back(all.peak_bytes - nothing);
      fmt::print("{:<33} {:>6} {:>10.0f} {:>9.2f} {:>8.2f} {:>7.0f}",
                 n == sizes[0] ? row.title : "", n, all.kept, all.seconds * 1e3,
                 all.seconds * 1e9 / all.kept / kHeads, memory.back() / 1e6);
      if (n == sizes.back()) {
        fmt::print("  {:>5.2f} {:>5.2f} {:>6.2f}", exponent(sizes, kept), exponent(sizes, seconds),
                   exponent(sizes, memory));
      }
      fmt::print("\n");
      std::fflush(stdout);
    }
  }
  fmt::print("the last three columns: fitted exponents of n\n\n");
}

void print_large() {
  static constexpr Index n = 131072;
  const Measured large = in_child([] {
    const Inputs in(n);
    const SparseMask mask = core::pattern::local(n, 256);
    core::SparseAttention result;
    Measured measured;
    measured.seconds = best_time(in, mask, result);
    measured.kept = static_cast<double>(mask.kept());
    bench::Times whole, part;
    const auto tile = [&](const core::TileRequest& request) {
      return bench::time_once([&] {
        sparse_tile(in.Q, in.K, mask, in.options, result.row_max, result.row_sum, request);
      });
    };
    for (int run = 0; run < 5; ++run) {
      whole.add({tile({.r1 = n, .c1 = n, .level = 8})});
      part.add({tile({.r0 = 70000, .r1 = 70512, .c0 = 70000, .c1 = 70512})});
    }
    fmt::print(
        "n {}, window 256: the whole picture of one head as 512 x 512 cells {:.1f} ms, "
        "512 x 512 single weights {:.2f} ms\n",
        n, whole.min() * 1e3, part.min() * 1e3);
    return measured;
  });
  fmt::print("n {}, window 256, 8 heads: {:.2f} s for {:.0f} pairs, peak {:.0f} MB in all\n\n", n,
             large.seconds, large.kept * kHeads, large.peak_bytes / 1e6);
}

void print_peer(int rounds) {
  constexpr Index n = 4096;
  bench::Peer peer(bench::torch_peer());
  if (peer.version().empty()) return bench::tell(peer);
  Inputs in(n);
  const SparseMask mask = core::pattern::local(n, 64);
  fmt::print("local window of 64 on each side, n {}, PyTorch's attention dense and masked, ", n);
  bench::tell(peer);
  for (const int threads : {1, 2}) {
    in.options.threads = threads;
    core::SparseAttention result;
    bench::Times own;
    bench::BestOfPeer usual(peer, "window_usual", n, threads, bench::Multiplies::yes);
    bench::BestOfPeer reused(peer, "window", n, threads, bench::Multiplies::yes);
    for (int round = 0; round < rounds; ++round) {
      own.add({best_time(in, mask, result)});
      usual.run(1);
    }
    for (int round = 0; round < rounds; ++round) {
      own.add({best_time(in, mask, result)});
      reused.run(1);
    }
    fmt::print(
        "{} threads: ours {:.2f} ms; as usually written {:.0f} ms ({}), {:.0f} times; with every "
        "buffer used again {:.0f} ms ({}), {:.0f} times\n",
        threads, own.min() * 1e3, usual.min() * 1e3, usual.text(), usual.min() / own.min(),
        reused.min() * 1e3, reused.text(), reused.min() / own.min());
  }
}

}  // namespace

int main(int count, char** words) {
  bool quick = false;
  bench::Arguments().quick(quick).read(count, words);
  // No thread may be started before the last fork.
  print_scaling(quick);
  print_large();
  print_peer(quick ? 2 : 5);
  return 0;
}
