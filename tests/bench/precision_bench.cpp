// precision_bench: casts of whole arrays beside PyTorch's, as ratios.
//
// Own runs and the peer's take turns in short rounds, so that what else the machine does meets
// both. Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "aligned.h"
#include "arguments.h"
#include "core/precision/convert.h"
#include "core/random.h"
#include "peer.h"
#include "timing.h"

namespace {

using core::Format;
using core::Index;

// `own` against the peer's `name`, if it has such a case.
struct Case {
  std::string title, name;
  Index count;
  int threads;
  std::function<void()> own;
};

void compare(int rounds, bench::Peer& peer, const Case& row) {
  row.own();
  const int repeats = std::max(1, static_cast<int>(0.02 / bench::time_once(row.own)));
  bench::Times own;
  bench::BestOfPeer best(peer, row.name, row.count, row.threads, bench::Multiplies::no);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < repeats; ++i) own.add({bench::time_once(row.own)});
    best.run(repeats);
  }
  const bench::BestOfPeer& other = best;
  fmt::print("{:<34} {:>9} {:>2}  {:>8.4f} {:>8.4f}", row.title, row.count, row.threads,
             own.min() * 1e3, own.median() * 1e3);
  if (!other.none()) {
    fmt::print("  {:>8.4f} {:>8.4f} {:>4}  {:>6.2f} {:>6.2f}", other.min() * 1e3,
               other.median() * 1e3, best.text(), other.min() / own.min(),
               other.median() / own.median());
  }
  fmt::print("\n");
  std::fflush(stdout);
}

template <class Unit>
void compare_format(int rounds, bench::Peer& peer, const std::string& name, const Format& format,
                    Index count, int threads) {
  const bool has_peer = sizeof(Unit) == 2;
  const auto peer_case = [&](const char* what) { return has_peer ? what + name : std::string(); };
  bench::Aligned<float> x(count), y(count);
  bench::Aligned<Unit> codes(count);
  core::Random random(1);
  std::generate_n(x.data(), count, [&] { return static_cast<float>(random.gaussian()); });
  core::ConvertOptions options;
  options.threads = threads;
  compare(rounds, peer, {"float32 to " + name, peer_case("cast_"), count, threads, [&] {
                           core::encode_floats(format, x.data(), codes.data(), count, options);
                         }});
  compare(rounds, peer, {name + " to float32", peer_case("uncast_"), count, threads, [&] {
                           core::decode_floats(format, codes.data(), y.data(), count, options);
                         }});
  compare(rounds, peer,
          {"rounded to " + name + ", as float32", peer_case("round_trip_"), count, threads,
           [&] { core::round_floats(format, x.data(), y.data(), count, options); }});
}

}  // namespace

int main(int count, char** words) {
  int rounds = 9;
  bench::Arguments().rounds(rounds).read(count, words);
  bench::Peer peer(bench::torch_peer());
  bench::tell(peer);
  fmt::print("{:<34} {:>9} {:>2}  {:>8} {:>8}  {:>8} {:>8} {:>4}  {:>6} {:>6}\n",
             "every buffer used again", "numbers", "t", "min ms", "median", "peer min", "median",
             "set", "min", "median");
  // In the cache on one thread, where waking a second would cost as much; and from memory.
  for (const auto& [numbers, threads] :
       {std::pair<Index, int>{65536, 1}, {10000000, 1}, {10000000, 2}}) {
    compare_format<std::uint16_t>(rounds, peer, "bfloat16", core::kBFloat16, numbers, threads);
    compare_format<std::uint16_t>(rounds, peer, "float16", core::kFloat16, numbers, threads);
    compare_format<std::uint8_t>(rounds, peer, "e4m3fn", core::kFp8E4m3, numbers, threads);
    compare_format<std::uint8_t>(rounds, peer, "e5m2", core::kFp8E5m2, numbers, threads);
  }
  return 0;
}
