#include "app/labs/shared/story_model.h"

#include "app/labs/shared/parts.h"
#include "assets/assets.h"

namespace lab {
namespace {

using core::model::Scheme;
using core::task::SequenceFit, core::task::SequenceModel;

// In the order of the enumerators.
constexpr std::string_view kRecipeNames[] = {
    "induction", "copy",     "reverse",  "copy_any_length", "reverse_any_length",
    "sort",      "addition", "brackets", "text_english",    "text_chinese"};
constexpr std::string_view kSchemeNames[] = {"none",           "learned", "sinusoidal", "rotary",
                                             "alibi",          "t5",      "relative",   "xpos",
                                             "transformer_xl", "deberta"};

struct ReadSequences {
  core::task::OpenedSequences operator()(const core::Safetensors& file, const std::string& name,
                                         const core::Cancel& cancel) const {
    return core::task::read_sequences(file, name, cancel);
  }
};

LearnedStory read_story(const std::string& name, const OpenedModel& from, const Context& context) {
  return {trained_before<SequenceFit>(name, from, context, ReadSequences()).first};
}

}  // namespace

std::vector<param::Option> recipe_options() {
  constexpr std::string_view kLabels[] = {N_("induction"),
                                          N_("copy, one length"),
                                          N_("reverse, one length"),
                                          N_("copy, any length"),
                                          N_("reverse, any length"),
                                          N_("sort"),
                                          N_("addition"),
                                          N_("brackets"),
                                          N_("English text"),
                                          N_("Chinese text")};
  std::vector<param::Option> options;
  for (std::size_t k = 0; k < std::size(kLabels); ++k) {
    options.push_back({kRecipeNames[k], kLabels[k]});
  }
  return options;
}

void describe_story_model(StoryModelKnobs& knobs, param::List& list) {
  list.group(N_("Model"));
  list.choice(knobs.recipe, "model", N_("Model"),
              N_("A small decoder that was trained before, by what it learned"), recipe_options(),
              {.active = knobs.file.empty()});
  list.file(knobs.file, "story_file", N_("Model from a file"),
            N_("A decoder that was saved in the lab of its training; empty: none. Drop the file on "
               "the window"),
            ".safetensors");
}

std::string story_asset(Recipe recipe, std::optional<Scheme> scheme) {
  const std::string_view name = kRecipeNames[static_cast<std::size_t>(recipe)];
  if (!scheme || *scheme == core::task::recipe(recipe).form.positions.scheme) {
    return fmt::format("models/gpt-{}.safetensors", name);
  }
  return fmt::format("models/gpt-{}-{}.safetensors", name,
                     kSchemeNames[static_cast<std::size_t>(*scheme)]);
}

LearnedStory shipped_story(const std::string& name, const std::string& asset,
                           const Context& context) {
  return read_story(name, OpenedModel::from_asset(asset), context);
}

LearnedStory opened_story(const std::string& name, const StoryModelKnobs& knobs,
                          const Context& context) {
  if (knobs.file.empty()) return shipped_story(name, story_asset(knobs.recipe), context);
  return read_story(name, OpenedModel::from_file(knobs.file), context);
}

std::string story_bytes(const LearnedStory& story) {
  return core::task::sequence_bytes(*story.model, story.numbers(), story.kept(),
                                    core::NumberType::float32);
}

std::string story_token(const SequenceModel& model, std::int32_t id) {
  const std::string& token = model.tokens[static_cast<std::size_t>(id)];
  if (token.empty()) return "▷";
  std::string shown;
  for (const char c : token) {
    if (c == ' ') {
      shown += "␣";
    } else if (c == '\n') {
      shown += "⏎";
    } else {
      shown += c;
    }
  }
  return shown;
}

Labels story_tokens(const SequenceModel& model, const std::vector<std::int32_t>& ids) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (const std::int32_t id : ids) names->push_back(story_token(model, id));
  return names;
}

}  // namespace lab
