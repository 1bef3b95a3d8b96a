#include "core/task/language/language_fit.h"

#include <algorithm>
#include <numbers>
#include <string>
#include <utility>

#include "core/model/layer/cross_entropy.h"
#include "core/parallel.h"
#include "core/refuse.h"

namespace core::task {
namespace {

constexpr std::uint64_t kStarts = 1, kDropout = 2;  // streams of the seed

// A batch falls into so many parts, or fewer, and each into windows: a window at a time is what the
// caches hold.
constexpr Index kMostParts = 4;

Index parts_in(Index batch) {
  Index parts = std::min(batch, kMostParts);
  while (batch % parts != 0) --parts;
  return parts;
}

}  // namespace

LanguageFit::LanguageFit(const LanguageForm& form, const LanguageOptions& options, PackedText text)
    : model_(form), options_(options), text_(std::move(text)) {
  if (options_.batch < 1) refuse("batch", "at least one window", std::to_string(options_.batch));
  ids_.resize(static_cast<std::size_t>(options_.batch * text_.window()));
  next_.resize(ids_.size());
}

LanguageState LanguageFit::begin() const {
  return {.values = model_.layout.start<float>(stream_seed(options_.seed, kStarts)),
          .optimizer = model::Optimizer<float>(model_.layout, options_.optimizer)};
}

void LanguageFit::step(LanguageState& state, int threads) {
  const Index step = state.optimizer.steps(), window = text_.window(), batch = options_.batch;
  for (Index b = 0; b < batch; ++b) {
    const std::int32_t* tokens = text_.at(step * batch + b);
    std::copy_n(tokens, window, ids_.begin() + b * window);
    std::copy_n(tokens + 1, window, next_.begin() + b * window);
  }
  const Index parts = parts_in(batch);
  const std::uint64_t dropout =
      stream_seed(stream_seed(options_.seed, kDropout), static_cast<std::uint64_t>(step));
  const auto total = static_cast<float>(batch * window);
  const model::Parts::Sum sum = parts_.gradients_in_pieces(
      model_.layout.size(), state.values.data(), parts, batch / parts, dropout, threads,
      [&](model::Tape<float>& tape, Index b, Index& /*hits*/) {
        const model::Sequences one{.batch = 1, .length = window};
        const auto logits = model_(tape, ids_.data() + b * window, one);
        return model::cross_entropy(tape, logits, next_.data() + b * window, total);
      });
  state.loss = sum.loss;
  state.gradient_norm = state.optimizer.step(model_.layout, state.values.data(), parts_.gradient(),
                                             options_.schedule.at(step + 1), threads);
}

namespace {

// Bits of the guesses of one window's tokens from `first` on.
double bits_of(const LanguageModel& model, const float* values, model::Tape<float>& tape,
               const std::int32_t* tokens, Index window, Index first) {
  tape.begin(values, nullptr, {.differentiates = false});
  const auto logits = model(tape, tokens, {.batch = 1, .length = window});
  auto* room = tape.room<float>(logits.cols);
  double sum = 0;
  for (Index i = first; i < window; ++i) {
    sum += model::surprise(logits.values().row(i), logits.cols, tokens[i + 1], room);
  }
  return sum / std::numbers::ln2;
}

}  // namespace

LanguageScore score(const LanguageModel& model, const float* values,
                    const std::vector<TokenText>& texts, std::int32_t separator,
                    const std::vector<Index>& bytes_of, Index most, int threads) {
  std::vector<std::int32_t> stream{separator};
  for (const TokenText& text : texts) {
    stream.insert(stream.end(), text.begin(), text.end());
    stream.push_back(separator);
  }
  const Index window = model.form.context, half = window / 2;
  const Index all = (std::ssize(stream) - 1 - window) / half + 1;
  if (std::ssize(stream) <= window) {
    refuse("held-out text", "more than " + std::to_string(window) + " tokens",
           std::to_string(stream.size()));
  }
  const Index count = most > 0 ? std::min(most, all) : all;
  std::vector<double> bits(static_cast<std::size_t>(count));
  model::ObjectPool<model::Tape<float>> tapes;
  const auto begin_of = [&](Index k) { return k * all / count * half; };
  parallel_for(count, threads, [&](Index k, int) {
    const model::ObjectPool<model::Tape<float>>::Use tape(tapes);
    bits[static_cast<std::size_t>(k)] =
        bits_of(model, values, *tape, stream.data() + begin_of(k), window, half);
  });
  LanguageScore score;
  for (Index k = 0; k < count; ++k) {
    score.bits += bits[static_cast<std::size_t>(k)];
    const std::int32_t* tokens = stream.data() + begin_of(k);
    for (Index i = half; i < window; ++i) {
      score.bytes += bytes_of[static_cast<std::size_t>(tokens[i + 1])];
    }
    score.tokens += window - half;
  }
  return score;
}

}  // namespace core::task
