#include "app/labs/decoding/model.h"

#include "app/labs/decoding/grown_tree.h"
#include "app/labs/shared/parts.h"
#include "app/param/reading.h"
#include "core/checkpoint/cached_logits.h"
#include "core/random.h"

namespace lab::decoding {
namespace {

using core::decode::WriteOptions;

Source hand_source(const std::string& text, const std::string& end, const std::string& prompt,
                   const Run&) {
  Source source;
  const auto rules = std::make_shared<const Rules>(read_rules(text));
  source.rules = rules;
  source.tokens = rules->tokens;
  source.next = [rules](const Ids& all, const core::Cancel&) {
    return rules->after(all).distribution;
  };
  for (const std::string& word : typed_words(prompt)) {
    if (const auto id = rules->find(word)) {
      source.prompt.push_back(*id);
    } else {
      source.unknown.push_back(word);
    }
  }
  source.end = rules->find(end).value_or(-1);
  return source;
}

// The characters of a prompt that the model knows.
void read_prompt(const core::task::SequenceModel& model, const std::string& prompt,
                 Source& source) {
  std::vector<std::int32_t> known;
  for (const std::string& token : core::task::pieces_of(model.task, prompt)) {
    const std::int32_t id = story_token_id(model, token);
    id >= 0 ? known.push_back(id) : source.unknown.push_back(token);
  }
  source.prompt = core::task::sequence_of(model.task, known).ids;
  source.example = known.empty();
  if (!source.example) return;
  // Up to where the answer is asked for; of tasks that ask nowhere a few tokens.
  constexpr std::size_t kBegins = 8;
  const auto drawn = core::task::draw_sequences(model.task, 1, 1, true).front();
  const auto asked = std::find(drawn.evaluated.begin(), drawn.evaluated.end(), 1);
  std::size_t count = to_size(asked - drawn.evaluated.begin()) + 1;
  if (asked == drawn.evaluated.end()) count = kBegins;
  source.prompt.assign(drawn.ids.begin(), drawn.ids.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                  count, drawn.ids.size())));
}

Source model_source(const std::shared_ptr<const core::task::SequenceModel>& model,
                    const std::shared_ptr<const std::vector<float>>& values, const std::string& end,
                    const std::string& prompt, const Run&) {
  Source source;
  for (std::size_t id = 0; id < model->tokens.size(); ++id) {
    source.tokens.push_back(story_token(*model, static_cast<std::int32_t>(id)));
  }
  source.next = [model, values](const Ids& all, const core::Cancel&) {
    return Distribution::of_logits(core::task::next_logits(*model, values->data(), all));
  };
  read_prompt(*model, prompt, source);
  const auto& positions = model->form.positions;
  const bool limited = positions.scheme == core::model::Scheme::learned;
  const Index longest = limited ? std::min(positions.longest, kLongestText) : kLongestText;
  const auto given = to_index(source.prompt.size());
  if (given > longest) {
    words::refuse<core::InputError>(N_("prompt: expected at most {} tokens, got {}"), longest,
                                    given);
  }
  // The last one that is written is never read.
  source.room = longest - given + 1;
  constexpr std::int32_t kEnd = 1;  // core::task::tokens
  const auto named = std::find(source.tokens.begin(), source.tokens.end(), end);
  if (end.empty()) {
    source.end = kEnd;
  } else if (named != source.tokens.end()) {
    source.end = static_cast<std::int32_t>(named - source.tokens.begin());
  }
  return source;
}

using PublishedPointer = std::shared_ptr<const PublishedModel>;

Source published_source(const PublishedPointer& opened, const std::string& end,
                        const std::string& prompt, bool around, const Run& run) {
  Source source;
  source.published = opened;
  const PublishedText text = published_text(*opened, prompt, around, run.cancel);
  source.prompt = text.ids;
  source.put_in = std::count(text.put_in.begin(), text.put_in.end(), 1);
  source.example = prompt.empty();
  const auto logits = std::make_shared<core::checkpoint::CachedLogits>(
      opened->model, source.prompt, core::checkpoint::CachedLogitsOptions{.threads = run.threads});
  source.next = [logits](const Ids& all, const core::Cancel& cancel) {
    return Distribution::of_logits((*logits)(all, cancel));
  };
  const auto& facts = opened->facts();
  const Index longest = facts.positions.limited ? facts.positions.context : kLongestPublished;
  source.room = longest - to_index(source.prompt.size()) + 1;
  source.end = end.empty() ? facts.end : opened->find(end, run.cancel).value_or(-1);
  return source;
}

