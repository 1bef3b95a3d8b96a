// Training on sequences: it learns what the recipes say, and the same bits come out however it is
// run.
#include "core/task/sequence/sequence_fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/task/sequence/sequence_recipes.h"

namespace sequence_fit_test {

using namespace core::task;  // NOLINT: the box under test
using core::Index;

namespace {

SequenceFit fit_of(const SequenceRecipe& of) { return {of.task, of.form, of.options}; }
SequenceFit fit_of(Recipe which) { return fit_of(recipe(which)); }

SequenceFit::State trained(const SequenceFit& fit, Index steps, int threads) {
  SequenceFit::State state = fit.begin(threads);
  for (Index k = 0; k < steps; ++k) fit.step(state, threads);
  return state;
}

// On fresh sequences, held out as those that were looked at.
SequenceScore score_of(const SequenceFit& fit, const SequenceFit::State& state) {
  return score(*fit.model(), state.values.data(), draw_sequences(fit.task(), 77, 300, true), 0);
}

Sequence cut_off(Sequence one, std::size_t length) {
  for (auto* list : {&one.ids, &one.next, &one.source}) list->resize(length);
  one.evaluated.resize(length);
  return one;
}

}  // namespace

TEST_CASE("every recipe makes a model that begins as one who knows nothing") {
  for (const Recipe which : kRecipes) {
    CAPTURE(static_cast<int>(which));
    SequenceRecipe of = recipe(which);
    CHECK(of.steps > 0);
    CHECK(longest_sequence(of.task) <= of.form.positions.longest);
    of.options.batch = of.options.looked_at = 8;
    const SequenceFit fit = fit_of(of);
    const SequenceFit::State state = trained(fit, 1, 1);
    const auto words = static_cast<double>(fit.form().vocabulary);
    CHECK(state.loss == doctest::Approx(std::log(words)).epsilon(0.15));
    CHECK(state.gradient_norm > 0);
    CHECK(fit.begin(1).held.loss == doctest::Approx(std::log(words)).epsilon(0.15));
  }
}

TEST_CASE("two layers learn induction in the recipe's steps, and one layer never does" *
          doctest::test_suite("long")) {
  SequenceRecipe of = recipe(Recipe::induction);
  const SequenceFit fit = fit_of(of);
  const SequenceFit::State state = trained(fit, of.steps, 0);
  const SequenceScore two = score_of(fit, state);
  CHECK(two.token_accuracy() >= 0.99);
  CHECK(two.accuracy() == two.token_accuracy());
  CHECK(two.evaluated_loss < 0.3);
  // What has not been seen yet can only be guessed.
  CHECK(two.loss > two.evaluated_loss + 0.5);
  const PositionScore places = score_by_position(*fit.model(), state.values.data(),
                                                 draw_sequences(of.task, 77, 300, true), 0);
  CHECK(places.loss.size() == 48);
  CHECK(places.loss.front() > 2);
  CHECK(places.loss.back() < 0.3);
  CHECK(places.right.back() > 0.98);
  CHECK(state.held.accuracy() > 0.98);
  CHECK(state.held.sequences == 2048 / 48);

  of.form.layers = 1;
  const SequenceFit one_layer = fit_of(of);
  CHECK(score_of(one_layer, trained(one_layer, of.steps, 0)).token_accuracy() < 0.25);
}

TEST_CASE("one head copies or reverses a fixed length, and sorts any without positions" *
          doctest::test_suite("long")) {
  for (const Recipe which :
       {Recipe::copy, Recipe::reverse, Recipe::reverse_any_length, Recipe::sort}) {
    CAPTURE(static_cast<int>(which));
    SequenceRecipe of = recipe(which);
    if (is_compared(which)) {
      // One head of content is enough, and quicker than what is shipped.
      of.form.layer.d_model = 32;
      of.form.layer.heads = of.form.layer.key_heads = 1;
      of.steps = of.options.schedule.steps = 300;
    }
    const SequenceFit fit = fit_of(of);
    const SequenceFit::State state = trained(fit, of.steps, 0);
    const SequenceScore score = score_of(fit, state);
    CHECK(score.whole);
    CHECK(score.accuracy() >= 0.99);
    CHECK(score.sequences == 300);
    if (which != Recipe::sort) continue;
    // Twice as long as anything it was trained on.
    const auto longer = draw_sequences_of_length(of.task, 5, 100, 20);
    CHECK(core::task::score(*fit.model(), state.values.data(), longer, 0).accuracy() >= 0.95);
  }
}

TEST_CASE("the slower stories are learned as far as a few steps go" * doctest::test_suite("long")) {
  const auto after = [](Recipe which, Index steps) {
    const SequenceFit fit = fit_of(which);
    return score_of(fit, trained(fit, steps, 0));
  };
  const SequenceScore sums = after(Recipe::addition, 60);
  CHECK(sums.loss < 2);
  CHECK(sums.token_accuracy() > 0.25);
  CHECK(sums.sequence_accuracy() < sums.token_accuracy());
  CHECK(after(Recipe::text_chinese, 60).loss < 1.6);
  CHECK(after(Recipe::brackets, 60).token_accuracy() > 0.6);
}

TEST_CASE("one thread or two, at once or copied midway: the same bits of sequences") {
  SequenceRecipe of = recipe(Recipe::copy_any_length);
  of.form.layer.dropout = 0.1;
  of.options.batch = 24;
  const SequenceFit fit = fit_of(of);
  const SequenceFit::State one = trained(fit, 12, 1), two = trained(fit, 12, 2);
  CHECK(one.values == two.values);
  CHECK(one.loss == two.loss);
  CHECK(one.gradient_norm == two.gradient_norm);
  CHECK(one.held.loss == two.held.loss);
  CHECK(one.right == two.right);
  SequenceFit::State copy = trained(fit, 5, 2);
  for (int k = 5; k < 12; ++k) fit_of(of).step(copy, 1);
  CHECK(copy.values == one.values);
  CHECK(fit == fit_of(of));
  of.options.seed = 1;
  CHECK_FALSE(fit == fit_of(of));
  CHECK(fit_of(of).begin(1).values != fit.begin(1).values);
}

TEST_CASE("a batch is filled up, and what fills it up counts for nothing") {
  const SequenceRecipe of = recipe(Recipe::copy_any_length);
  const SequenceFit fit = fit_of(of);
  const auto all = fit.sequences_of(3);
  SequenceBatch batch;
  batch.fill(all, 2, 9);
  const core::model::Sequences sequences = batch.sequences();
  CHECK(sequences.batch == 9);
  Index counted = 0, longest = 0;
  for (Index b = 0; b < 9; ++b) {
    const Sequence& one = all[static_cast<std::size_t>(2 + b)];
    longest = std::max(longest, static_cast<Index>(one.ids.size()));
    CHECK(sequences.used(b) == static_cast<Index>(one.ids.size()));
    for (Index t = 0; t < sequences.length; ++t) {
      const auto at = static_cast<std::size_t>(t);
      const bool used = at < one.ids.size();
      CHECK(batch.ids()[b * sequences.length + t] == (used ? one.ids[at] : 0));
      CHECK(batch.next_ids()[b * sequences.length + t] == (used ? one.next[at] : -1));
      counted += used && one.next[at] >= 0;
    }
  }
  CHECK(sequences.length == longest);
  CHECK(batch.counted() == counted);

  // Each alone and all together: the same guesses.
  const auto values = trained(fit, 3, 1).values;
  const auto together = guess_tokens(*fit.model(), values.data(), all, 2);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto alone = guess_tokens(*fit.model(), values.data(), {all[k]}, 1).front();
    REQUIRE(alone.loss.size() == all[k].ids.size());
    CHECK(alone.right == together[k].right);
    for (std::size_t t = 0; t < alone.loss.size(); ++t) {
      CHECK(alone.loss[t] == doctest::Approx(together[k].loss[t]).epsilon(1e-5));
      if (all[k].next[t] < 0) CHECK(alone.loss[t] == 0);
    }
  }
}

