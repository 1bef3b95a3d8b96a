#include "app/labs/gpt_inside/model.h"

#include "app/labs/shared/written.h"

namespace lab::gpt_inside {
namespace {

using core::model::Scheme;
using core::task::HeadPlace, core::task::HeadScores, core::task::Sequence,
    core::task::SequenceModel;
using ModelPointer = std::shared_ptr<const SequenceModel>;
using Numbers = std::shared_ptr<const std::vector<float>>;

constexpr std::uint64_t kScoreSeed = 77;

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

// --- the model that is changed

Scheme scheme_of(Positions positions, Scheme trained) {
  switch (positions) {
    case Positions::as_trained: break;
    case Positions::none: return Scheme::none;
    case Positions::sinusoidal: return Scheme::sinusoidal;
    case Positions::rotary: return Scheme::rotary;
    case Positions::alibi: return Scheme::alibi;
    case Positions::xpos: return Scheme::xpos;
  }
  return trained;
}

struct ChangedKey {
  ModelPointer model;
  Numbers values;
  Changes changes;
  bool operator==(const ChangedKey&) const = default;
};

Changed change(const ChangedKey& key, const Run& run) {
  Changed out{.model = key.model, .values = key.values};
  const Changes& changes = key.changes;
  if (changes.weights) {
    out.values = std::make_shared<const std::vector<float>>(
        core::task::rounded_parameters(*out.model, out.numbers(), *changes.weights));
  }
  const Scheme trained = key.model->form.positions.scheme;
  if (const Scheme scheme = scheme_of(changes.positions, trained); scheme != trained) {
    auto other = core::task::with_positions(*out.model, out.numbers(), scheme);
    out.model = std::move(other.model);
    out.values = std::make_shared<const std::vector<float>>(std::move(other.values));
  }
  const auto held = core::task::draw_sequences(key.model->task, kScoreSeed, kHeldOut, true);
  run.cancel.poll();
  out.intervention = {.heads = changes.heads, .cache = changes.cache};
  if (changes.mean && !changes.heads.empty()) {
    out.intervention.means = core::task::head_means(*out.model, out.numbers(), held, run.threads);
  }
  const core::task::InterventionEdit edit(*out.model, out.intervention);
  out.score = core::task::score(*out.model, out.numbers(), held, run.threads, &edit);
  run.cancel.poll();
  out.heads = core::task::head_scores(*out.model, out.numbers(), held, run.threads, &edit);
  return out;
}

// --- a pass over the text

struct ReadingKey {
  std::shared_ptr<const Changed> changed;
  std::shared_ptr<const StoryText> text;
  std::optional<Index> hidden;
  std::optional<std::pair<Index, Index>> swapped;
  bool operator==(const ReadingKey&) const = default;
};

void measure_loss(const Sequence& sequence, Reading& reading) {
  Index counted = 0;
  for (std::size_t t = 0; t < sequence.ids.size(); ++t) {
    const std::int32_t next = sequence.next[t];
    reading.loss.push_back(std::numeric_limits<double>::quiet_NaN());
    if (next < 0) continue;
    reading.loss.back() = core::task::surprise(reading.logits().row(static_cast<Index>(t)), next);
    reading.mean_loss += reading.loss.back();
    ++counted;
  }
  if (counted > 0) reading.mean_loss /= to_double(counted);
}

Reading read(const ReadingKey& key, const Run&) {
  const Changed& changed = *key.changed;
  Reading reading{
      .model = changed.model, .ids = key.text->sequence.ids, .looked = {}, .lens = {}, .loss = {}};
  if (key.swapped) {
    std::swap(reading.ids[to_size(key.swapped->first)], reading.ids[to_size(key.swapped->second)]);
  }
  const core::task::InterventionEdit edit(*changed.model, changed.intervention);
  std::optional<Mask> mask;
  if (key.hidden) mask = core::task::without_tokens(key.text->tokens(), {*key.hidden});
  reading.looked = core::task::look(*changed.model, changed.numbers(), reading.ids, &edit,
                                    mask ? &*mask : nullptr);
  reading.lens = core::task::logit_lens(*changed.model, changed.numbers(), reading.looked);
  measure_loss(key.text->sequence, reading);
  return reading;
}

// --- what the knobs say

// The heads of the knob, and what is none.
void read_knocked(const Parameters& p, Model& model) {
  for (std::size_t at = 0; at < p.knocked.size();) {
    const std::size_t end = std::min(p.knocked.find(' ', at), p.knocked.size());
    const std::string one = p.knocked.substr(at, end - at);
    at = end + 1;
    if (one.empty()) continue;
    bool found = false;
    for (Index layer = 0; layer < model.story.layers() && !found; ++layer) {
      for (Index head = 0; head < model.story.heads_of_layer() && !found; ++head) {
        if (fmt::format("{}.{}", layer + 1, head + 1) != one) continue;
        found = true;
        if (!model.is_knocked({layer, head})) model.knocked.push_back({layer, head});
      }
    }
    if (!found) model.odd.push_back(one);
  }
}

Changes changes_of(const Parameters& p, const Model& model) {
  Changes changes{.heads = model.knocked,
                  .mean = p.replacement == Replacement::mean && !model.knocked.empty(),
                  .positions = p.positions};
  const core::Format format = format_of(p.format);
  if (p.rounded == Rounded::weights || p.rounded == Rounded::both) changes.weights = format;
  if (p.rounded == Rounded::cache || p.rounded == Rounded::both) changes.cache = format;
  return changes;
}

Index likeliest(const Reading& reading, Index token) {
  Index at = 0;
  reading.logits().row(token).maxCoeff(&at);
  return at;
}

void choose(const Parameters& p, Model& model) {
  const Index n = model.text->tokens();
  const auto within = [&](int at) -> std::optional<Index> {
    if (at < 0) return std::nullopt;
    return std::min<Index>(at, n - 1);
  };
  model.place = {std::min<Index>(p.layer, model.story.layers()) - 1,
                 std::min<Index>(p.head, model.story.heads_of_layer()) - 1};
  model.token = within(p.token).value_or(n - 1);
  if (p.key >= 0) model.key = std::min<Index>(p.key, model.token);
  model.hidden = within(p.hidden);
  const auto first = within(p.swap_first), second = within(p.swap_second);
  if (first && second && *first != *second) model.swapped = {*first, *second};
}

// After the model has read as it was trained.
void choose_logit(const Parameters& p, Model& model) {
  const SequenceModel& of = *model.story.model;
  const std::int32_t typed = p.wanted.empty() ? -1 : story_token_id(of, p.wanted);
  const std::int32_t next = model.text->sequence.next[to_size(model.token)];
  model.wanted_unknown = !p.wanted.empty() && typed < 0;
  model.wanted = typed >= 0 ? typed
                 : next >= 0
                     ? next
                     : static_cast<std::int32_t>(likeliest(*model.before.reading, model.token));
  if (p.against.empty() || p.view != View::stream) return;
  const std::int32_t other = story_token_id(of, p.against);
  model.against_unknown = other < 0;
  if (other >= 0) model.against = other;
}

Side side_of(const std::string& name, const Model& model, const Changes& changes, bool moved,
             const Context& context) {
  Side side;
  side.changed = context.stage(name + " model", change,
                               ChangedKey{model.story.model, model.story.values, changes});
  context.cancel.poll();
  side.reading =
      context.stage(name + " reading", read,
                    moved ? ReadingKey{side.changed, model.text, model.hidden, model.swapped}
                          : ReadingKey{side.changed, model.text, {}, {}});
  return side;
}

}  // namespace

bool Model::is_knocked(const HeadPlace& at) const {
  return std::find(knocked.begin(), knocked.end(), at) != knocked.end();
}

Model make_model(const Parameters& p, const Context& context) {
  Model model{.story = opened_story("gpt_inside", p.model, context)};
  if (model.story.layers() < 1) {
    words::refuse<core::InputError>(N_("expected a decoder with a layer, got one without"));
  }
  context.cancel.poll();
  // The maps of circuits know no text.
  const bool reads = p.view != View::circuits;
  model.text = context.stage("text", read_text,
                             TextKey{model.story.model, p.example, reads ? p.text : std::string()});
  read_knocked(p, model);
  choose(p, model);
  const Changes changes = changes_of(p, model);
  model.before = side_of("before", model, {}, false, context);
  choose_logit(p, model);
  model.changes = !(changes == Changes{}) || model.hidden || model.swapped;
  model.after = model.changes ? side_of("after", model, changes, true, context) : model.before;
  model.after_shown = !model.changes || p.shown == Shown::after;
  return model;
}

const std::array<NamedScore, 6>& named_scores() {
  static constexpr std::array<NamedScore, 6> kAll{
      {{N_("previous token"), N_("the weight of the token before"), &HeadScores::previous_token},
       {N_("duplicate token"), N_("the weight of earlier tokens that are the same"),
        &HeadScores::duplicate_token},
       {N_("induction"), N_("the weight of the tokens behind earlier ones that are the same"),
        &HeadScores::induction},
       {N_("first token"), N_("the weight of the first token"), &HeadScores::first_token},
       {N_("same class"),
        N_("the weight of earlier tokens of the same class (digits, vowels, one kind of bracket) "
           "that are not the same token"),
        &HeadScores::same_class},
       {N_("uniform"), N_("the entropy of the weights by that of equal ones"),
        &HeadScores::uniform}}};
  return kAll;
}

double above_even(const HeadScores& scores, std::size_t which) {
  const core::task::HeadScore& one = scores.*named_scores()[which].score;
  if (named_scores()[which].score == &HeadScores::uniform) return one.mean;
  return one.even < 1 ? (one.mean - one.even) / (1 - one.even) : 0;
}

std::optional<std::size_t> called(const HeadScores& scores) {
  constexpr double kLeast = 0.2, kUniform = 0.9;
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < named_scores().size(); ++k) {
    const bool uniform = named_scores()[k].score == &HeadScores::uniform;
    if (above_even(scores, k) < (uniform ? kUniform : kLeast)) continue;
    // Equal weights are a name of their own only where no other fits.
    if (!best || (!uniform && above_even(scores, k) > above_even(scores, *best))) best = k;
  }
  return best;
}

}  // namespace lab::gpt_inside
