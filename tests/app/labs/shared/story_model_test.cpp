// The decoders that travel with the program: they are what the recipes say, and right on what is
// held out.
#include "app/labs/shared/story_model.h"

#include <doctest/doctest.h>

#include "assets/assets.h"
#include "core/io/memory_bytes.h"

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
    CHECK(story.parameters() == core::task::SequenceModel(recipe.task, recipe.form).layout.size());
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

TEST_CASE("the schemes that are compared by length are shipped for both tasks") {
  Opening open;
  for (const Scheme scheme : kComparedSchemes) {
    for (const Recipe which : {Recipe::copy_any_length, Recipe::reverse_any_length}) {
      const LearnedStory story = open(story_asset(which, scheme));
      CHECK(story.form().positions.scheme == scheme);
      CHECK(story.task() == core::task::recipe(which).task);
    }
  }
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