// The knob's tokens, up to the first that is none or that cannot come.
void take(const Parameters& p, const NextLogs& next, Model& model) {
  const Source& source = *model.source;
  for (const std::string& word : typed_words(p.taken)) {
    const auto id = source.find(word);
    const bool room = to_index(model.taken.size()) < source.room;
    const bool ended = !model.taken.empty() && model.taken.back() == source.end;
    if (!id || !room || ended || !std::isfinite(next(model.taken)(*id))) {
      model.refused = word;
      break;
    }
    model.taken.push_back(*id);
  }
  model.at = model.taken;
  const bool full = to_index(model.taken.size()) == source.room;
  if (!model.at.empty() && (full || model.at.back() == source.end)) model.at.pop_back();
}

BeamTree searched(const std::shared_ptr<const Source>& source, const std::vector<Filter>& filters,
                  const core::decode::BeamOptions& options, const Run& run) {
  const auto next = [&](const Ids& text) {
    const Distribution own = source->next(text, run.cancel);
    return filters.empty() ? own.logits : core::decode::filtered(own, filters, text).after().logits;
  };
  return core::decode::beam_search(next, source->prompt, options, run.cancel);
}

BeamTree beam_of(const std::shared_ptr<const Source>& source, const std::vector<Filter>& filters,
                 Index steps, Index width, Index shown, const LengthPenalty& penalty,
                 bool penalized, const Run& run) {
  return searched(source, filters,
                  {.width = width,
                   .most = steps,
                   .end = source->end,
                   .penalty = penalty,
                   .penalized = penalized,
                   .shown = shown},
                  run);
}

// The likeliest of all texts: a beam that nothing falls out of.
Ids likeliest_of(const std::shared_ptr<const Source>& source, const std::vector<Filter>& filters,
                 Index steps, const LengthPenalty& penalty, const Run& run) {
  const BeamTree all = searched(source, filters,
                                {.width = to_index(kMostTexts),
                                 .most = steps,
                                 .end = source->end,
                                 .penalty = penalty,
                                 .shown = 1},
                                run);
  return all.tokens(all.ranked.front());
}

Ids written(const std::shared_ptr<const Source>& source, const std::vector<Filter>& filters,
            Index steps, bool samples, std::uint64_t seed, const Run& run) {
  const WriteOptions options{
      .samples = samples, .filters = filters, .seed = seed, .most = steps, .end = source->end};
  const core::decode::NextDistribution next = [&](const Ids& all) {
    return source->next(all, run.cancel);
  };
  Ids ids;
  for (const auto& token : core::decode::write(next, source->prompt, options, run.cancel).tokens) {
    ids.push_back(token.id);
  }
  return ids;
}

// Draws of one token after the filters.
Samples drawn(const VectorD& filtered, const VectorD& model, int seed, int count, Index place,
              const Run& run) {
  Samples samples;
  samples.share.assign(to_size(filtered.size()), 0);
  const core::decode::InverseCdf draw(filtered);
  for (int k = 0; k < count; ++k) {
    if (k % 256 == 0) run.cancel.poll();
    const double u = core::decode::draw_number(sample_seed(seed, k), place);
    ++samples.share[to_size(draw(u))];
  }
  for (std::size_t id = 0; id < samples.share.size(); ++id) {
    samples.share[id] /= count;
    const auto at = to_index(id);
    samples.from_filtered += std::abs(samples.share[id] - filtered(at)) / 2;
    samples.from_model += std::abs(samples.share[id] - model(at)) / 2;
  }
  return samples;
}

// Every way's text.
void write_texts(const Parameters& p, const std::vector<Filter>& of_beam, const NextLogs& next,
                 const Context& context, Model& model) {
  const auto filters = p.filter_list();
  const LengthPenalty penalty = p.length_penalty();
  const auto add = [&](Way way, int number, Ids ids) {
    Text text{.way = way, .number = number, .ids = std::move(ids)};
    Ids before;
    for (const std::int32_t id : text.ids) {
      text.sum += next(before)(id);
      before.push_back(id);
    }
    text.score = text.sum / penalty.at(std::max<Index>(1, to_index(text.ids.size())));
    text.ended = !text.ids.empty() && text.ids.back() == model.source->end;
    model.texts.push_back(std::move(text));
  };
  add(Way::greedy, 0,
      *context.stage("greedy", written, model.source, filters, model.steps, false,
                     std::uint64_t{0}));
  for (std::size_t rank = 0; rank < model.beam->ranked.size(); ++rank) {
    add(Way::beam, to_int(rank), model.beam->tokens(model.beam->ranked[rank]));
  }
  const double count = std::pow(to_double(model.source->size()), to_double(model.steps));
  if (model.source->rules && count <= kMostTexts) {
    add(Way::exact, 0,
        *context.stage("likeliest", likeliest_of, model.source, of_beam, model.steps, penalty));
  }
  for (int k = 0; k < std::min(kTexts, p.samples); ++k) {
    add(Way::sample, k,
        *context.stage(fmt::format("sample {}", k), written, model.source, filters, model.steps,
                       true, sample_seed(p.seed, k)));
  }
  if (!model.taken.empty()) add(Way::own, 0, model.taken);
}

}  // namespace

