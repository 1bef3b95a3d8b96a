// What follows from a change: nothing from none, and from each what it says.
#include "core/task/inside/interventions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/precision/rounding.h"
#include "core/task/inside/head_scores.h"
#include "core/task/sequence/sequence_recipes.h"

namespace interventions_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::Matrix;

namespace {

using core::model::Scheme;

struct Changed {
  SequenceModel model;
  std::vector<float> values;
  std::vector<Sequence> all;

  explicit Changed(Scheme scheme = Scheme::rotary)
      : model({.symbols = 9, .shortest = 4, .longest = 5, .length = 12},
              {.layer = {.d_model = 16,
                         .heads = 4,
                         .key_heads = 2,
                         .feed_forward = {.width = 24},
                         .norm_first = true},
               .layers = 2,
               .positions = {.scheme = scheme, .longest = 16}}),
        values(model.layout.start<float>(5)),
        all(draw_sequences(model.task, 1, 20, true)) {}

  LookedSequence looked(const core::model::Edit<float>* edit = nullptr,
                        const core::Mask* mask = nullptr) const {
    return look(model, values.data(), all.front().ids, edit, mask);
  }
};

const std::vector<float>& traced(const LookedSequence& looked, const char* name) {
  return looked.trace.at(name).values;
}

// Trained on induction, once.
struct Trained {
  SequenceRecipe of = recipe(Recipe::induction);
  SequenceFit fit{of.task, of.form, of.options};
  SequenceFit::State state = fit.begin(0);
  std::vector<Sequence> all = draw_sequences(of.task, 9, 60, true);

  Trained() {
    for (Index k = 0; k < of.steps; ++k) fit.step(state, 0);
  }
  const SequenceModel& model() const { return *fit.model(); }
  const float* values() const { return state.values.data(); }
  SequenceScore with(Intervention what) const {
    const InterventionEdit edit(model(), std::move(what));
    return score(model(), values(), all, 0, &edit);
  }
};
const Trained& trained() {
  static const Trained once;
  return once;
}

}  // namespace

TEST_CASE("knocking out nothing changes no bit, nor does a format that every number has") {
  const Changed c;
  const LookedSequence plain = c.looked();
  for (const Intervention& what : {Intervention{}, Intervention{.cache = core::kFloat32}}) {
    const InterventionEdit edit(c.model, what);
    const LookedSequence same = c.looked(&edit);
    REQUIRE(same.trace.all().size() == plain.trace.all().size());
    for (std::size_t k = 0; k < plain.trace.all().size(); ++k) {
      CHECK(same.trace.all()[k].values == plain.trace.all()[k].values);
    }
    const auto guesses = guess_tokens(c.model, c.values.data(), c.all, 1);
    const auto others = guess_tokens(c.model, c.values.data(), c.all, 2, &edit);
    for (std::size_t k = 0; k < guesses.size(); ++k) CHECK(guesses[k].loss == others[k].loss);
  }
}

TEST_CASE("a head that says 0 is one whose rows of W_O are 0; the others go on as they were") {
  Changed c;
  const InterventionEdit edit(c.model, {.heads = {{0, 1}, {1, 3}}});
  const LookedSequence out = c.looked(&edit), plain = c.looked();
  for (std::size_t t = 0; t < 12; ++t) {
    for (std::size_t i = 0; i < 16; ++i) {
      const bool first = i / 4 == 1;
      CHECK((traced(out, "decoder.0.self.heads")[16 * t + i] == 0) == first);
      CHECK((traced(out, "decoder.1.self.heads")[16 * t + i] == 0) == (i / 4 == 3));
    }
  }
  CHECK(traced(out, "decoder.0.self.weights") == traced(plain, "decoder.0.self.weights"));
  CHECK(traced(out, "decoder.1.self.weights") != traced(plain, "decoder.1.self.weights"));
  for (const auto& [layer, head] : {std::pair{0, 1}, std::pair{1, 3}}) {
    const auto& slot = c.model.decoder.stack.layers[static_cast<std::size_t>(layer)].self.output;
    Eigen::Map<Matrix>(c.values.data() + slot.weight.offset, 16, 16)
        .middleRows(4 * head, 4)
        .setZero();
  }
  CHECK(traced(c.looked(), "decoder.logits") == traced(out, "decoder.logits"));
}

TEST_CASE("a head that says its mean says it everywhere, and the mean is that of all tokens") {
  const Changed c;
  const HeadMeans means = head_means(c.model, c.values.data(), c.all, 1);
  const HeadMeans again = head_means(c.model, c.values.data(), c.all, 2);
  REQUIRE(means.size() == 2);
  CHECK(means[1] == again[1]);
  double sum = 0;
  for (const Sequence& one : c.all) {
    const LookedSequence looked = look(c.model, c.values.data(), one.ids);
    for (std::size_t t = 0; t < one.ids.size(); ++t) {
      sum += static_cast<double>(traced(looked, "decoder.0.self.heads")[16 * t + 5]);
    }
  }
  CHECK(static_cast<double>(means[0](5)) == doctest::Approx(sum / (20 * 12)));
  const InterventionEdit edit(c.model, {.heads = {{0, 1}}, .means = means});
  const LookedSequence out = c.looked(&edit);
  for (std::size_t t = 0; t < 12; ++t) {
    CHECK(traced(out, "decoder.0.self.heads")[16 * t + 5] == means[0](5));
    CHECK(traced(out, "decoder.0.self.heads")[16 * t + 3] != means[0](3));
  }
}

