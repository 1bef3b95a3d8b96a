// Scores of heads whose weights were made, and of a model whose parameters were.
#include "core/task/inside/head_scores.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/task/sequence/sequence_recipes.h"

namespace head_scores_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index, core::Matrix;

namespace {

// "a b c a b c a", and one whose tokens all differ.
Sequence repeated() {
  Sequence one;
  for (const int id : {3, 4, 5, 3, 4, 5, 3}) one.ids.push_back(id);
  one.next = {4, 5, 3, 4, 5, 3, 4};
  one.evaluated = {0, 0, 0, 1, 1, 1, 1};
  one.source = {-1, -1, -1, 1, 2, 3, 4};
  return one;
}
Sequence different() {
  Sequence one;
  for (int id = 3; id < 10; ++id) one.ids.push_back(id);
  one.next.assign(7, -1);
  one.evaluated.assign(7, 0);
  one.source.assign(7, -1);
  return one;
}

// Each token looks at the one that `at` says.
template <class At>
Matrix looking(Index n, At at) {
  Matrix weights = Matrix::Zero(n, n);
  for (Index t = 0; t < n; ++t) weights(t, at(t)) = 1;
  return weights;
}

Matrix equal(Index n) {
  Matrix weights = Matrix::Zero(n, n);
  for (Index t = 0; t < n; ++t)
    weights.row(t).head(t + 1).setConstant(1 / static_cast<float>(t + 1));
  return weights;
}

HeadScores scores_of(const Sequence& sequence, const Matrix& weights) {
  HeadMeter meter;
  meter.add(sequence, weights);
  return meter.scores();
}

}  // namespace

TEST_CASE("a head that is exactly one thing scores 1 in it, and in nothing that it is not") {
  const Sequence one = repeated();
  const HeadScores previous = scores_of(one, looking(7, [](Index t) { return t > 0 ? t - 1 : 0; }));
  CHECK(previous.previous_token.mean == 1);
  CHECK(previous.previous_token.positions == 6);
  CHECK(previous.duplicate_token.mean == 0);
  CHECK(previous.induction.mean == 0);
  CHECK(previous.first_token.mean == doctest::Approx(1.0 / 6));  // of token 1 it is both
  CHECK(previous.uniform.mean == 0);
  CHECK(previous.right_position.mean == 0);

  const HeadScores first = scores_of(one, looking(7, [](Index) { return 0; }));
  CHECK(first.first_token.mean == 1);
  CHECK(first.duplicate_token.mean == doctest::Approx(0.5));  // the a at 3 and at 6, of four

  const HeadScores induction =
      scores_of(one, looking(7, [](Index t) { return t >= 3 ? t - 2 : t; }));
  CHECK(induction.induction.mean == 1);
  CHECK(induction.induction.positions == 4);
  CHECK(induction.right_position.mean == 1);
  CHECK(induction.right_position.positions == 4);
  CHECK(induction.right_position_largest.mean == 1);
  CHECK(induction.duplicate_token.mean == 0);
  CHECK(induction.previous_token.mean == 0);

  const HeadScores duplicate =
      scores_of(one, looking(7, [](Index t) { return t >= 3 ? t - 3 : t; }));
  CHECK(duplicate.duplicate_token.mean == 1);
  CHECK(duplicate.induction.mean == 0);
  CHECK(duplicate.right_position_largest.mean == 0);

  // The last a: all of its weight behind the first a, and behind the second.
  Matrix both = looking(7, [](Index t) { return t; });
  both(6, 6) = 0;
  both(6, 1) = both(6, 4) = 0.5F;
  CHECK(scores_of(one, both).induction.mean == doctest::Approx(0.25));
}

TEST_CASE("what two meters gathered is what one would have") {
  const Sequence a = repeated(), b = different();
  const Matrix before = looking(7, [](Index t) { return std::max<Index>(0, t - 1); });
  const Matrix first = looking(7, [](Index) { return 0; });
  HeadMeter both, one, two;
  both.add(a, before), both.add(b, first);
  one.add(a, before), two.add(b, first);
  one.add(two);
  CHECK(one.scores().previous_token.mean == both.scores().previous_token.mean);
  CHECK(one.scores().induction.mean == both.scores().induction.mean);
  CHECK(one.scores().first_token.positions == both.scores().first_token.positions);
  CHECK(one.scores().uniform.even == both.scores().uniform.even);
  CHECK(one.scores().first_token.mean > two.scores().first_token.mean / 2);
}

TEST_CASE("equal weights score what `even` says, in everything") {
  HeadMeter meter;
  meter.add(repeated(), equal(7));
  meter.add(different(), equal(7));
  const HeadScores s = meter.scores();
  for (const HeadScore& one : {s.previous_token, s.duplicate_token, s.induction, s.first_token,
                               s.uniform, s.right_position}) {
    CHECK(one.mean == doctest::Approx(one.even).epsilon(1e-6));
  }
  CHECK(s.uniform.mean == doctest::Approx(1));
  CHECK(s.previous_token.positions == 12);
  // Of the last a, two of seven tokens; of three others one of 4, 5 and 6.
  CHECK(s.duplicate_token.positions == 4);
  CHECK(s.duplicate_token.even == doctest::Approx((1.0 / 4 + 1.0 / 5 + 1.0 / 6 + 2.0 / 7) / 4));
  CHECK(s.first_token.even ==
        doctest::Approx((1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5 + 1.0 / 6 + 1.0 / 7) / 6));
}

