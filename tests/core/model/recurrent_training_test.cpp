// A recurrent decoder with attention learns to write a word backwards.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/model/cross_entropy.h"
#include "core/model/optimiser.h"
#include "core/model/recurrent_translator.h"
#include "core/random.h"

using core::Index;
using namespace core::model;

namespace {

constexpr Index kLetters = 8, kLength = 6, kBatch = 64;
constexpr std::int32_t kFirst = kLetters;  // the mark that a target begins with

// Words of drawn letters, the same turned round, and that as the decoder is fed it.
struct Words {
  std::vector<std::int32_t> source, target, fed;

  explicit Words(std::uint64_t seed)
      : source(static_cast<std::size_t>(kBatch * kLength)), target(source), fed(source) {
    core::Random random(seed);
    for (std::int32_t& letter : source) {
      letter = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(kLetters)));
    }
    for (auto at = source.begin(); at != source.end(); at += kLength) {
      const auto to = at - source.begin();
      std::reverse_copy(at, at + kLength, target.begin() + to);
      fed[static_cast<std::size_t>(to)] = kFirst;
      std::copy_n(target.begin() + to, kLength - 1, fed.begin() + to + 1);
    }
  }
};

struct Training {
  Layout layout;
  RecurrentTranslator net;
  std::vector<float> values, gradients;
  Optimiser<float> optimiser;
  Tape<float> tape;

  explicit Training(const RecurrentTranslator::Form& form)
      : net(RecurrentTranslator::declare(Scope(layout), form)),
        values(layout.start<float>(1)),
        gradients(values.size()),
        optimiser(layout, {.clip = 1}) {}

  float step(std::uint64_t seed) {
    const Words words(seed);
    std::fill(gradients.begin(), gradients.end(), 0.0F);
    tape.begin(values.data(), gradients.data(), {.train = true});
    const auto encoded = net.encode(tape, words.source.data(), {kBatch, kLength});
    const Tensor<float> logits = net(tape, encoded, words.fed.data(), kLength);
    const Tensor<float> loss =
        cross_entropy(tape, logits, words.target.data(), static_cast<float>(kBatch * kLength));
    tape.backward(loss);
    optimiser.step(layout, values.data(), gradients.data(), 1e-2);
    return *loss.value;
  }
  // The share of whole words that are right, each letter fed back.
  double accuracy(std::uint64_t seed) {
    const Words words(seed);
    tape.begin(values.data(), nullptr, {.differentiates = false});
    const auto encoded = net.encode(tape, words.source.data(), {kBatch, kLength});
    const std::vector<std::int32_t> told = greedy(tape, net, encoded, kFirst, kLength);
    Index right = 0;
    for (Index b = 0; b < kBatch; ++b) {
      right += std::equal(told.begin() + b * kLength, told.begin() + (b + 1) * kLength,
                          words.target.begin() + b * kLength);
    }
    return static_cast<double>(right) / static_cast<double>(kBatch);
  }
};

const RecurrentTranslator::Form kForm{.source_words = kLetters,
                                      .target_words = kLetters + 1,
                                      .embedding = 16,
                                      .encoder_hidden = 32,
                                      .decoder = {.hidden = 32, .attention = {.width = 32}}};

}  // namespace

TEST_CASE("attention learns to write backwards, and the same way again") {
  Training training(kForm);
  std::vector<float> losses;
  for (std::uint64_t k = 0; k < 300; ++k) losses.push_back(training.step(100 + k));
  CHECK(losses.front() > 2);
  CHECK(losses.back() < 0.05F);
  CHECK(training.accuracy(1) + training.accuracy(2) >= 1.98);

  Training again(kForm);
  for (std::uint64_t k = 0; k < 60; ++k) {
    const float loss = again.step(100 + k);
    REQUIRE(loss == losses[static_cast<std::size_t>(k)]);
  }
}
