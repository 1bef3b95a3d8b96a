// Decoders that continue sequences, as labs offer them: those that travel with the program, or one
// of a file that was saved here.
#pragma once

#include "app/labs/shared/model/learned.h"
#include "core/task/sequence/sequence_file.h"
#include "core/task/sequence/sequence_recipes.h"

namespace lab {

using core::task::Recipe;

// What the program has: of each recipe the model with its own positions.
struct StoryModelKnobs {
  Recipe recipe = Recipe::induction;
  std::string file = {};
  bool operator==(const StoryModelKnobs&) const = default;
};
// The knobs "model" and "story_file".
void describe_story_model(StoryModelKnobs& knobs, param::List& list, bool active = true);
// The recipes by the names that knobs and files give them: "induction", "copy_any_length"; at the
// end, where it is asked for, a text of one's own, "own".
std::vector<param::Option> recipe_options(bool with_own);
std::string_view recipe_name(Recipe recipe);

// A decoder with numbers that were learned.
struct LearnedStory : LearnedBy<core::task::SequenceFit> {
  const core::task::SequenceTask& task() const { return model->task; }
  const core::model::DecoderForm& form() const { return model->form; }
  Index layers() const { return form().layers; }
  Index heads_of_layer() const { return form().layer.heads; }
  Index parameters() const { return model->layout.learned(); }
};

using core::task::kComparedRecipes, core::task::kComparedSchemes;

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
// The token of that text, or that figures name so; -1: there is none.
std::int32_t story_token_id(const core::task::SequenceModel& model, const std::string& token);
// Labels of the tokens that are read.
Labels story_tokens(const core::task::SequenceModel& model, const std::vector<std::int32_t>& ids);

// What a decoder reads: a sequence that was drawn, or of a typed text what it has tokens for.
struct StoryText {
  core::task::Sequence sequence;
  std::vector<std::string> unknown = {};  // what it has no token for, each once
  bool cut = false;                       // there is more than fits
  std::vector<std::int32_t> whole = {};   // of a published model: all of it
  bool typed = false;                     // and not drawn, though nothing of it may be known
  Index tokens() const { return to_index(sequence.ids.size()); }
};
// With `typed` empty the held-out sequence number `example`; at most `most` tokens, and no more
// than the model has positions for.
StoryText story_text(const core::task::SequenceModel& model, const std::string& typed, int example,
                     Index most);
// The weights of a head, from 0, over what was looked at; what a token may not see is
// core::kMasked.
Matrix story_weights(const core::task::SequenceModel& model, const core::model::Trace<float>& trace,
                     Index layer, Index head);

// What a page says of it.
void add_text_notes(const StoryText& text, const std::string& typed, const Words& w,
                    std::vector<std::string>& notes);

}  // namespace lab
