// Circuits: held against passes of models without norms, and what training on induction makes.
#include "core/task/inside/circuits.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/random.h"
#include "core/task/inside/token_class.h"
#include "core/task/sequence/sequence_recipes.h"

namespace circuits_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::Matrix, core::MatrixD;

namespace {

using core::model::Scheme;

struct Wired {
  SequenceModel model;
  std::vector<float> values;

  explicit Wired(Scheme scheme, bool normed = false, Index layers = 2)
      : model({.symbols = 9, .shortest = 4, .longest = 5, .length = 8},
              {.layer = {.d_model = 12,
                         .heads = 2,
                         .key_heads = 1,
                         .feed_forward = {.width = 0},
                         .norm_first = true,
                         .normed = normed},
               .layers = layers,
               .positions = {.scheme = scheme, .longest = 16}}),
        values(model.layout.start<float>(7)) {}

  Eigen::Map<Matrix> matrix(const core::model::Slot& slot) {
    return {values.data() + slot.offset, slot.rows, slot.cols};
  }
};

MatrixD parameter(Wired& of, const core::model::Slot& slot) {
  return of.matrix(slot).cast<double>();
}

}  // namespace

TEST_CASE("the map of queries and keys holds the scores of a pass, at each distance") {
  for (const Scheme scheme : {Scheme::none, Scheme::rotary, Scheme::xpos}) {
    Wired wired(scheme);
    const std::vector<std::int32_t> ids{3, 5, 7, 5, 8, 3};
    const LookedSequence looked = look(wired.model, wired.values.data(), ids);
    const auto n = static_cast<Index>(ids.size());
    const auto rows = [&](const char* name, Index width) {
      return Eigen::Map<const Matrix>(looked.trace.at(name).values.data(), n, width);
    };
    for (Index head = 0; head < 2; ++head) {
      for (const Index distance : {Index{0}, Index{1}, Index{3}}) {
        const MatrixD map =
            qk_circuit(wired.model, wired.values.data(), {0, head}, {.distance = distance}).cells();
        REQUIRE(map.rows() == 12);
        for (Index t = distance; t < n; ++t) {
          const Index s = t - distance;
          const float score = rows("decoder.0.self.queries", 12)
                                  .row(t)
                                  .segment(6 * head, 6)
                                  .dot(rows("decoder.0.self.keys", 6).row(s)) /
                              std::sqrt(6.0F);
          CHECK(map(ids[static_cast<std::size_t>(t)], ids[static_cast<std::size_t>(s)]) ==
                doctest::Approx(static_cast<double>(score)).epsilon(1e-4));
        }
      }
    }
  }
  Wired wired(Scheme::rotary);
  CHECK_THROWS_AS(qk_circuit(wired.model, wired.values.data(), {0, 0}, {.distance = 16}).cells(),
                  core::InputError);
}

TEST_CASE("a first token sees itself: its logits are the direct map, OV of each head, and both") {
  Wired wired(Scheme::none);
  const float* values = wired.values.data();
  const LookedSequence looked = look(wired.model, values, {6});
  const auto& logits = looked.trace.at("decoder.logits").values;
  MatrixD sum = direct_circuit(wired.model, values).cells();
  for (Index layer = 0; layer < 2; ++layer) {
    for (Index head = 0; head < 2; ++head)
      sum += ov_circuit(wired.model, values, {layer, head}).cells();
  }
  for (Index first = 0; first < 2; ++first) {
    for (Index second = 0; second < 2; ++second) {
      sum += ov_circuit(wired.model, values, {1, second}, {.value_through = HeadIndex{0, first}})
                 .cells();
    }
  }
  for (Index id = 0; id < 12; ++id) {
    CHECK(sum(6, id) ==
          doctest::Approx(static_cast<double>(logits[static_cast<std::size_t>(id)])).epsilon(1e-4));
  }
}

TEST_CASE("through an earlier head keys and queries are what it adds") {
  Wired wired(Scheme::none);
  const float* values = wired.values.data();
  const MatrixD tokens = parameter(wired, wired.model.decoder.embedding);
  const HeadCircuits first = head_circuits(wired.model, values, {0, 1});
  const HeadCircuits second = head_circuits(wired.model, values, {1, 0});
  const MatrixD written = tokens * first.ov(), qk = second.qk() / std::sqrt(6.0);
  const HeadIndex earlier{0, 1}, later{1, 0};
  CHECK(qk_circuit(wired.model, values, later, {.key_through = earlier})
            .cells()
            .isApprox(tokens * qk * written.transpose(), 1e-9));
  CHECK(qk_circuit(wired.model, values, later, {.query_through = earlier})
            .cells()
            .isApprox(written * qk * tokens.transpose(), 1e-9));
  CHECK_THROWS_AS(qk_circuit(wired.model, values, earlier, {.key_through = later}).cells(),
                  core::InputError);
  CHECK_THROWS_AS(ov_circuit(wired.model, values, {2, 0}).cells(), core::InputError);
}

TEST_CASE("folding takes the mean away and multiplies by the gain, where there is a norm") {
  Wired plain(Scheme::none), normed(Scheme::none, true);
  CHECK(qk_circuit(plain.model, plain.values.data(), {0, 0}, {.folded = true}).cells() ==
        qk_circuit(plain.model, plain.values.data(), {0, 0}).cells());
  normed.matrix(normed.model.decoder.stack.layers[0].around_self.norm.gain).setConstant(3);
  normed.matrix(normed.model.decoder.stack.last.gain).setConstant(5);
  const float* values = normed.values.data();
  MatrixD tokens = parameter(normed, normed.model.decoder.embedding);
  tokens.colwise() -= core::VectorD(tokens.rowwise().mean());
  const HeadCircuits head = head_circuits(normed.model, values, {0, 0});
  CHECK(qk_circuit(normed.model, values, {0, 0}, {.folded = true})
            .cells()
            .isApprox(9 / std::sqrt(6.0) * tokens * head.qk() * tokens.transpose(), 1e-9));
  MatrixD written = 3 * tokens * head.ov();
  written.colwise() -= core::VectorD(written.rowwise().mean());
  const MatrixD out = parameter(normed, normed.model.decoder.output.weight);
  CHECK(ov_circuit(normed.model, values, {0, 0}, {.folded = true})
            .cells()
            .isApprox(5 * written * out, 1e-9));
}

