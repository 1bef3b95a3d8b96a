// A decoder and its text, as labs offer them that look into one trained here or a published one.
#pragma once

#include "app/labs/shared/model/published_model.h"
#include "app/labs/shared/model/story_model.h"

namespace lab {

enum class From { trained, published };

struct DecoderKnobs {
  From from = From::trained;
  StoryModelKnobs model = {};
  PublishedKnobs published = {};

  bool of_folder() const { return from == From::published; }
};
// The knob "from", and those of both kinds; `layered` as describe_published says.
void describe_decoder(DecoderKnobs& knobs, param::List& list, bool active = true,
                      bool layered = false);
// What tells one such model from another.
std::string opened_decoder(param::List& list);

// The stage "opened". Throws core::InputError also for what is no decoder alone.
std::shared_ptr<const PublishedModel> opened_published(const PublishedKnobs& knobs,
                                                       const Context& context);

// The text by the model's own tokenizer, and of it at most `most` tokens; the model outlives it.
struct PublishedTextKey {
  std::shared_ptr<const PublishedModel> opened;
  std::string text;
  bool around = true;
  Index most = 0;
  bool operator==(const PublishedTextKey&) const = default;
};
StoryText read_published_text(const PublishedTextKey& key, const Run& run);

}  // namespace lab
