// model_bench: one whole step of training a decoder (forward, loss, backward, clip, AdamW) beside
// PyTorch's, as ratios, and the losses of both.
//
// Both begin with the same numbers and learn from the same batch. Own runs and the peer's take
// turns in short rounds, so that what else the machine does meets both. Times tell about a machine;
// nothing here decides a test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "arguments.h"
#include "core/attention/fast/isa.h"
#include "core/model/decoder.h"
#include "core/model/layer/cross_entropy.h"
#include "core/model/learning/optimizer.h"
#include "core/model/learning/parts.h"
#include "core/parallel.h"
#include "made_start.h"
#include "peer.h"
#include "timing.h"

namespace {

using namespace core::model;
using core::Index;

struct Setup {
  bool quick = false;
  int rounds = 7;
  int width = 0;       // of the only model to be measured; 0: all
  bool alone = false;  // without the peer
};

// The sizes of a decoder and of its batch; `feed_forward` 0: attention only.
struct Sizes {
  Index d_model, layers, feed_forward, heads, length, batch, vocabulary;

  // What torch_peer.py calls the same; its n is the length.
  std::string peer_name() const {
    return fmt::format("decoder:{}:{}:{}:{}:{}:{}", d_model, layers, feed_forward, heads, batch,
                       vocabulary);
  }
  DecoderForm form() const {
    DecoderForm form;
    form.vocabulary = vocabulary;
    form.layer = {.d_model = d_model, .heads = heads, .key_heads = heads, .norm_first = true};
    form.layer.feed_forward.width = feed_forward;
    form.layers = layers;
    form.positions = {.scheme = Scheme::learned, .longest = length};
    return form;
  }
  // Of all products, forward and backward, as they are usually counted: every key, seen or not.
  double operations() const {
    const auto d = static_cast<double>(d_model);
    const double layer =
        d * (4 * d + 2 * static_cast<double>(feed_forward)) + 2 * d * static_cast<double>(length);
    const double token = static_cast<double>(layers) * layer + d * static_cast<double>(vocabulary);
    return 6 * token * static_cast<double>(batch * length);
  }
};

// The same steps from the same start as the peer's: numbers follow from where they stand.
class Training {
 public:
  Training(const Sizes& sizes, int threads)
      : sizes_(sizes), threads_(threads), model_(Decoder::declare(Scope(layout_), sizes.form())) {
    optimiser_ =
        Optimizer<float>(layout_, {.beta2 = 0.98, .decay = 0.01, .decay_all = true, .clip = 1});
    values_ = bench::made_start(layout_);
    const Index rows = sizes.batch * sizes.length;
    for (Index i = 0; i <= rows; ++i) {
      ids_.push_back(static_cast<std::int32_t>((i * i * 7 + i / 3) % sizes.vocabulary));
    }
  }

  // The mean loss of the batch before the step.
  double step() {
    const Index parts = std::min<Index>(kParts, sizes_.batch), each = sizes_.batch / parts;
    const auto total = static_cast<float>(sizes_.batch * sizes_.length);
    const Parts::Sum sum = parts_.gradients(
        layout_.size(), values_.data(), parts, 0, threads_,
        [&](Tape<float>& tape, Index part, Index&) {
          const std::int32_t* ids = ids_.data() + part * each * sizes_.length;
          const Tensor<float> logits = model_(tape, ids, {.batch = each, .length = sizes_.length});
          return cross_entropy(tape, logits, ids + 1, total);
        });
    optimiser_.step(layout_, values_.data(), parts_.gradient(), kRate, threads_);
    return sum.loss;
  }

 private:
  static constexpr double kRate = 1e-3;
  static constexpr Index kParts = 4;