TEST_CASE("composition: 1 in line, 0 past each other, 1/sqrt(d) by chance") {
  Wired wired(Scheme::none);
  const auto& layers = wired.model.decoder.stack.layers;
  const auto set = [&](const core::model::Linear& of, Index row, Index col) {
    wired.matrix(of.weight).setZero();
    wired.matrix(of.weight)(row, col) = 2;
  };
  // The first head reads number 1 and writes number 4.
  set(layers[0].self.value, 1, 0);
  set(layers[0].self.output, 0, 4);
  // The second asks by number 4 and holds by number 7; it reads number 4.
  set(layers[1].self.query, 4, 0);
  set(layers[1].self.key, 7, 0);
  set(layers[1].self.value, 4, 0);
  set(layers[1].self.output, 0, 2);
  const Composition one = composition(wired.model, wired.values.data(), {0, 0}, {1, 0});
  CHECK(one.query == doctest::Approx(1));
  CHECK(one.key == 0);
  CHECK(one.value == doctest::Approx(1));
  set(layers[1].self.key, 4, 0);
  CHECK(composition(wired.model, wired.values.data(), {0, 0}, {1, 0}).key == doctest::Approx(1));
  CHECK_THROWS_AS(composition(wired.model, wired.values.data(), {1, 0}, {1, 1}), core::InputError);

  // Starts are random: the mean square over many is 1 / d_model.
  double squares = 0;
  constexpr int kStarts = 200;
  Wired fresh(Scheme::none);
  for (int seed = 0; seed < kStarts; ++seed) {
    fresh.values = fresh.model.layout.start<float>(static_cast<std::uint64_t>(seed));
    const Composition c = composition(fresh.model, fresh.values.data(), {0, 0}, {1, 0});
    squares += c.key * c.key;
  }
  CHECK(squares / kStarts == doctest::Approx(1.0 / 12).epsilon(0.05));
}

TEST_CASE("induction: the second head asks for what the first one wrote, and copies" *
          doctest::test_suite("long")) {
  SequenceRecipe of = recipe(Recipe::induction);
  const SequenceFit fit(of.task, of.form, of.options);
  SequenceFit::State state = fit.begin(0);
  for (Index k = 0; k < of.steps; ++k) fit.step(state, 0);
  const SequenceModel& model = *fit.model();
  const float* values = state.values.data();
  // Of the symbols: the share of rows whose own column is the largest.
  const auto own_largest = [](const MatrixD& map) {
    Index hits = 0;
    const MatrixD symbols = map.bottomRightCorner(map.rows() - 3, map.cols() - 3);
    for (Index row = 0; row < symbols.rows(); ++row) {
      Index at = 0;
      symbols.row(row).maxCoeff(&at);
      hits += at == row;
    }
    return static_cast<double>(hits) / static_cast<double>(symbols.rows());
  };
  CHECK(own_largest(qk_circuit(model, values, {1, 0}, {.key_through = HeadIndex{0, 0}}).cells()) >
        0.9);
  CHECK(own_largest(ov_circuit(model, values, {1, 0}).cells()) > 0.9);
  const Composition c = composition(model, values, {0, 0}, {1, 0});
  const double chance = 1 / std::sqrt(32.0);
  CHECK(c.key > 1.25 * chance);
  CHECK(c.key > c.query);
}

TEST_CASE("tokens of one class") {
  const auto of = [](const SequenceTask& task, const char* token) {
    const auto names = tokens(task);
    const auto at = std::find(names.begin() + 1, names.end(), token);
    REQUIRE_MESSAGE(at != names.end(), "no token " << std::string(token));
    return token_classes(task)[static_cast<std::size_t>(at - names.begin())];
  };
  const SequenceTask letters{.story = Story::copy, .symbols = 40};
  CHECK(token_classes(letters)[0] == TokenClass::none);
  CHECK(of(letters, "e") == TokenClass::small_letter);
  CHECK(of(letters, "3") == TokenClass::digit);
  CHECK(of(letters, "A") == TokenClass::capital);
  CHECK(of(letters, ">") == TokenClass::sign);
  const SequenceTask brackets{.story = Story::brackets};
  CHECK(of(brackets, "(") == of(brackets, ")"));
  CHECK(of(brackets, "(") != of(brackets, "]"));
  const SequenceTask english{.story = Story::text};
  CHECK(of(english, "e") == TokenClass::vowel);
  CHECK(of(english, "t") == TokenClass::consonant);
  CHECK(of(english, "T") == TokenClass::capital);
  CHECK(of(english, " ") == TokenClass::space);
  CHECK(of(english, "⏎") == TokenClass::space);
  CHECK(of(english, ".") == TokenClass::punctuation);
  const SequenceTask chinese{.story = Story::text, .language = Language::chinese};
  CHECK(of(chinese, "她") == TokenClass::pronoun);
  CHECK(of(chinese, "只") == TokenClass::measure_word);
  CHECK(of(chinese, "猫") == TokenClass::noun);
  CHECK(of(chinese, "小") == TokenClass::name);
  CHECK(of(chinese, "。") == TokenClass::punctuation);
  CHECK(of(chinese, "欢") == TokenClass::none);
}

}  // namespace circuits_test