TEST_CASE("an entropy by hand, \"aa\", and what there is no place for") {
  Sequence two = repeated();
  for (auto* list : {&two.ids, &two.next, &two.source}) list->resize(2);
  two.evaluated.resize(2);
  Matrix weights = Matrix::Zero(2, 2);
  weights(0, 0) = 1;
  weights.row(1) << 0.25F, 0.75F;
  const HeadScores s = scores_of(two, weights);
  CHECK(s.uniform.mean ==
        doctest::Approx((0.25 * std::log(4) + 0.75 * std::log(4.0 / 3)) / std::log(2)));
  CHECK(s.induction.positions == 0);
  CHECK(s.induction.mean == 0);
  CHECK(s.right_position.positions == 0);
  two.ids = {3, 3};
  CHECK(scores_of(two, weights).induction.mean == doctest::Approx(0.75));
  CHECK(scores_of(two, weights).duplicate_token.mean == doctest::Approx(0.25));
  CHECK_THROWS_AS(scores_of(two, equal(3)), core::InputError);
}

TEST_CASE("others of one class: not the token itself, nor the same token, nor those of no class") {
  using Class = TokenClass;
  // Of "a b c a b c a" a and c are of one class.
  HeadMeter meter({Class::none, Class::none, Class::none, Class::vowel, Class::none, Class::vowel});
  meter.add(repeated(), looking(7, [](Index t) { return std::max<Index>(0, t - 1); }));
  const HeadScores one_back = meter.scores();
  // c at 2 and 5, a at 3 and 6 have earlier ones; a at 3 and 6 look at a c.
  CHECK(one_back.same_class.positions == 4);
  CHECK(one_back.same_class.mean == doctest::Approx(0.5));
  CHECK(one_back.same_class.even == doctest::Approx((1.0 / 3 + 1.0 / 4 + 2.0 / 6 + 2.0 / 7) / 4));
  CHECK(scores_of(repeated(), equal(7)).same_class.positions == 0);
}

TEST_CASE("heads of a model that was made by hand: one back, the first, everything") {
  // Places are unit vectors and tokens nothing, without norms: W^Q says which place is looked at.
  constexpr Index kPlaces = 8, kHeads = 3, kWidth = kHeads * kPlaces;
  const SequenceTask task{.symbols = 6, .shortest = 3, .longest = 4, .length = kPlaces};
  const core::model::DecoderForm form{
      .layer = {.d_model = kWidth,
                .heads = kHeads,
                .key_heads = kHeads,
                .feed_forward = {.width = 0},
                .norm_first = true,
                .normed = false},
      .positions = {.scheme = core::model::Scheme::learned, .longest = kPlaces}};
  const SequenceModel model(task, form);
  std::vector<float> values(static_cast<std::size_t>(model.layout.size()), 0.0F);
  const auto matrix = [&](const core::model::Slot& slot) {
    return Eigen::Map<Matrix>(values.data() + slot.offset, slot.rows, slot.cols);
  };
  matrix(model.decoder.stack.added.table).leftCols(kPlaces).setIdentity();
  const auto& self = model.decoder.stack.layers.front().self;
  auto query = matrix(self.query.weight), key = matrix(self.key.weight);
  for (Index t = 0; t < kPlaces; ++t) {
    for (Index head = 0; head < kHeads; ++head) key(t, head * kPlaces + t) = 1;
    query(t, std::max<Index>(0, t - 1)) = 1000;  // head 0
    query(t, kPlaces) = 1000;                    // head 1; head 2 asks for nothing
  }
  const auto all = draw_sequences(task, 1, 40, false);
  const auto scores = head_scores(model, values.data(), all, 2);
  REQUIRE(scores.size() == 1);
  REQUIRE(scores[0].size() == 3);
  CHECK(scores[0][0].previous_token.mean == 1);
  CHECK(scores[0][0].previous_token.positions == 40 * 7);
  CHECK(scores[0][0].first_token.mean < 0.2);
  CHECK(scores[0][1].first_token.mean == 1);
  CHECK(scores[0][1].uniform.mean == 0);
  CHECK(scores[0][2].uniform.mean == doctest::Approx(1).epsilon(1e-6));
  CHECK(scores[0][2].induction.mean == doctest::Approx(scores[0][2].induction.even).epsilon(1e-5));

  const auto alone = head_scores(model, values.data(), all, 1);
  CHECK(alone[0][2].induction.mean == scores[0][2].induction.mean);
}

TEST_CASE("trained on induction, one layer looks one back and the next behind the last time" *
          doctest::test_suite("long")) {
  SequenceRecipe of = recipe(Recipe::induction);
  const SequenceFit fit(of.task, of.form, of.options);
  SequenceFit::State state = fit.begin(0);
  for (Index k = 0; k < of.steps; ++k) fit.step(state, 0);
  const auto all = draw_sequences(of.task, 9, 50, true);
  const auto scores = head_scores(*fit.model(), state.values.data(), all, 0);
  CHECK(scores[0][0].previous_token.mean > 0.3);
  CHECK(scores[0][0].previous_token.mean > 4 * scores[0][0].previous_token.even);
  CHECK(scores[1][0].induction.mean > 0.85);
  // Several times say it, and the right place is the last one.
  CHECK(scores[1][0].right_position.mean < scores[1][0].induction.mean);
  SequenceTask twice = of.task;
  twice.shortest = twice.longest = twice.length / 2;
  const HeadScores once =
      head_scores(*fit.model(), state.values.data(), draw_sequences(twice, 9, 50, true), 0)[1][0];
  CHECK(once.right_position.mean == doctest::Approx(once.induction.mean));
  CHECK(once.right_position.mean > 0.85);
  CHECK(once.right_position_largest.mean > 0.95);
  CHECK(scores[0][0].induction.mean < 0.3);
}

}  // namespace head_scores_test
