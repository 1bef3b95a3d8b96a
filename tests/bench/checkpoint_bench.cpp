// checkpoint_bench: a forward pass of a folder with GPT-2 small's shape and random numbers over
// 1,024 tokens, every head's weights kept, beside the same model in plain PyTorch, as ratios;
// opening the folder; and one token after another with a cache, also of T5 small's shape, beside
// the whole pass that the cache saves.
//
// Both read the same file. Own runs and the peer's take turns, so that what else the machine does
// meets both. Times tell about a machine; nothing here decides a test.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "../folder.h"
#include "arguments.h"
#include "core/attention/fast/isa.h"
#include "core/checkpoint/generation.h"
#include "core/io/tensor/safetensors.h"
#include "core/parallel.h"
#include "core/system/memory.h"
#include "peer.h"
#include "timing.h"

namespace {

namespace fs = std::filesystem;
using core::Index;
using namespace core::checkpoint;

struct Setup {
  bool quick = false, alone = false;
  int rounds = 5;
};

// GPT-2 small, or with two layers.
struct Shape {
  Index vocabulary = 50257, width = 768, heads = 12, layers = 12, places = 1024;
};

// A folder of its own, as it would be downloaded.
class Folder : public test::Folder {
 public:
  explicit Folder(const std::string& config) { test::Folder::write("config.json", config); }

  double megabytes() const {
    return static_cast<double>(fs::file_size(path() / "model.safetensors")) / 1e6;
  }
  void write() {
    test::Folder::write("model.safetensors",
                        core::safetensors_bytes(tensors_, core::NumberType::float32, {}));
    tensors_.clear(), numbers_.clear();
  }
  void add(const std::string& name, const std::vector<Index>& shape, float spread,
           float middle = 0) {
    Index count = 1;
    for (const Index side : shape) count *= side;
    auto& numbers = *numbers_.emplace_back(
        std::make_unique<std::vector<float>>(static_cast<std::size_t>(count)));
    for (float& x : numbers) {
      state_ = state_ * 1664525U + 1013904223U;
      x = middle + spread * 3.46F * (static_cast<float>(state_ >> 8) * 0x1p-24F - 0.5F);
    }
    tensors_.push_back({name, shape, numbers.data()});
  }
  void add_linear(const std::string& name, Index inputs, Index outputs) {
    add(name + ".weight", {inputs, outputs}, 1 / std::sqrt(static_cast<float>(inputs)));
    add(name + ".bias", {outputs}, 0.02F);
  }
  void add_norm(const std::string& name, Index size) {
    add(name + ".weight", {size}, 0.1F, 1);
    add(name + ".bias", {size}, 0.1F);
  }

