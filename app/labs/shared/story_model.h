// Decoders that continue sequences, as labs offer them: those that travel with the program, or one
// of a file that was saved here.
#pragma once

#include "app/labs/shared/learned.h"
#include "core/task/sequence_file.h"
#include "core/task/sequence_recipes.h"

namespace lab {

using core::task::Recipe;

// What the program has: of each recipe the model with its own positions.
struct StoryModelKnobs {
  Recipe recipe = Recipe::induction;
  std::string file = {};
  bool operator==(const StoryModelKnobs&) const = default;
};
// The knobs "model" and "story_file".
void describe_story_model(StoryModelKnobs& knobs, param::List& list);
// The recipes by the names that knobs and files give them: "induction", "copy_any_length".
std::vector<param::Option> recipe_options();

// A decoder with numbers that were learned.
struct LearnedStory : LearnedBy<core::task::SequenceFit> {
  const core::task::SequenceTask& task() const { return model->task; }
  const core::model::DecoderForm& form() const { return model->form; }
  Index layers() const { return form().layers; }
  Index heads_of_layer() const { return form().layer.heads; }
  Index parameters() const { return model->layout.size(); }
};

// Schemes with which copying and reversing of any length are shipped, for what becomes of them
// beyond the lengths of training.
inline constexpr core::model::Scheme kComparedSchemes[] = {
    core::model::Scheme::rotary, core::model::Scheme::learned, core::model::Scheme::sinusoidal,
    core::model::Scheme::alibi,  core::model::Scheme::t5,      core::model::Scheme::none};

// "models/gpt-induction.safetensors"; with positions of another scheme "models/gpt-copy-alibi...".
std::string story_asset(Recipe recipe, std::optional<core::model::Scheme> scheme = std::nullopt);
// Read once, as stages of that name. Throws core::InputError for a file that is none.
LearnedStory opened_story(const std::string& name, const StoryModelKnobs& knobs,
                          const Context& context);
LearnedStory shipped_story(const std::string& name, const std::string& asset,
                           const Context& context);

// As a file that opened_story reads again; for Page::model.
std::string story_bytes(const LearnedStory& story);

// A token as figures name it: a space is "␣", the end of a line "⏎", the start "▷".
std::string story_token(const core::task::SequenceModel& model, std::int32_t id);
// Of each token that is read.
Labels story_tokens(const core::task::SequenceModel& model, const std::vector<std::int32_t>& ids);

}  // namespace lab
