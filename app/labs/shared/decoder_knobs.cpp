#include "app/labs/shared/decoder_knobs.h"

#include "app/labs/shared/found_in.h"
#include "app/labs/shared/parts.h"

namespace lab {

void describe_decoder(DecoderKnobs& knobs, param::List& list, bool active, bool layered) {
  list.group(N_("Model"));
  list.choice(knobs.from, "from", N_("Decoder"),
              N_("A small decoder trained here, or a published model from its folder"),
              {{"trained", N_("trained here")}, {"published", N_("published model")}},
              {.active = active});
  describe_story_model(knobs.model, list, active && !knobs.of_folder());
  describe_published(knobs.published, list, active && knobs.of_folder(), layered);
}

std::string opened_decoder(param::List& list) {
  return values_of(list, {"from", "model", "story_file", "published", "folder"});
}

std::shared_ptr<const PublishedModel> opened_published(const PublishedKnobs& knobs,
                                                       const Context& context) {
  auto opened = context.stage("opened", open_published, knobs.source());
  if (opened->facts().kind != core::checkpoint::Kind::decoder) {
    words::refuse<core::InputError>(N_("expected a decoder that reads one text, got {}"),
                                    opened->facts().name);
  }
  return opened;
}

StoryText read_published_text(const PublishedTextKey& key, const Run& run) {
  StoryText text;
  text.typed = true;
  auto ids = text.whole = published_text(*key.opened, key.text, key.around, run.cancel).ids;
  text.cut = std::ssize(ids) > key.most;
  if (text.cut) ids.resize(to_size(key.most));
  key.opened->model->check({.tokens = ids});
  const std::size_t n = ids.size();
  std::vector<std::int32_t> next(ids.begin() + 1, ids.end());
  next.push_back(-1);
  text.sequence = {std::move(ids), std::move(next), std::vector<std::uint8_t>(n, 0),
                   std::vector<std::int32_t>(n, -1)};
  return text;
}

}  // namespace lab
