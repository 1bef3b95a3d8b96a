// The decoders that travel with the program: they are what the recipes say, and right on what is
// held out.
#include "app/labs/shared/model/story_model.h"

#include <doctest/doctest.h>

#include <set>

#include "assets/assets.h"
#include "core/io/memory_bytes.h"
#include "core/task/sequence/length_score.h"
#include "lengths_record.h"

namespace story_model_test {

using namespace lab;  // NOLINT: the box under test
using core::model::Scheme;
using core::task::Recipe;

namespace {

core::task::SequenceScore score_of(const LearnedStory& story) {
  return core::task::score(*story.model, story.numbers(),
                           core::task::draw_sequences(story.task(), 77, 1000, true), 0);
}

struct Opening {
  Memo memo;
  words::Words words = {};
  Context context() { return {{}, words, memo}; }
  LearnedStory operator()(const std::string& asset) {
    return shipped_story("story", asset, context());
  }
};

}  // namespace

TEST_CASE("every decoder that ships is its recipe's, and right on what is held out") {
  Opening open;
  for (const Recipe which : core::task::kRecipes) {
    CAPTURE(static_cast<int>(which));
    const LearnedStory story = open(story_asset(which));
    const core::task::SequenceRecipe recipe = core::task::recipe(which);
    CHECK(story.weights == Weights::shipped);
    CHECK(story.task() == recipe.task);
    CHECK(story.step == recipe.steps);
    CHECK(story.form().positions.scheme == recipe.form.positions.scheme);
    CHECK(story.parameters() ==
          core::task::SequenceModel(recipe.task, recipe.form).layout.learned());
    const core::task::SequenceScore score = score_of(story);
    CHECK(story.history.back().more.size() == core::task::kLookedHeads);
    if (which == Recipe::text_english) {
      CHECK(score.loss < 0.19);
    } else if (which == Recipe::text_chinese) {
      CHECK(score.loss < 0.45);
    } else {
      CHECK(score.accuracy() >= 0.99);
    }
  }
}

TEST_CASE("models that are compared by length are alike but for their positions") {
  Opening open;
  for (const Recipe which : kComparedRecipes) {
    const core::task::SequenceRecipe first = core::task::recipe(which);
    for (const Scheme scheme : kComparedSchemes) {
      CAPTURE(core::model::scheme_id(scheme));
      core::task::SequenceRecipe of = core::task::recipe(which, scheme);
      const LearnedStory story = open(story_asset(which, scheme));
      CHECK(story.form().positions.scheme == scheme);
      CHECK(story.form().positions == of.form.positions);
      CHECK(story.step == first.steps);
      of.form.positions = first.form.positions;
      of.options.seed = first.options.seed;
      CHECK(of.task == first.task);
      CHECK(of.form == first.form);
      CHECK(of.options == first.options);
      CHECK(of.steps == first.steps);
      CHECK(story.task() == first.task);
      auto form = story.form();
      form.positions = first.form.positions;
      CHECK(form == core::task::SequenceModel(first.task, first.form).form);
    }
  }
  CHECK_THROWS_AS(core::task::recipe(Recipe::copy, Scheme::alibi), core::InputError);
  CHECK_THROWS_AS(core::task::recipe(Recipe::copy_any_length, Scheme::urpe), core::InputError);
}

TEST_CASE("of three trainings the middle one is shipped, and the record has what it does") {
  Opening open;
  const std::vector<lengths_record::Row> rows = lengths_record::read();
  CHECK(rows.size() == std::size(kComparedRecipes) * std::size(kComparedSchemes) *
                           std::size(core::task::kComparedSeeds));
  for (const Recipe which : kComparedRecipes) {
    for (const Scheme scheme : kComparedSchemes) {
      CAPTURE(recipe_name(which));
      CAPTURE(core::model::scheme_id(scheme));
      const core::task::SequenceRecipe of = core::task::recipe(which, scheme);
      std::vector<std::pair<double, double>> merits;
      const lengths_record::Row* shipped = nullptr;
      for (const auto& row : rows) {
        if (row.recipe != recipe_name(which) || row.positions != core::model::scheme_id(scheme)) {
          continue;
        }
        merits.emplace_back(row.score.beyond(of.task.longest), row.score.within(of.task.longest));
        if (row.shipped) shipped = &row;
      }
      REQUIRE(shipped);
      REQUIRE(merits.size() == 3);
      CHECK(shipped->seed == of.options.seed);
      std::sort(merits.begin(), merits.end());
      CHECK(merits[1] == std::pair(shipped->score.beyond(of.task.longest),
                                   shipped->score.within(of.task.longest)));
      const LearnedStory story = open(story_asset(which, scheme));
      const auto score = core::task::score_by_length(*story.model, story.numbers(), 0);
      CHECK(shipped->parameters == story.parameters());
      CHECK(score.lengths == shipped->score.lengths);
      REQUIRE(score.right.size() == shipped->score.right.size());
      for (std::size_t k = 0; k < score.right.size(); ++k) {
        // Of 40 answers one may fall either way with the order of sums in another processor.
        CHECK(std::abs(score.right[k] - shipped->score.right[k]) < 1.5 / 40);
      }
    }
  }
}

TEST_CASE("every scheme has its own name in assets") {
  std::set<std::string> names;
  for (std::size_t k = 0; k < core::model::kSchemes; ++k) {
    names.insert(story_asset(Recipe::induction, static_cast<Scheme>(k)));
  }
  CHECK(names.size() == core::model::kSchemes);
  CHECK(story_asset(Recipe::induction, Scheme::urpe) == "models/gpt-induction-urpe.safetensors");
  CHECK(story_asset(Recipe::induction, Scheme::deberta) ==
        "models/gpt-induction-deberta.safetensors");
}

TEST_CASE("parameters are the numbers that are learned, without what lies between them") {
  Opening open;
  const LearnedStory story = open(story_asset(Recipe::induction));
  Index sum = 0;
  for (const auto& parameter : story.model->layout.parameters()) sum += parameter.slot.size();
  CHECK(story.parameters() == sum);
  CHECK(story.parameters() == 10'915);
  CHECK(story.model->layout.size() > sum);
}

TEST_CASE("all shipped decoders together are under 4 MB") {
  std::size_t bytes = 0;
  for (const Recipe which : core::task::kRecipes) {
    bytes += assets::find(story_asset(which)).size();
  }
  for (const Scheme scheme : kComparedSchemes) {
    bytes += assets::find(story_asset(Recipe::copy_any_length, scheme)).size();
    bytes += assets::find(story_asset(Recipe::reverse_any_length, scheme)).size();
  }
  CHECK(bytes > 0);
  CHECK(bytes < 4'000'000);
}

TEST_CASE("a decoder's name and its tokens") {
  CHECK(story_asset(Recipe::induction) == "models/gpt-induction.safetensors");
  CHECK(story_asset(Recipe::copy_any_length, Scheme::rotary) ==
        story_asset(Recipe::copy_any_length));
  CHECK(story_asset(Recipe::copy_any_length, Scheme::alibi) ==
        "models/gpt-copy_any_length-alibi.safetensors");
  const auto recipe = core::task::recipe(Recipe::text_english);
  const core::task::SequenceModel model(recipe.task, recipe.form);
  const auto ids = core::task::sequence_of(recipe.task, "A b\n").ids;
  CHECK(*story_tokens(model, {0}) == std::vector<std::string>{"▷"});
  std::string all;
  const Labels names = story_tokens(model, ids);
  for (const auto& token : *names) all += token;
  CHECK(all.find("A␣b") != std::string::npos);
}

TEST_CASE("a decoder that is saved is opened as it was") {
  Opening open;
  const LearnedStory story = open(story_asset(Recipe::copy));
  const std::string bytes = story_bytes(story);
  const core::Safetensors file =
      core::read_safetensors(std::make_shared<const core::MemoryBytes>(bytes), "again");
  const core::task::OpenedSequences again = core::task::read_sequences(file, "again");
  CHECK(again.values == *story.values);
  CHECK(again.history == story.history);
}

}  // namespace story_model_test
