#include "core/model/hierarchical.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "model/gradient_cases.h"

namespace hierarchical_test {

using namespace model_test;
using namespace core::model;

namespace {

// Two documents of up to three sentences of up to four words; the second has one sentence fewer.
constexpr std::int32_t kWords[] = {1, 4, 2, 0, 3, 3, 5, 1, 2, 0, 1, 5,
                                   2, 2, 0, 0, 5, 1, 3, 4, 0, 0, 0, 0};
constexpr Index kSentences[] = {3, 2}, kLengths[] = {3, 4, 1, 2, 4, 4};
constexpr Documents kTwo{2, 3, 4, kSentences, kLengths};

using Reading = WeighedLevel::Reading;

HierarchicalAttention::Form form_of(const WeighedLevel::Form& words,
                                    const WeighedLevel::Form& sentences) {
  return {.words = 6, .classes = 3, .embedding = 3, .of_words = words, .of_sentences = sentences};
}

Registered hierarchical(const std::string& name, const WeighedLevel::Form& words,
                        const WeighedLevel::Form& sentences) {
  return layer(
      "hierarchical: " + name, {{2, 3}},
      [=](const Scope& s) { return HierarchicalAttention::declare(s, form_of(words, sentences)); },
      [=](auto& tape, const auto& in, const HierarchicalAttention& net) {
        const auto read = net(tape, kWords, kTwo);
        const auto y = tape.tensor(2, 3);
        using S = std::remove_pointer_t<decltype(y.value)>;
        tape.record("linear", LinearStep<S>{in[0], tape.input(core::MatrixOf<S>::Identity(3, 3)),
                                            read.logits, y, false});
        return y;
      },
      {});
}

const WeighedLevel::Form kSmall{.hidden = 2, .width = 3};

const Registered kPublished = hierarchical("as published", kSmall, kSmall);
const Registered kEmbeddings = hierarchical("keys of the embeddings, sentence vectors",
                                            {.hidden = 2, .keys_of_inputs = true, .width = 3},
                                            {.states = Reading::inputs, .width = 3});
const Registered kWindow =
    hierarchical("a window of two", {.states = Reading::window, .hidden = 5, .width = 3}, kSmall);
const Registered kMean = hierarchical(
    "the mean, LSTM", {.cell = Cell::lstm, .hidden = 2, .mean = true}, {.hidden = 2, .mean = true});
const Registered kWindowAlone =
    layer("hierarchical: the window", {{6, 3}}, [](auto& tape, const auto& in) {
      const auto y = tape.tensor(6, 6);
      using S = std::remove_pointer_t<decltype(y.value)>;
      tape.record("window", WindowStep<S>{in[0], y, 3});
      return y;
    });

// Everything that the network computes for these documents.
Trace<double> traced(const WeighedLevel::Form& words, const WeighedLevel::Form& sentences,
                     const std::int32_t* ids, const Documents& documents) {
  Layout layout;
  const auto net = HierarchicalAttention::declare(Scope(layout), form_of(words, sentences));
  const std::vector<double> parameters = layout.start<double>(5);
  Tape<double> tape;
  Trace<double> trace;
  tape.begin(parameters.data(), nullptr, {.differentiates = false}, &trace);
  net(tape, ids, documents);
  return trace;
}

}  // namespace

TEST_CASE("what pads a document changes none of its numbers") {
  std::int32_t other[24];
  for (Index i = 0; i < 24; ++i) {
    const bool word = i % 12 / 4 < kSentences[i / 12] && i % 4 < kLengths[i / 4];
    other[i] = word ? kWords[i] : 5 - kWords[i];
  }
  for (const Reading states : {Reading::recurrent, Reading::window, Reading::inputs}) {
    const WeighedLevel::Form form{.states = states, .hidden = 3, .width = 3};
    const Trace<double> one = traced(form, kSmall, kWords, kTwo);
    const Trace<double> two = traced(form, kSmall, other, kTwo);
    for (const char* name : {"words.weights", "sentences.vectors", "sentences.weights", "logits"}) {
      CHECK(one.at(name).values == two.at(name).values);
    }
    // Alone and without padding the first sentences have the same weights.
    const Trace<double> alone = traced(form, kSmall, kWords, {1, 1, 3});
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(alone.at("words.weights").values[j] ==
            doctest::Approx(one.at("words.weights").values[j]).epsilon(1e-14));
    }
  }
}

TEST_CASE("weights of a document sum to one over its own words and sentences") {
  const Trace<double> trace = traced(kSmall, kSmall, kWords, kTwo);
  const Traced<double>& words = trace.at("words.weights");
  CHECK(words.shape == std::vector<Index>{2, 3, 4});
  CHECK(words.axes == std::vector<std::string>{"batch", "sentence", "word"});
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const double weight = words.values[4 * i + j];
      sum += weight;
      if (static_cast<Index>(j) >= kLengths[i]) CHECK(weight == 0);
    }
    // The last one is no sentence of its document.
    CHECK(sum == doctest::Approx(i == 5 ? 0 : 1));
  }
  CHECK(trace.at("sentences.weights").values[5] == 0);
  CHECK(trace.at("words.0.backward.states").shape == std::vector<Index>{6, 4, 2});
}

TEST_CASE("the mean weighs all words alike") {
  const Trace<double> trace = traced({.hidden = 2, .mean = true}, kSmall, kWords, kTwo);
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(trace.at("words.weights").values[j] == doctest::Approx(1.0 / 3));
  }
}

}  // namespace hierarchical_test