TEST_CASE("a rounded cache has keys and values of its format, and queries as they were") {
  const Changed c;
  const InterventionEdit edit(c.model, {.cache = core::kFp8E4m3});
  const LookedSequence out = c.looked(&edit), plain = c.looked();
  for (const char* name : {"decoder.0.self.keys", "decoder.0.self.values"}) {
    CHECK(traced(out, name) != traced(plain, name));
    for (std::size_t k = 0; k < traced(out, name).size(); ++k) {
      const auto exact = static_cast<double>(traced(plain, name)[k]);
      CHECK(static_cast<double>(traced(out, name)[k]) == core::round_to(core::kFp8E4m3, exact));
    }
  }
  CHECK(traced(out, "decoder.0.self.queries") == traced(plain, "decoder.0.self.queries"));

  std::vector<float> large = c.values;
  large[3] = 1000;  // beyond 448
  const std::vector<float> rounded = rounded_parameters(c.model, large.data(), core::kFp8E4m3);
  CHECK(rounded[3] == 448);
  CHECK(static_cast<double>(rounded[7]) ==
        core::round_to(core::kFp8E4m3, static_cast<double>(large[7])));
}

TEST_CASE("nobody looks at a token that is left out: what it is does not matter to any other") {
  const Changed c;
  const core::Mask mask = without_tokens(12, {4});
  const LookedSequence out = c.looked(nullptr, &mask);
  for (std::size_t head = 0; head < 4; ++head) {
    for (std::size_t t = 0; t < 12; ++t) {
      CHECK(traced(out, "decoder.1.self.weights")[(head * 12 + t) * 12 + 4] == 0);
    }
  }
  std::vector<std::int32_t> other = c.all.front().ids;
  other[4] = other[4] == 5 ? 6 : 5;
  const LookedSequence same = look(c.model, c.values.data(), other, nullptr, &mask);
  const std::size_t words = c.model.tokens.size();
  for (std::size_t k = 0; k < 12 * words; ++k) {
    if (k / words == 4) continue;
    CHECK(traced(same, "decoder.logits")[k] == traced(out, "decoder.logits")[k]);
  }
  CHECK_THROWS_AS(without_tokens(12, {12}), core::InputError);
}

TEST_CASE("other positions: the same parameters by name, and none that nobody trained") {
  const Changed c(Scheme::learned);
  const OtherPositions same = with_positions(c.model, c.values.data(), Scheme::learned);
  CHECK(same.values == c.values);
  const OtherPositions none = with_positions(c.model, c.values.data(), Scheme::none);
  CHECK(none.model->layout.size() == c.model.layout.size() - 16 * 16);
  // Without positions a token asks for the same wherever it stands.
  const std::vector<std::int32_t>& ids = c.all.front().ids;
  const auto again = std::find(ids.begin() + 1, ids.end(), ids.front()) - ids.begin();
  REQUIRE(again < 12);
  const auto query = [&](const SequenceModel& model, const std::vector<float>& values, auto token) {
    const LookedSequence looked = look(model, values.data(), ids);
    const float* row = traced(looked, "decoder.0.self.queries").data() + 16 * token;
    return std::vector<float>(row, row + 16);
  };
  CHECK(query(*none.model, none.values, 0) == query(*none.model, none.values, again));
  CHECK(query(c.model, c.values, 0) != query(c.model, c.values, again));
  CHECK_THROWS_AS(with_positions(c.model, c.values.data(), Scheme::t5), core::InputError);
}

TEST_CASE("what cannot be knocked out is refused") {
  const Changed c;
  CHECK_THROWS_AS(InterventionEdit(c.model, {.heads = {{2, 0}}}), core::InputError);
  CHECK_THROWS_AS(InterventionEdit(c.model, {.heads = {{0, 4}}}), core::InputError);
  CHECK_THROWS_AS(InterventionEdit(c.model, {.means = HeadMeans(1)}), core::InputError);
  core::model::Tape<float> tape;
  const InterventionEdit edit(c.model, {});
  CHECK_THROWS_AS(tape.begin(c.values.data(), nullptr, {}, nullptr, &edit), core::InputError);
}

TEST_CASE("induction needs both of its heads, and bfloat16 hurts it not at all" *
          doctest::test_suite("long")) {
  const Trained& t = trained();
  const double whole = t.with({}).token_accuracy();
  CHECK(whole > 0.98);
  CHECK(t.with({.heads = {{1, 0}}}).token_accuracy() < 0.2);
  CHECK(t.with({.heads = {{0, 0}}}).token_accuracy() < 0.2);
  const HeadMeans means = head_means(t.model(), t.values(), t.all, 0);
  CHECK(t.with({.heads = {{1, 0}}, .means = means}).token_accuracy() < 0.2);
  CHECK(t.with({.cache = core::kBFloat16}).token_accuracy() > 0.98);
  // Without the head that looks one back the other no longer finds what followed.
  const InterventionEdit edit(t.model(), {.heads = {{0, 0}}});
  CHECK(head_scores(t.model(), t.values(), t.all, 0)[1][0].induction.mean > 0.85);
  CHECK(head_scores(t.model(), t.values(), t.all, 0, &edit)[1][0].induction.mean < 0.3);
}

}  // namespace interventions_test
