// A recurrent decoder with attention learns to write a word backwards, the hierarchical network to
// find the word that decides.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/model/hierarchical.h"
#include "core/model/layer/cross_entropy.h"
#include "core/model/learning/optimizer.h"
#include "core/model/recurrent/recurrent_translator.h"
#include "core/random.h"

namespace recurrent_training_test {

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
  Optimizer<float> optimizer;
  Tape<float> tape;

  explicit Training(const RecurrentTranslator::Form& form)
      : net(RecurrentTranslator::declare(Scope(layout), form)),
        values(layout.start<float>(1)),
        gradients(values.size()),
        optimizer(layout, {.clip = 1}) {}

  float step(std::uint64_t seed, float rate = 1e-2F) {
    const Words words(seed);
    std::fill(gradients.begin(), gradients.end(), 0.0F);
    tape.begin(values.data(), gradients.data(), {.train = true});
    const auto encoded = net.encode(tape, words.source.data(), {kBatch, kLength});
    const Tensor<float> logits = net(tape, encoded, words.fed.data(), kLength);
    const Tensor<float> loss =
        cross_entropy(tape, logits, words.target.data(), static_cast<float>(kBatch * kLength));
    tape.backward(loss);
    optimizer.step(layout, values.data(), gradients.data(), rate);
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

TEST_CASE("attention learns to write backwards, and the same way again" *
          doctest::test_suite("long")) {
  Training training(kForm);
  std::vector<float> losses;
  // The last steps are small ones: what is learned then does not hang on how sums are rounded.
  for (std::uint64_t k = 0; k < 400; ++k) {
    losses.push_back(training.step(100 + k, k < 300 ? 1e-2F : 1e-3F));
  }
  CHECK(losses.front() > 2);
  CHECK(losses.back() < 0.05F);
  CHECK(training.accuracy(1) + training.accuracy(2) >= 1.98);

  Training again(kForm);
  for (std::uint64_t k = 0; k < 60; ++k) {
    const float loss = again.step(100 + k);
    REQUIRE(loss == losses[static_cast<std::size_t>(k)]);
  }
}

namespace {

// Documents of three sentences of five words, one of which is the word that decides: its number
// says the class.
struct Decided {
  static constexpr Index kSentences = 3, kWords = 5, kFillers = 12, kClasses = 2;
  std::vector<std::int32_t> ids, classes;
  std::vector<Index> places;  // of the deciding word, sentence by sentence

  explicit Decided(std::uint64_t seed) {
    core::Random random(seed);
    const auto below = [&](Index n) { return random.below(static_cast<std::uint32_t>(n)); };
    for (Index b = 0; b < kBatch; ++b) {
      const auto place = static_cast<Index>(below(kSentences * kWords));
      classes.push_back(static_cast<std::int32_t>(below(kClasses)));
      places.push_back(place);
      for (Index i = 0; i < kSentences * kWords; ++i) {
        const auto filler = static_cast<std::int32_t>(below(kFillers));
        ids.push_back(i == place ? classes.back() + static_cast<std::int32_t>(kFillers) : filler);
      }
    }
  }
};

}  // namespace

TEST_CASE("the hierarchical network finds the sentence and the word that decide") {
  Layout layout;
  const WeighedLevel::Form of_words{.states = WeighedLevel::Reading::recurrent,
                                    .keys_of_inputs = true};
  const auto net = HierarchicalAttention::declare(
      Scope(layout), {.words = Decided::kFillers + Decided::kClasses,
                      .of_words = of_words,
                      .of_sentences = {.states = WeighedLevel::Reading::inputs}});
  const Documents documents{kBatch, Decided::kSentences, Decided::kWords};
  std::vector<float> values = layout.start<float>(1), gradients(values.size());
  Optimizer<float> optimizer(layout, {.clip = 1});
  Tape<float> tape;
  for (std::uint64_t k = 0; k < 150; ++k) {
    const Decided data(100 + k);
    std::fill(gradients.begin(), gradients.end(), 0.0F);
    tape.begin(values.data(), gradients.data(), {.train = true});
    const Tensor<float> logits = net(tape, data.ids.data(), documents).logits;
    tape.backward(cross_entropy(tape, logits, data.classes.data(), static_cast<float>(kBatch)));
    optimizer.step(layout, values.data(), gradients.data(), 1e-2);
  }
  const Decided data(1);
  tape.begin(values.data(), nullptr, {.differentiates = false});
  const auto read = net(tape, data.ids.data(), documents);
  CHECK(hits(read.logits, data.classes.data()) == kBatch);
  Index sentences = 0, words = 0;
  for (Index b = 0; b < kBatch; ++b) {
    const Index place = data.places[static_cast<std::size_t>(b)];
    const Index sentence = place / Decided::kWords, word = place % Decided::kWords;
    Index best = 0;
    read.sentences.found.weights.matrix().row(b).maxCoeff(&best);
    sentences += best == sentence;
    read.words.found.weights.matrix().row(b * Decided::kSentences + sentence).maxCoeff(&best);
    words += best == word;
  }
  CHECK(sentences >= kBatch * 9 / 10);
  CHECK(words >= kBatch * 9 / 10);
}

}  // namespace recurrent_training_test
