// counts: runs kernels, layouts and first pages once each, under callgrind, which writes the number
// of instructions of each. counts_test.py holds them against counts.json.
//
//   valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=FILE counts [PART OF A NAME]
//
// All on one thread.
#include <valgrind/callgrind.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/labs/labs.h"
#include "core/attention/fast/fast_multi_head.h"
#include "core/attention/fast/gemm.h"
#include "core/attention/fast/weight_tile.h"
#include "core/attention/streaming/streaming.h"
#include "core/precision/convert.h"
#include "figure/fake_measure.h"

namespace {

using core::Index, core::Matrix;

constexpr Index kHeads = 8, kWidth = 256, kTokens = 192;

std::string only;  // of these, whose name has that in it; empty: all

void count(const std::string& name, const std::function<void()>& work) {
  if (name.find(only) == name.npos) return work();
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  work();
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}

// Of a normal distribution; Eigen's own differ from library to library.
Matrix numbers(Index rows, Index cols, unsigned seed) {
  std::mt19937 random(seed);
  Matrix all(rows, cols);
  for (Index i = 0; i < all.size(); ++i) {
    all.data()[i] = static_cast<float>(random()) / 4294967296.0F - 0.5F;
  }
  return all;
}

void count_kernels() {
  const Matrix X = numbers(kTokens, kWidth, 1), Q = numbers(kTokens, kWidth, 2),
               K = numbers(kTokens, kWidth, 3), V = numbers(kTokens, kWidth, 4),
               W = numbers(kWidth, kWidth, 5);
  core::AttentionOptions options;
  options.heads = kHeads;
  options.scale = 1 / std::sqrt(static_cast<float>(kWidth / kHeads));
  options.threads = 1;
  core::FastMultiHead layer;
  Matrix product;
  const core::Product one{&X, &W, nullptr, &product};
  count("kernel product", [&] { core::multiply_into({&one, 1}, 1); });
  count("kernel attention", [&] { core::attend_fast_into(Q, K, V, options, layer.attention); });
  options.mask = core::Mask::causal(kTokens, kTokens);
  count("kernel causal", [&] { core::attend_fast_into(Q, K, V, options, layer.attention); });
  core::StreamedAttention streamed;
  count("kernel streamed", [&] { streamed = core::stream_attention(Q, K, V, options); });
  count("kernel tile", [&] {
    (void)weight_tile(Q, K, options, streamed.row_max, streamed.row_sum,
                      {.r0 = 0, .r1 = kTokens, .c0 = 0, .c1 = kTokens, .level = 2});
  });
}

void count_pages() {
  const words::Words english;
  const FakeMeasure measure;
  for (const lab::Lab& lab : lab::all()) {
    const std::string name(lab.id);
    if (("page " + name + " layout " + name).find(only) == name.npos) continue;
    const auto state = lab.make();
    lab::Page page;
    count("page " + name, [&] {
      lab::Memo memo;  // nothing is known
      page = state->compute({.cancel = {}, .words = english, .memo = memo, .threads = 1});
    });
    const figure::LayoutOptions options{.theme = &figure::theme(figure::ThemeName::dark),
                                        .measure = &measure};
    count("layout " + name, [&] {
      for (const figure::Figure& one : page.figures) {
        (void)figure::layout(one, {0, 0, 900, one.height}, {}, options);
      }
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) only = argv[1];
  if (only.empty() || only.starts_with("kernel")) count_kernels();
  count_pages();
}
