// generation_bench: one token of GPT-2 small's shape with random weights and a cache, against the
// time that its bytes take to be read on this machine.
//
// Reading is timed in the same run, in turn with the tokens, by the same number of threads: what
// else the machine does meets both. Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "arguments.h"
#include "core/attention/fast/isa.h"
#include "core/decode/cached_decoder.h"
#include "core/decode/memory_reader.h"
#include "core/parallel.h"
#include "timing.h"

namespace {

using core::Index;

struct Setup {
  bool quick = false;
  int rounds = 5;
};

core::model::DecoderForm gpt2_small(bool quick) {
  using namespace core::model;
  return {.vocabulary = 50257,
          .layer = {.d_model = 768,
                    .heads = 12,
                    .key_heads = 12,
                    .feed_forward = {.width = 3072, .function = Activation::gelu_tanh},
                    .norm_first = true},
          .layers = quick ? 2 : 12,
          .positions = {.scheme = Scheme::learned, .longest = 1024},
          .tied = true,
          .output_bias = false};
}

// Numbers that nobody learned, quickly made: of each matrix the size that it would begin with.
std::vector<float> random_values(const core::model::Layout& layout) {
  std::vector<float> values(static_cast<std::size_t>(layout.size()));
  for (const core::model::Parameter& p : layout.parameters()) {
    float* at = values.data() + p.slot.offset;
    if (p.start.kind == core::model::Start::Kind::ones) std::fill_n(at, p.slot.size(), 1.F);
    if (p.start.kind != core::model::Start::Kind::normal) continue;
    const auto scale = static_cast<float>(p.start.scale);
    std::uint32_t state = 1;
    for (Index i = 0; i < p.slot.size(); ++i) {
      state = state * 1664525U + 1013904223U;
      at[i] = scale * 3.46F * (static_cast<float>(state >> 8) * 0x1p-24F - 0.5F);
    }
  }
  return values;
}

// Bytes a second, by the quicker way to read 256 MiB.
double bandwidth(core::decode::MemoryReader& reader) {
  const double plain = bench::time_once([&] { reader.add_up(); });
  const double rows = bench::time_once([&] { reader.multiply(); });
  return static_cast<double>(reader.bytes()) / std::min(plain, rows);
}

void measure(const Setup& setup, const core::model::Decoder& model,
             const std::vector<float>& values, const char* name, const core::Format& format,
             int threads) {
  using namespace core::decode;
  const auto packed = std::make_shared<const PackedDecoder>(model, values.data(), format);
  MemoryReader reader(Index{1} << 28, threads);
  for (const Index n : {16, 256, 1024}) {
    CachedDecoder decoder(packed, {.cache = {.stored = format}, .threads = threads});
    constexpr Index kTokens = 8;
    std::vector<std::int32_t> ids;
    for (Index i = 0; i < n; ++i) ids.push_back(static_cast<std::int32_t>(i * i * 7 % 50257));
    const double prompt = bench::time_once([&] { decoder.read(ids.data(), n - kTokens); });
    bench::Times times, ratios;
    double bytes = 0, best = 0;
    for (int round = 0; round < setup.rounds; ++round) {
      decoder.back_to(n - kTokens);
      const double before = bandwidth(reader);
      double ideal = 0, took = 0;
      for (Index k = n - kTokens; k < n; ++k) {
        const double time = bench::time_once([&] { decoder.read(ids.data() + k, 1); });
        times.add({time});
        bytes = static_cast<double>(decoder.bytes_of_token(k + 1).read());
        ideal += bytes;
        took += time;
      }
      const double around = (before + bandwidth(reader)) / 2;
      best = std::max(best, around);
      ratios.add({ideal / around / took});
    }
    fmt::print(
        "{:<9} {:>2} {:>6}  {:>8.2f} {:>8.2f} {:>8.2f}  {:>8.1f} {:>8.2f}  {:>6.2f} {:>6.2f}"
        "  {:>8.2f}\n",
        name, threads, n, bytes / 1e6, times.min() * 1e3, times.median() * 1e3, best / 1e9,
        bytes / best * 1e3, ratios.median(), bytes / best / times.min(), prompt);
    std::fflush(stdout);
  }
}

Setup parse(int count, char** words) {
  Setup setup;
  bench::Arguments().quick(setup.quick).rounds(setup.rounds).read(count, words);
  return setup;
}

}  // namespace

int main(int count, char** words) {
  const Setup setup = parse(count, words);
  core::model::Layout layout;
  const auto model =
      core::model::Decoder::declare(core::model::Scope(layout), gpt2_small(setup.quick));
  const std::vector<float> values = random_values(layout);
  fmt::print("kernels {}; one token of GPT-2 small's shape{}, {:.0f} million numbers\n",
             core::kernels_for(core::Isa::best).name, setup.quick ? ", 2 layers of 12" : "",
             static_cast<double>(layout.size()) / 1e6);
  fmt::print("{:<9} {:>2} {:>6}  {:>8} {:>8} {:>8}  {:>8} {:>8}  {:>6} {:>6}  {:>8}\n", "stored as",
             "t", "n", "MB", "min ms", "median", "GB/s", "ideal ms", "ratio", "best", "prompt s");
  const int all = core::thread_count(0);
  for (const int threads : {1, all}) {
    measure(setup, model, values, "float32", core::kFloat32, threads);
    measure(setup, model, values, "bfloat16", core::kBFloat16, threads);
    if (all == 1) break;
  }
  return 0;
}