  Sizes sizes_;
  int threads_;
  Layout layout_;
  Decoder model_;
  Optimizer<float> optimiser_;
  std::vector<float> values_;
  std::vector<std::int32_t> ids_;
  Parts parts_;
};

// Of the first steps of both; a ratio of times means nothing where they are not the same.
void compare_losses(bench::Peer& peer, const Sizes& sizes) {
  constexpr int kSteps = 8;
  const std::vector<double> other = peer.values(sizes.peer_name(), sizes.length, {1, 1}, kSteps);
  if (other.empty()) return;
  Training training(sizes, 1);
  double first = 0, last = 0, apart = 0;
  for (int k = 0; k < kSteps; ++k) {
    last = training.step();
    if (k == 0) first = last;
    apart = std::max(apart, std::abs(last / other[static_cast<std::size_t>(k)] - 1));
  }
  fmt::print("  losses of {} steps from {:.4f} to {:.4f}, the peer's at most {:.1e} of it away{}\n",
             kSteps, first, last, apart, apart < 1e-3 ? "" : ": NOT THE SAME TRAINING");
}

void compare(const Setup& setup, bench::Peer& peer, const std::string& title, const Sizes& sizes,
             int threads) {
  Training training(sizes, threads);
  training.step();
  const double once = bench::time_once([&] { training.step(); });
  const int repeats = std::max(2, static_cast<int>(0.1 / once));
  bench::Times own;
  bench::BestOfPeer best(peer, sizes.peer_name(), sizes.length, threads, bench::Multiplies::yes);
  for (int round = 0; round < setup.rounds; ++round) {
    for (int i = 0; i < repeats; ++i) own.add({bench::time_once([&] { training.step(); })});
    best.run(repeats);
  }
  const bench::BestOfPeer& other = best;
  std::string line = fmt::format("{:<34} {:>2}  {:>8.2f} {:>8.2f}", title, threads, own.min() * 1e3,
                                 own.median() * 1e3);
  if (!other.none()) {
    line += fmt::format("  {:>8.2f} {:>8.2f} {:>4}  {:>5.2f} {:>5.2f}", other.min() * 1e3,
                        other.median() * 1e3, best.text(), other.min() / own.min(),
                        other.median() / own.median());
  }
  fmt::print("{}  {:>6.0f}\n", line, sizes.operations() / own.min() / 1e9);
  std::fflush(stdout);
}

Setup parse(int count, char** words) {
  Setup setup;
  bench::Arguments()
      .quick(setup.quick)
      .rounds(setup.rounds)
      .alone(setup.alone)
      .option("--width", setup.width, "Of the only model to be measured; 0: all")
      .read(count, words);
  return setup;
}

}  // namespace

int main(int count, char** words) {
  const Setup setup = parse(count, words);
  bench::Peer peer(bench::torch_peer(setup.alone));
  bench::tell(peer);
  fmt::print("kernels {}\n", core::kernels_for(core::Isa::best).name);
  fmt::print("{:<34} {:>2}  {:>8} {:>8}  {:>8} {:>8} {:>4}  {:>5} {:>5}  {:>6}\n",
             "one step of training", "t", "min ms", "median", "peer min", "median", "set", "min",
             "med", "Gflop/s");
  struct Row {
    const char* title;
    Sizes sizes;
  };
  const Row rows[] = {
      {"attention only, d 32, 2 layers", {32, 2, 0, 1, 48, 32, 32}},
      {"d 64, 2 layers", {64, 2, 256, 4, 32, 32, 32}},
      {"d 128, 4 layers", {128, 4, 512, 4, 64, 32, 32}},
      {"d 256, 6 layers", {256, 6, 1024, 8, 256, 8, 32}},
  };
  for (const Row& row : rows) {
    if (setup.quick && row.sizes.d_model > 64) continue;
    if (setup.width > 0 && row.sizes.d_model != setup.width) continue;
    for (const int threads : {1, core::thread_count(0)}) {
      compare(setup, peer, row.title, row.sizes, threads);
      if (core::thread_count(0) == 1) break;
    }
    compare_losses(peer, row.sizes);
  }
  return 0;
}