std::vector<Filter> Parameters::filter_list() const {
  std::vector<Filter> list;
  for (const param::StackItem& item : filters) {
    const auto& entry = filter_catalogue()->entries[to_size(item.entry)];
    list.push_back({static_cast<Filter::Kind>(item.entry),
                    entry.arguments.front().number(item.arguments.front()), form});
  }
  return list;
}

Ids Source::text(const Ids& written) const {
  Ids all = prompt;
  all.insert(all.end(), written.begin(), written.end());
  return all;
}

std::string Source::token(std::int32_t id) const {
  return published ? published->shown(id) : tokens[to_size(id)];
}

std::string Source::name(const Ids& written) const {
  std::string text;
  for (const std::int32_t id : written) text += (text.empty() ? "" : " ") + token(id);
  return text;
}

std::string Source::knob(const Ids& written) const {
  if (!published) return name(written);
  std::string text;
  for (const std::int32_t id : written) text += fmt::format("{}{}", text.empty() ? "" : " ", id);
  return text;
}

std::optional<std::int32_t> Source::find(const std::string& word) const {
  if (published) {
    const auto id = param::whole<std::int32_t>(word);
    return id && *id >= 0 && *id < size() ? id : std::nullopt;
  }
  const auto found = std::find(tokens.begin(), tokens.end(), word);
  if (found == tokens.end()) return std::nullopt;
  return static_cast<std::int32_t>(found - tokens.begin());
}

const Distribution& Model::distribution(Index of_stage) const {
  return of_stage == 0 ? filtered.before : filtered.steps[to_size(of_stage - 1)].after;
}

const Text* Model::text_of(Way way) const {
  const auto found =
      std::find_if(texts.begin(), texts.end(), [way](const Text& text) { return text.way == way; });
  return found == texts.end() ? nullptr : &*found;
}

std::uint64_t sample_seed(int seed, Index sample) {
  return core::stream_seed(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(sample));
}

namespace {

std::shared_ptr<const Source> source_of(const Parameters& p, const Context& context) {
  switch (p.from) {
    case From::rules: break;
    case From::model: {
      const LearnedStory story = opened_story("decoding", p.story, context);
      return context.stage("source of a model", model_source, story.model, story.values, p.end,
                           p.prompt);
    }
    case From::published: {
      const auto opened = context.stage("opened", open_published, p.published.source());
      return context.stage("source of a folder", published_source, opened, p.end, p.prompt,
                           p.published.around);
    }
  }
  return context.stage("source", hand_source, p.rules, p.end, p.prompt);
}

// What its heads did while it wrote.
void add_heads(const Parameters& p, const Context& context, Model& model) {
  const auto& opened = model.source->published;
  const Ids& written = model.taken.empty() ? model.texts.front().ids : model.taken;
  if (!opened || written.empty()) return;
  model.heads = context.stage("heads", written_heads, opened,
                              Continuation{.prompt = model.source->prompt, .written = written});
  model.place = {.layer = std::min<Index>(p.layer, model.heads->layers()) - 1,
                 .head = std::min<Index>(p.head, model.heads->heads()) - 1};
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.source = source_of(p, context);
  const Source& source = *model.source;
  model.steps = std::min<Index>(p.steps, source.room);
  const std::vector<Filter> filters = p.filter_list();
  const std::vector<Filter> of_beam = p.beam_filters ? filters : std::vector<Filter>{};
  const NextLogs next(source, of_beam, context.cancel);
  take(p, next, model);
  model.beam = context.stage("beam", beam_of, model.source, of_beam, model.steps, Index{p.width},
                             Index{p.shown}, p.length_penalty(), p.by_scores());
  write_texts(p, of_beam, next, context, model);
  grow_tree(p.shown, next, model);
  const Ids text = source.text(model.at);
  model.filtered = core::decode::filtered(source.next(text, context.cancel), filters, text);
  model.stage = std::min<Index>(p.stage, model.stages() - 1);
  const VectorD& last = model.filtered.after().probabilities;
  model.token =
      p.token >= 0 ? std::min(p.token, to_int(source.size()) - 1) : core::decode::greedy(last);
  model.draw = std::min(p.draw, p.samples - 1);
  model.samples = context.stage("samples", drawn, last, model.filtered.before.probabilities, p.seed,
                                p.samples, to_index(model.at.size()));
  add_heads(p, context, model);
  return model;
}

}  // namespace lab::decoding
