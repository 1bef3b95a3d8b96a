// language_bench: one whole step of training the English language model of ./dev models beside
// PyTorch's, as ratios; and how both learn: the losses of the same first steps, from the same
// numbers, on the same batches.
//
// FOLDER is where ./dev models keeps that model (build/language/english): its tokenizer and texts
// are then learned from; without it, made-up tokens. Times tell about a machine; nothing here
// decides a test.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "../folder.h"
#include "arguments.h"
#include "core/parallel.h"
#include "core/task/language/language_fit.h"
#include "core/tokenizer/tokenizer_file.h"
#include "made_start.h"
#include "peer.h"
#include "timing.h"

namespace {

using namespace core::task;
using core::Index;

constexpr Index kBatch = 8, kSteps = 300;
constexpr LanguageForm kForm{.vocabulary = 4096, .layers = 4};

struct Setup {
  int rounds = 5;
  bool alone = false;
  std::string folder;
};

std::vector<TokenText> made_up_texts() {
  TokenText text;
  for (Index i = 0; i < 200'000; ++i) {
    text.push_back(static_cast<std::int32_t>((i * i * 7 + i / 3) % (kForm.vocabulary - 1)));
  }
  return {text};
}

std::vector<TokenText> texts_of(const std::filesystem::path& folder) {
  const core::subword::Tokenizer tokenizer =
      core::subword::read_tokenizer(folder / "tokenizer.json", {}, {});
  constexpr std::size_t kLines = 30'000;  // enough for the steps
  std::vector<TokenText> texts;
  std::ifstream lines(folder / "texts" / "definitions-learned.txt");
  for (std::string line; texts.size() < kLines && std::getline(lines, line);) {
    texts.push_back(tokenizer.encode(line).ids);
  }
  return texts;
}

LanguageFit fit_of(const std::vector<TokenText>& texts) {
  LanguageOptions options;
  options.optimizer.decay_all = true;
  options.schedule = {.kind = core::model::Schedule::Kind::constant, .rate = 1e-3};
  options.batch = kBatch;
  const auto separator = static_cast<std::int32_t>(kForm.vocabulary - 1);
  return {kForm, options, PackedText(texts, separator, kForm.context, 7)};
}

LanguageState start_of(const LanguageFit& fit) {
  LanguageState state = fit.begin();
  state.values = bench::made_start(fit.model().layout);
  return state;
}

// The windows of the first steps, for the peer.
void write_windows(const std::vector<TokenText>& texts, const std::filesystem::path& path) {
  PackedText text(texts, static_cast<std::int32_t>(kForm.vocabulary - 1), kForm.context, 7);
  std::ofstream file(path, std::ios::binary);
  for (Index k = 0; k < kSteps * kBatch; ++k) {
    file.write(reinterpret_cast<const char*>(text.at(k)),
               static_cast<std::streamsize>((kForm.context + 1) * sizeof(std::int32_t)));
  }
}

std::string peer_case() {
  return fmt::format("language:{}:{}:{}:{}:{}:{}", kForm.width, kForm.layers, kForm.feed_forward,
                     kForm.heads, kBatch, kForm.vocabulary);
}

double mean_of_last(const std::vector<double>& losses) {
  constexpr int kLast = 20;
  return std::accumulate(losses.end() - kLast, losses.end(), 0.0) / kLast;
}

void compare_losses(LanguageFit& fit, bench::Peer& peer) {
  const int threads = core::thread_count(0);
  const std::vector<double> other =
      peer.values(peer_case(), kForm.context, {threads, threads}, static_cast<int>(kSteps));
  if (other.empty()) return;
  LanguageState state = start_of(fit);
  std::vector<double> own;
  for (Index k = 0; k < kSteps; ++k) {
    fit.step(state, 0);
    own.push_back(state.loss);
  }
  fmt::print(
      "losses of {} steps on the same batches: from {:.4f} to {:.4f} (mean of the last 20), the "
      "peer's {:.4f} to {:.4f}: {:+.2f} %\n",
      kSteps, own.front(), mean_of_last(own), other.front(), mean_of_last(other),
      100 * (mean_of_last(other) / mean_of_last(own) - 1));
}

void compare_times(const Setup& setup, LanguageFit& fit, bench::Peer& peer, int threads) {
  LanguageState state = start_of(fit);
  fit.step(state, threads);
  bench::Times own;
  bench::BestOfPeer best(peer, peer_case(), kForm.context, threads, bench::Multiplies::yes);
  for (int round = 0; round < setup.rounds; ++round) {
    for (int i = 0; i < 2; ++i) own.add({bench::time_once([&] { fit.step(state, threads); })});
    best.run(2);
  }
  const double tokens = static_cast<double>(kBatch * kForm.context);
  std::string line =
      fmt::format("{:>2} threads: {:>7.0f} tokens a second", threads, tokens / own.min());
  if (!best.none()) {
    line += fmt::format(", the peer's best ({}) {:>7.0f}: {:.2f} times as many", best.text(),
                        tokens / best.min(), best.min() / own.min());
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

Setup parse(int count, char** words) {
  Setup setup;
  bench::Arguments()
      .rounds(setup.rounds)
      .alone(setup.alone)
      .folder(setup.folder, "What ./dev models english wrote")
      .read(count, words);
  return setup;
}

}  // namespace

int main(int count, char** words) {
  const Setup setup = parse(count, words);
  const std::vector<TokenText> texts =
      setup.folder.empty() ? made_up_texts() : texts_of(setup.folder);
  const test::Folder folder;
  const std::filesystem::path windows = std::filesystem::path(folder.path()) / "windows";
  write_windows(texts, windows);
  setenv("ATTNSCOPE_BENCH_WINDOWS", windows.c_str(), 1);
  bench::Peer peer(bench::torch_peer(setup.alone));
  fmt::print(
      "one step of training a language model of width {}, {} layers, {} tokens a step, on {}\n",
      kForm.width, kForm.layers, kBatch * kForm.context,
      setup.folder.empty() ? "made-up tokens" : setup.folder);
  bench::tell(peer);
  LanguageFit fit = fit_of(texts);
  for (const int threads : {1, core::thread_count(0)}) {
    compare_times(setup, fit, peer, threads);
    if (core::thread_count(0) == 1) break;
  }
  compare_losses(fit, peer);
}