 private:
  std::uint32_t state_ = 1;
  std::vector<std::unique_ptr<std::vector<float>>> numbers_;
  std::vector<core::FloatTensor> tensors_;
};

std::unique_ptr<Folder> gpt2_folder(const Shape& shape) {
  auto folder = std::make_unique<Folder>(
      fmt::format(R"({{"model_type":"gpt2","vocab_size":{},"n_embd":{},"n_head":{},"n_layer":{},)"
                  R"("n_positions":{}}})",
                  shape.vocabulary, shape.width, shape.heads, shape.layers, shape.places));
  const Index d = shape.width;
  folder->add("wte.weight", {shape.vocabulary, d}, 0.02F);
  folder->add("wpe.weight", {shape.places, d}, 0.01F);
  for (Index l = 0; l < shape.layers; ++l) {
    const std::string h = fmt::format("h.{}.", l);
    folder->add_norm(h + "ln_1", d);
    folder->add_linear(h + "attn.c_attn", d, 3 * d);
    folder->add_linear(h + "attn.c_proj", d, d);
    folder->add_norm(h + "ln_2", d);
    folder->add_linear(h + "mlp.c_fc", d, 4 * d);
    folder->add_linear(h + "mlp.c_proj", 4 * d, d);
  }
  folder->add_norm("ln_f", d);
  folder->write();
  return folder;
}

// T5 small: no linear map has a bias, and no norm a shift.
std::unique_ptr<Folder> t5_folder(Index layers) {
  constexpr Index kVocabulary = 32128, kWidth = 512, kHeads = 8, kInner = 2048, kBuckets = 32;
  auto folder = std::make_unique<Folder>(
      fmt::format(R"({{"model_type":"t5","vocab_size":{},"d_model":{},"num_heads":{},)"
                  R"("d_kv":64,"d_ff":{},"num_layers":{}}})",
                  kVocabulary, kWidth, kHeads, kInner, layers));
  const auto square = [&](const std::string& name, Index outputs, Index inputs) {
    folder->add(name + ".weight", {outputs, inputs}, 1 / std::sqrt(static_cast<float>(inputs)));
  };
  const auto looks = [&](const std::string& layer, const std::string& part) {
    folder->add(layer + "layer_norm.weight", {kWidth}, 0.1F, 1);
    for (const char* one : {".q", ".k", ".v", ".o"}) square(layer + part + one, kWidth, kWidth);
  };
  folder->add("shared.weight", {kVocabulary, kWidth}, 0.05F);
  for (const std::string side : {"encoder.", "decoder."}) {
    for (Index l = 0; l < layers; ++l) {
      const std::string layer = fmt::format("{}block.{}.layer.", side, l);
      looks(layer + "0.", "SelfAttention");
      if (side == "decoder.") looks(layer + "1.", "EncDecAttention");
      const std::string last = layer + (side == "decoder." ? "2." : "1.");
      folder->add(last + "layer_norm.weight", {kWidth}, 0.1F, 1);
      square(last + "DenseReluDense.wi", kInner, kWidth);
      square(last + "DenseReluDense.wo", kWidth, kInner);
    }
    folder->add(side + "final_layer_norm.weight", {kWidth}, 0.1F, 1);
    folder->add(side + "block.0.layer.0.SelfAttention.relative_attention_bias.weight",
                {kBuckets, kHeads}, 1);
  }
  folder->write();
  return folder;
}

std::vector<std::int32_t> text_of(Index n, Index vocabulary) {
  std::vector<std::int32_t> ids;
  for (Index i = 0; i < n; ++i) {
    ids.push_back(static_cast<std::int32_t>((i * i * 7 + i / 3) % vocabulary));
  }
  return ids;
}

// A ratio of times means nothing where both do not compute the same.
void compare_numbers(bench::Peer& peer, const Model& model, const Input& input) {
  const auto n = static_cast<long>(input.tokens.size());
  const std::vector<double> other = peer.values("gpt2_square", n, {1, 1}, 1);
  if (other.empty()) return;
  const core::Matrix logits = model.forward<float>(input).logits;
  const double own = logits.row(logits.rows() - 1).cast<double>().squaredNorm() /
                     static_cast<double>(logits.cols());
  const double apart = std::abs(own / other.front() - 1);
  fmt::print("mean square of the last logits {:.6f}, the peer's {:.1e} of it away{}\n", own, apart,
             apart < 1e-4 ? "" : ": NOT THE SAME MODEL");
}

void compare_passes(const Setup& setup, bench::Peer& peer, const Model& model, const Input& input) {
  const auto n = static_cast<long>(input.tokens.size());
  for (int threads = 1; threads <= core::thread_count(0); threads *= 2) {
    ForwardOptions<float> options;
    options.threads = threads;
    bench::Times own;
    bench::BestOfPeer best(peer, "gpt2", n, threads, bench::Multiplies::yes);
    Trace<float> trace;
    model.forward_into(input, trace, options);
    for (int round = 0; round < setup.rounds; ++round) {
      own.add({bench::time_once([&] { model.forward_into(input, trace, options); })});
      best.run(1);
    }
    std::string line = fmt::format("{:>5} tokens, {} threads  {:>8.0f} {:>8.0f}", n, threads,
                                   own.min() * 1e3, own.median() * 1e3);
    if (const bench::BestOfPeer& other = best; !other.none()) {
      line += fmt::format("  {:>8.0f} {:>8.0f} {:>4}  {:>5.2f} {:>5.2f}", other.min() * 1e3,
                          other.median() * 1e3, best.text(), other.min() / own.min(),
                          other.median() / own.median());
    }
    fmt::print("{}\n", line);
    std::fflush(stdout);
  }
}

void measure_tokens(const std::shared_ptr<const Model>& model, const Input& input) {
  Generation generation(model);
  generation.read(input.tokens);
  generation.back_to(static_cast<Index>(input.tokens.size()) / 2);
  bench::Times times;
  for (int i = 0; i < 20; ++i) times.add({bench::time_once([&] { generation.read({17}); })});
  fmt::print("one token with a cache of {}: {:.1f} ms at least, {:.1f} in the middle\n",
             input.tokens.size() / 2, times.min() * 1e3, times.median() * 1e3);
}

// One more token behind `written` ones, of an encoder's text of `read`: all anew, and with a cache.
void measure_across(const Setup& setup, Index read, Index written) {
  const auto folder = t5_folder(setup.quick ? 2 : 6);
  const auto model = open_model(folder->path());
  const Index vocabulary = model->facts().vocabulary;
  Input input{.tokens = text_of(read, vocabulary),
              .decoder_tokens = text_of(written + 1, vocabulary)};
  ForwardOptions<float> options;
  options.keep_weights = options.keep_layers = false;
  options.logits = Logits::last;
  std::vector<std::int32_t> before = input.decoder_tokens;
  const std::int32_t last = before.back();
  before.pop_back();
  Generation generation = Generation::across(model, input.tokens, {.keep_layers = false});
  generation.read(before);
  bench::Times anew, cached;
  core::Vector whole, kept;
  for (int round = 0; round < 5 + setup.rounds; ++round) {
    anew.add({bench::time_once(
        [&] { whole = model->forward(input, options).logits.row(0).transpose(); })});
    cached.add({bench::time_once([&] { kept = generation.read({last}); })});
    generation.back_to(written);
  }
  fmt::print(
      "T5 small's shape, {} tokens read, {} written: one more {:.1f} ms anew, {:.2f} with the "
      "cache, {:.1f} times faster; {:.2f} MB kept; logits up to {:.2f}, {:.1e} apart\n",
      read, written, anew.min() * 1e3, cached.min() * 1e3, anew.min() / cached.min(),
      static_cast<double>(generation.bytes()) / 1e6, whole.cwiseAbs().maxCoeff(),
      (whole - kept).cwiseAbs().maxCoeff());
}

Setup parse(int count, char** words) {
  Setup setup;
  bench::Arguments().quick(setup.quick).rounds(setup.rounds).alone(setup.alone).read(count, words);
  return setup;
}

}  // namespace

