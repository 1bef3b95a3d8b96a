#include "app/labs/shared/model/story_model.h"

#include "app/labs/shared/model/traced.h"
#include "app/labs/shared/parts.h"
#include "assets/assets.h"
#include "core/enum_array.h"

namespace lab {
namespace {

using core::model::Scheme;
using core::task::SequenceFit, core::task::SequenceModel;

// In the order of the enumerators.
constexpr core::EnumArray<Recipe> kRecipeNames{{"induction", "copy", "reverse", "copy_any_length",
                                                "reverse_any_length", "sort", "addition",
                                                "brackets", "text_english", "text_chinese", "own"}};

struct ReadSequences {
  core::task::OpenedSequences operator()(const core::Safetensors& file, const std::string& name,
                                         const core::Cancel& cancel) const {
    return core::task::read_sequences(file, name, cancel);
  }
};

void take_typed(const SequenceModel& model, const std::string& typed, Index most, StoryText& text) {
  std::vector<std::int32_t> known;
  for (const std::string& token : core::task::pieces_of(model.task, typed)) {
    const std::int32_t id = story_token_id(model, token);
    if (id < 0) {
      const auto listed = std::find(text.unknown.begin(), text.unknown.end(), token);
      if (listed == text.unknown.end()) text.unknown.push_back(token);
    } else if (to_index(known.size()) + 1 >= most) {
      text.cut = true;
    } else {
      known.push_back(id);
    }
  }
  if (!known.empty()) text.sequence = core::task::sequence_of(model.task, known);
}

LearnedStory read_story(const std::string& name, const OpenedModel& from, const Context& context) {
  return {trained_before<SequenceFit>(name, from, context, ReadSequences()).first};
}

}  // namespace

std::vector<param::Option> recipe_options(bool with_own) {
  constexpr core::EnumArray<Recipe> kLabels{
      {N_("induction"), N_("copy, one length"), N_("reverse, one length"), N_("copy, any length"),
       N_("reverse, any length"), N_("sort"), N_("addition"), N_("brackets"), N_("English text"),
       N_("Chinese text"), N_("your own text")}};
  std::vector<param::Option> options;
  const std::size_t count = with_own ? std::size(kLabels) : std::size(core::task::kRecipes);
  for (std::size_t k = 0; k < count; ++k) options.push_back({kRecipeNames[k], kLabels[k]});
  return options;
}

std::string_view recipe_name(Recipe recipe) { return kRecipeNames[recipe]; }

void describe_story_model(StoryModelKnobs& knobs, param::List& list, bool active) {
  list.group(N_("Model"));
  list.choice_of(knobs.recipe, {std::begin(core::task::kRecipes), std::end(core::task::kRecipes)},
                 "model", N_("Model"), N_("A small trained decoder, by the task it learned"),
                 recipe_options(false), {.active = active && knobs.file.empty()});
  list.file(
      knobs.file, "story_file", N_("Model from a file"),
      N_("A decoder saved in the lab that trained it; empty: none. Drop the file on the window"),
      ".safetensors", {.active = active});
}

std::string story_asset(Recipe recipe, std::optional<Scheme> scheme) {
  const std::string_view name = recipe_name(recipe);
  if (!scheme || *scheme == core::task::recipe(recipe).form.positions.scheme) {
    return fmt::format("models/gpt-{}.safetensors", name);
  }
  return fmt::format("models/gpt-{}-{}.safetensors", name, core::model::scheme_id(*scheme));
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
  const std::string& token = model.tokens[to_size(id)];
  if (token.empty()) return "▷";
  const auto& corpus = model.task.corpus;
  const Index own = id - core::task::first_used(model.task);
  if (corpus && own >= 0) return corpus->shown(to_size(own));
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

std::int32_t story_token_id(const SequenceModel& model, const std::string& token) {
  // The start has no text of its own; what figures show stands for what cannot be seen.
  for (std::size_t id = 1; id < model.tokens.size(); ++id) {
    const auto at = static_cast<std::int32_t>(id);
    if (model.tokens[id] == token || story_token(model, at) == token) return at;
  }
  return -1;
}

Labels story_tokens(const SequenceModel& model, const std::vector<std::int32_t>& ids) {
  auto names = std::make_shared<std::vector<std::string>>();
  for (const std::int32_t id : ids) names->push_back(story_token(model, id));
  return names;
}

StoryText story_text(const SequenceModel& model, const std::string& typed, int example,
                     Index most) {
  constexpr std::uint64_t kExampleSeed = 2026;
  StoryText text;
  const Index longest = std::min(most, model.form.positions.longest);
  if (!typed.empty()) take_typed(model, typed, longest, text);
  text.typed = text.tokens() > 0;
  if (!text.typed) {
    const Index count = typed.empty() ? example + 1 : 1;
    text.sequence = core::task::draw_sequences(model.task, kExampleSeed, count, true).back();
  }
  return text;
}

Matrix story_weights(const SequenceModel& model, const core::model::Trace<float>& trace,
                     Index layer, Index head) {
  Matrix cells = head_matrix(trace.at(fmt::format("decoder.{}.self.weights", layer)), head);
  for (Index i = 0; i < cells.rows(); ++i) {
    for (Index j = 0; j < cells.cols(); ++j) {
      if (!model.sees(i, j)) cells(i, j) = core::kMasked;
    }
  }
  return cells;
}

void add_text_notes(const StoryText& text, const std::string& typed, const Words& w,
                    std::vector<std::string>& notes) {
  if (!text.unknown.empty()) {
    notes.push_back(w.format("The model has no token for {}: left out.", quoted(text.unknown)));
  }
  if (!typed.empty() && !text.typed) {
    notes.push_back(w("The model knows no token of the text: it reads an example."));
  }
  if (text.cut) {
    notes.push_back(w.format("The text is too long: it is cut after {} tokens.", text.tokens()));
  }
}

}  // namespace lab