TEST_CASE("a score is counted by hand: tokens, whole sequences, the judged loss") {
  SequenceRecipe of = recipe(Recipe::copy);
  of.task.symbols = 4;
  of.task.shortest = of.task.longest = 3;
  of.form.positions.longest = 8;
  const SequenceFit fit = fit_of(of);
  const auto values = trained(fit, 15, 1).values;
  auto all = draw_sequences(of.task, 3, 20, false);
  // One of which nothing is judged.
  all.push_back(cut_off(all.front(), 2));
  const SequenceScore got = score(*fit.model(), values.data(), all, 2);
  Index right = 0, evaluated = 0, evaluated_right = 0;
  double loss = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    const LookedSequence looked = look(*fit.model(), values.data(), all[k].ids);
    CHECK(looked.probabilities.rowwise().sum().isOnes(1e-5F));
    bool whole = true;
    for (std::size_t t = 0; t < all[k].ids.size(); ++t) {
      if (all[k].evaluated[t] == 0) continue;
      ++evaluated;
      Index likeliest = 0;
      const auto row = looked.probabilities.row(static_cast<Index>(t));
      row.maxCoeff(&likeliest);
      evaluated_right += likeliest == all[k].next[t];
      whole = whole && likeliest == all[k].next[t];
      loss -= std::log(static_cast<double>(row(all[k].next[t])));
    }
    right += whole;
  }
  CHECK(evaluated == 80);
  CHECK(got.sequences == 20);
  CHECK(got.right == right);
  CHECK(got.evaluated == evaluated);
  CHECK(got.evaluated_right == evaluated_right);
  CHECK(evaluated_right > right);
  CHECK(got.evaluated_loss == doctest::Approx(loss / 80).epsilon(1e-5));
  CHECK(got.loss == doctest::Approx(got.evaluated_loss));
  CHECK(score(*fit.model(), values.data(), {}, 1).accuracy() == 0);

  // Of induction the loss counts every token, and the judged are those that come again.
  SequenceRecipe again = recipe(Recipe::induction);
  const SequenceFit repeats = fit_of(again);
  const auto start = repeats.begin(1).values;
  const auto some = draw_sequences(again.task, 3, 10, false);
  const SequenceScore of_repeats = score(*repeats.model(), start.data(), some, 1);
  Index come_again = 0;
  for (const Sequence& one : some) {
    come_again += std::count(one.evaluated.begin(), one.evaluated.end(), 1);
  }
  CHECK(of_repeats.counted == 480);
  CHECK(of_repeats.evaluated == come_again);
  CHECK(of_repeats.evaluated < of_repeats.counted);
  CHECK_FALSE(of_repeats.whole);
}

