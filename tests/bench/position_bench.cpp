// position_bench: position tables and rotations beside PyTorch, as ratios.
//
// Own runs and the peer's take turns in short rounds, so that what else the machine does meets
// both. Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

#include "aligned.h"
#include "arguments.h"
#include "core/position/rotary/rotary.h"
#include "core/position/sinusoidal/sinusoidal.h"
#include "peer.h"
#include "timing.h"

namespace {

using core::Index;
using core::Matrix;
using core::RotaryPairing;

constexpr Index kPositions = 8192, kWidth = 512, kHeadWidth = 128;

// `own` against the peer's `name`.
struct Case {
  std::string title, name;
  int threads;
  std::function<void()> own;
};

void compare(int rounds, bench::Peer& peer, const Case& row) {
  row.own();
  const int repeats = std::max(1, static_cast<int>(0.03 / bench::time_once(row.own)));
  bench::Times own;
  bench::BestOfPeer best(peer, row.name, kPositions, row.threads, bench::Multiplies::no);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < repeats; ++i) own.add({bench::time_once(row.own)});
    best.run(repeats);
  }
  const bench::BestOfPeer& other = best;
  fmt::print("{:<44} {:>2}  {:>8.3f} {:>8.3f}", row.title, row.threads, own.min() * 1e3,
             own.median() * 1e3);
  if (!other.none()) {
    fmt::print("  {:>8.3f} {:>8.3f} {:>4}  {:>6.2f} {:>6.2f}", other.min() * 1e3,
               other.median() * 1e3, best.text(), other.min() / own.min(),
               other.median() / own.median());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

void compare_tables(int rounds, bench::Peer& peer, int threads) {
  Matrix table;
  const auto fill = [&] { core::sinusoidal_table_into(table, kPositions, kWidth, {}, 0, threads); };
  compare(rounds, peer, {"sinusoidal table, as usually written", "sinusoidal", threads, fill});
  compare(rounds, peer, {"the same, the peer's buffers kept", "sinusoidal_reused", threads, fill});
}

void compare_rotations(int rounds, bench::Peer& peer, int threads) {
  const Matrix random = Matrix::Random(kPositions, kHeadWidth);
  bench::Aligned<float> x(random.size()), y(random.size());
  std::copy_n(random.data(), random.size(), x.data());
  const core::RotaryTable table = core::rotary_table(kPositions, kHeadWidth);
  const auto rotate = [&](RotaryPairing pairing) {
    return [&, pairing] {
      core::rotate_into(y.data(), x.data(), kPositions, kHeadWidth, kHeadWidth, table, pairing,
                        threads);
    };
  };
  const auto halves = rotate(RotaryPairing::halves);
  compare(rounds, peer, {"RoPE, halves, as usually written", "rope_halves", threads, halves});
  compare(rounds, peer,
          {"the same, the peer's buffers kept", "rope_halves_reused", threads, halves});
  const auto neighbors = rotate(RotaryPairing::neighbors);
  compare(rounds, peer,
          {"RoPE, neighbours, as complex numbers", "rope_neighbours", threads, neighbors});
  compare(rounds, peer,
          {"the same, the peer's buffers kept", "rope_neighbours_reused", threads, neighbors});
}

// How far the angles' arithmetic carries: the quick table, and one made in float throughout.
void report_errors() {
  Matrix quick;
  core::sinusoidal_table_into(quick, kPositions, kWidth);
  const core::MatrixD exact = core::sinusoidal_table(kPositions, kWidth);
  const core::VectorD positions = core::VectorD::LinSpaced(kPositions, 0, kPositions - 1);
  const Matrix single = core::sinusoidal_rows_in_float(positions, kWidth);
  const auto error = [&](const Matrix& table) {
    return (table.cast<double>() - exact).cwiseAbs().maxCoeff();
  };
  fmt::print("largest error of the table: {:.1e}; of one whose angles are float: {:.1e}\n",
             error(quick), error(single));
}

}  // namespace

int main(int count, char** words) {
  int rounds = 9;
  bench::Arguments().rounds(rounds).read(count, words);
  report_errors();
  bench::Peer peer(bench::torch_peer());
  bench::tell(peer);
  fmt::print("{:<44} {:>2}  {:>8} {:>8}  {:>8} {:>8} {:>4}  {:>6} {:>6}\n",
             "8192 positions, width 512 (table), 128 (RoPE)", "t", "min ms", "median", "peer min",
             "median", "set", "min", "median");
  for (const int threads : {1, 2}) {
    compare_tables(rounds, peer, threads);
    compare_rotations(rounds, peer, threads);
  }
  return 0;
}