int main(int count, char** words) {
  core::keep_freed_memory();
  const Setup setup = parse(count, words);
  Shape shape;
  if (setup.quick) shape.layers = 2;
  const auto folder = gpt2_folder(shape);
  ::setenv("ATTNSCOPE_BENCH_CHECKPOINT", folder->path().c_str(), 1);
  bench::Peer peer(bench::torch_peer(setup.alone));
  bench::tell(peer);
  fmt::print("kernels {}\n", core::kernels_for(core::Isa::best).name);
  std::shared_ptr<const Model> model;
  const double opening = bench::time_once([&] { model = open_model(folder->path()); });
  const Input input{.tokens = text_of(shape.places, shape.vocabulary)};
  const Input few{.tokens = text_of(16, shape.vocabulary)};
  const double first = bench::time_once([&] { model->forward<float>(few); });
  fmt::print("{:.0f} MB: opened in {:.1f} ms, the first 16 tokens after {:.0f} ms more\n",
             folder->megabytes(), opening * 1e3, first * 1e3);
  compare_numbers(peer, *model, input);
  fmt::print("{:<24} {:>8} {:>8}  {:>8} {:>8} {:>4}  {:>5} {:>5}\n", "all weights kept", "min ms",
             "median", "peer min", "median", "set", "min", "med");
  compare_passes(setup, peer, *model, input);
  measure_tokens(model, input);
  measure_across(setup, 256, 64);
  measure_across(setup, 512, 200);
  return 0;
}