TEST_CASE("the next logits are the last row of the pass; what cannot be read says so") {
  const SequenceFit fit = fit_of(Recipe::copy);
  const auto values = fit.begin(1).values;
  const std::vector<std::int32_t> ids{0, 3, 5, 4, 2};
  const core::VectorD logits = next_logits(*fit.model(), values.data(), ids);
  const LookedSequence looked = look(*fit.model(), values.data(), ids);
  const core::VectorD p = (logits.array() - logits.maxCoeff()).exp();
  CHECK((p / p.sum() - looked.probabilities.row(4).transpose().cast<double>()).norm() < 1e-6);
  const auto refusal = [&](const std::vector<std::int32_t>& of) -> std::string {
    try {
      next_logits(*fit.model(), values.data(), of);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return {};
  };
  CHECK(refusal({}) == "text: expected 1 to 22 tokens, got 0");
  CHECK(refusal(std::vector<std::int32_t>(23, 4)) == "text: expected 1 to 22 tokens, got 23");
  CHECK(refusal({0, 29}) == "text: expected tokens below 29, got 29");
  CHECK(refusal({-1}) == "text: expected tokens below 29, got -1");

  SequenceRecipe of = recipe(Recipe::copy);
  of.form.positions.longest = 21;
  CHECK_THROWS_WITH_AS(fit_of(of),
                       "positions: expected as many as the longest sequence has tokens, 22, got 21",
                       core::InputError);
  of = recipe(Recipe::copy);
  of.form.layer.heads = 3;
  CHECK_THROWS_AS(fit_of(of), core::InputError);
}

}  // namespace sequence_fit_test
