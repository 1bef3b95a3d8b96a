#include "app/labs/gpt_inside/model.h"

#include "core/decode/sampling.h"

namespace lab::gpt_inside {
namespace {

using core::task::SequenceModel;
using ModelPointer = std::shared_ptr<const SequenceModel>;

// --- the text

struct TextKey {
  ModelPointer model;
  int example = 0;
  std::string text;
  bool operator==(const TextKey&) const = default;
};

StoryText read_text(const TextKey& key, const Run&) {
  return story_text(*key.model, key.text, key.example, kMostTokens);
}

// --- the model

Subject trained_subject(const LearnedStory& story) {
  const auto model = story.model;
  return {.layers = story.layers(),
          .heads = story.heads_of_layer(),
          .width = story.form().layer.d_model,
          .vocabulary = to_index(model->tokens.size()),
          .parameters = story.parameters(),
          .name = [model](std::int32_t id) { return story_token(*model, id); },
          .find = [model](const std::string& text) { return story_token_id(*model, text); }};
}

Subject published_subject(const std::shared_ptr<const PublishedModel>& opened) {
  const auto& facts = opened->facts();
  return {
      .layers = facts.layers,
      .heads = facts.heads,
      .width = facts.width,
      .vocabulary = facts.vocabulary,
      .parameters = facts.parameters,
      .name = [opened](std::int32_t id) { return opened->shown(id); },
      .find = [opened](const std::string& text) { return opened->find(text, {}).value_or(-1); }};
}

void open(const Parameters& p, const Context& context, Model& model) {
  if (!p.of_folder()) {
    model.story = opened_story("gpt_inside", p.model, context);
    model.subject = trained_subject(model.story);
    return;
  }
  model.opened = opened_published(p.published, context);
  model.subject = published_subject(model.opened);
}

// --- what the knobs say

// The heads of the knob that there are.
void read_ablated(const Parameters& p, Model& model) {
  for (const std::string& one : typed_words(p.ablated)) {
    for (const HeadIndex& at_head : model.places()) {
      if (head_name(at_head) != one) continue;
      if (!model.is_ablated(at_head)) model.ablated.push_back(at_head);
      break;
    }
  }
}

Changes changes_of(const Parameters& p, const Model& model) {
  if (model.opened) return {.heads = model.ablated};
  Changes changes{.heads = model.ablated,
                  .mean = p.replacement == Replacement::mean && !model.ablated.empty(),
                  .positions = p.positions};
  const core::Format format = format_of(p.format);
  if (p.rounded == Rounded::weights || p.rounded == Rounded::both) changes.weights = format;
  if (p.rounded == Rounded::cache || p.rounded == Rounded::both) changes.cache = format;
  return changes;
}

void choose(const Parameters& p, Model& model) {
  const Index n = model.text->tokens();
  const auto within = [&](int at) -> std::optional<Index> {
    if (at < 0) return std::nullopt;
    return std::min<Index>(at, n - 1);
  };
  model.place = {std::min<Index>(p.layer, model.subject.layers) - 1,
                 std::min<Index>(p.head, model.subject.heads) - 1};
  model.token = within(p.token).value_or(n - 1);
  model.key = within(p.key);
  model.masked = within(p.masked);
  const auto first = within(p.swap_first), second = within(p.swap_second);
  if (first && second && *first != *second) model.swapped = {*first, *second};
}

// After the model has read as it was trained.
void choose_logit(const Parameters& p, Model& model) {
  const std::int32_t typed = p.wanted.empty() ? -1 : model.subject.find(p.wanted);
  const std::int32_t next = model.text->sequence.next[to_size(model.token)];
  model.wanted_unknown = !p.wanted.empty() && typed < 0;
  model.wanted = typed >= 0  ? typed
                 : next >= 0 ? next
                             : core::decode::greedy(model.before.said->cast<double>());
  if (p.against.empty() || p.view != View::stream) return;
  const std::int32_t other = model.subject.find(p.against);
  model.against_unknown = other < 0;
  if (other >= 0) model.against = other;
}

core::Vector say(const std::shared_ptr<const Inside>& reading, Index token, const Run& run) {
  return reading->logits_at(token, run);
}

LensView view_of(const std::shared_ptr<const Inside>& reading, Index token, std::int32_t wanted,
                 const Run& run) {
  return reading->lens_at(token, wanted, run);
}

StreamParts parts_of(const std::shared_ptr<const Inside>& reading, Index token, const Run& run) {
  return reading->parts(token, run.cancel);
}

// A published model with heads ablated and tokens masked or swapped.
Side published_side(const std::string& name, const Model& model, const Changes& changes,
                    const TextChanges& of_text, const Context& context) {
  const auto reading =
      context.stage(name + " pass", read_published,
                    PublishedKey{model.opened, model.text, changes.heads, of_text});
  Side side{.reading = reading};
  if (model.opened->held_out.empty()) {
    side.scores = context.stage(name + " scores", published_scores, reading);
    return side;
  }
  side.held_out = context.stage(name + " held-out scores", held_out_scores,
                                HeldOutKey{model.opened, changes.heads});
  side.scores = {side.held_out, &side.held_out->means};
  return side;
}

Side trained_side(const std::string& name, const Model& model, const Changes& changes,
                  const TextChanges& of_text, const Context& context) {
  Side side;
  side.changed = context.stage(name + " model", change,
                               ChangedKey{model.story.model, model.story.values, changes});
  side.reading =
      context.stage(name + " reading", read_trained, TrainedKey{side.changed, model.text, of_text});
  side.scores = {side.changed, &side.changed->heads};
  return side;
}

Side side_of(const std::string& name, const Model& model, const Changes& changes,
             const TextChanges& of_text, const Context& context) {
  Side side =
      (model.opened ? published_side : trained_side)(name, model, changes, of_text, context);
  side.said = context.stage(name + " said", say, side.reading, model.token);
  return side;
}

}  // namespace

std::string head_name(const HeadIndex& place) {
  return fmt::format("{}.{}", place.layer + 1, place.head + 1);
}

bool Model::is_ablated(const HeadIndex& at) const {
  return std::find(ablated.begin(), ablated.end(), at) != ablated.end();
}

std::vector<HeadIndex> Model::places() const {
  std::vector<HeadIndex> all;
  for (Index layer = 0; layer < subject.layers; ++layer) {
    for (Index head = 0; head < subject.heads; ++head) all.push_back({layer, head});
  }
  return all;
}

double Model::probability(const Side& side) const {
  return std::exp(-core::task::surprise(side.said->transpose(), wanted));
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  open(p, context, model);
  if (model.subject.layers < 1) {
    words::refuse<core::InputError>(N_("expected a decoder with at least one layer, got none"));
  }
  context.cancel.poll();
  // The maps of circuits know no text.
  const std::string text = p.maps() ? std::string() : p.text;
  model.text =
      model.opened
          ? context.stage("published text", read_published_text,
                          PublishedTextKey{model.opened, text, p.published.around, kMostPublished})
          : context.stage("text", read_text, TextKey{model.story.model, p.example, text});
  read_ablated(p, model);
  choose(p, model);
  const Changes changes = changes_of(p, model);
  model.before = side_of("before", model, {}, {}, context);
  choose_logit(p, model);
  const TextChanges of_text{model.masked, model.swapped};
  model.changes = !(changes == Changes{}) || !(of_text == TextChanges{});
  model.after = model.changes ? side_of("after", model, changes, of_text, context) : model.before;
  model.after_shown = !model.changes || p.shown == Shown::after;
  if (p.over() && model.opened && !model.opened->held_out.empty()) {
    model.over = context.stage("over texts", over_texts, OverTextsKey{model.opened, p.measured});
  }
  if (p.view != View::stream) return model;
  context.cancel.poll();
  const auto& reading = model.shown().reading;
  model.lens = context.stage("lens", view_of, reading, model.token, model.wanted);
  if (reading->why_no_parts().empty()) {
    model.parts = context.stage("parts", parts_of, reading, model.token);
  }
  return model;
}

}  // namespace lab::gpt_inside
