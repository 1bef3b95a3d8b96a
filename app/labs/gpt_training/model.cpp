#include "app/labs/gpt_training/model.h"

#include <filesystem>

#include "app/labs/shared/model/file_stamp.h"
#include "app/labs/shared/parts.h"
#include "core/decode/cached_logits.h"
#include "core/text/printable.h"

namespace lab::gpt_training {
namespace {

using core::model::Scheme;
using core::task::Corpus, core::task::Sequence, core::task::SequenceModel,
    core::task::SequenceRecipe, core::task::Story;
using Numbers = std::shared_ptr<const std::vector<float>>;
constexpr std::uint64_t kMaskSeed = 1;  // of a mask's random keys
using SharedModel = std::shared_ptr<const SequenceModel>;

}  // namespace

TaskKnobs knobs_of(Story story) {
  const bool letters = story == Story::copy || story == Story::reverse || story == Story::sort;
  const bool induction = story == Story::induction;
  return {.letters = letters,
          .symbols = letters || induction,
          .range = letters || induction || story == Story::brackets,
          .length = induction || core::task::flows(story)};
}

SequenceRecipe Parameters::recipe(const core::SharedValue<Corpus>& of_corpus) const {
  SequenceRecipe out = core::task::recipe(task);
  out.options.seed += static_cast<std::uint64_t>(training.seed);
  out.steps = out.options.schedule.steps = training.steps;
  core::task::SequenceTask& t = out.task;
  t.corpus = of_corpus;
  const auto fit_length = [&] {
    if (of_corpus) t.length = std::min(t.length, of_corpus->longest());
  };
  fit_length();
  if (!by_hand()) return out;
  const TaskKnobs has = knobs_of(t.story);
  if (has.symbols) t.symbols = own.symbols;
  if (has.letters) t.repeats = own.repeats;
  if (has.range) t.shortest = own.shortest, t.longest = std::max(own.shortest, own.longest);
  if (has.length) t.length = own.length;
  fit_length();
  if (t.story == Story::brackets) t.depth = own.depth;
  if (t.story == Story::addition) t.digits = own.digits, t.lowest_first = own.lowest_first;
  core::model::TransformerForm& form = out.form.layer;
  form.d_model = Index{own.heads} * own.d_head;
  form.heads = own.heads;
  form.key_heads = own.key_heads == KeyHeads::one                          ? 1
                   : own.key_heads == KeyHeads::half && own.heads % 2 == 0 ? own.heads / 2
                                                                           : own.heads;
  form.feed_forward.width = own.d_ff;
  form.norm_first = own.norm_first;
  form.dropout = own.dropout;
  out.form.layers = own.layers;
  out.form.tied = own.tied;
  out.form.positions = {.scheme = own.positions, .longest = kLongest};
  // Rows of positions that are never trained would say nothing.
  if (own.positions == Scheme::learned) {
    core::task::check(t);
    out.form.positions.longest = core::task::longest_sequence(t);
  }
  if (own.mask != masks::causal_alone()) {
    out.form.sees =
        core::model::MaskPattern(masks::model_mask(own.mask, kLongest, kMaskSeed).dense());
  }
  out.options = fit_options(training);
  return out;
}

TrainingKnobs Parameters::trains() const {
  if (by_hand()) return training;
  const SequenceRecipe of = recipe();
  TrainingKnobs knobs = training;
  knobs.rate = of.options.schedule.rate;
  knobs.warmup = to_int(of.options.schedule.warmup);
  knobs.cosine = of.options.schedule.kind == core::model::Schedule::Kind::cosine;
  knobs.batch = to_int(of.options.batch);
  knobs.smoothing = 0;
  knobs.seed = to_int(of.options.seed);
  return knobs;
}

std::int32_t Probe::next(Index t) const {
  const std::int32_t said = sequence.next[to_size(t)];
  if (said >= 0) return said;
  return t + 1 < tokens() ? sequence.ids[to_size(t + 1)] : -1;
}

std::int32_t Probe::likeliest(Index t) const {
  Index best = 0;
  looked.probabilities.row(t).maxCoeff(&best);
  return static_cast<std::int32_t>(best);
}

Matrix Model::weights_of(Index of_layer, Index of_head) const {
  return story_weights(*learned.model, probe->looked.trace, of_layer, of_head);
}

namespace {

struct ProbeKey {
  SharedModel model;
  Numbers values;
  int example = 0;
  std::string text;
  bool operator==(const ProbeKey&) const = default;
};

Probe look_at(const ProbeKey& key, const Run&) {
  const SequenceModel& model = *key.model;
  Probe probe{story_text(model, key.text, key.example, kMostProbe), {}};
  probe.looked = core::task::look(model, key.values->data(), probe.sequence.ids);
  return probe;
}

core::task::SequenceScore score_held_out(const SharedModel& model, const Numbers& values,
                                         const Run& run) {
  constexpr std::uint64_t kSeed = 77;
  constexpr Index kScored = 256;
  return core::task::score(*model, values->data(),
                           core::task::draw_sequences(model->task, kSeed, kScored, true),
                           run.threads);
}

core::task::PositionScore score_positions(const SharedModel& model, const Numbers& values,
                                          const Run& run) {
  constexpr std::uint64_t kSeed = 79;
  return core::task::score_by_position(
      *model, values->data(),
      core::task::draw_sequences(model->task, kSeed, kScoredByPosition, true), run.threads);
}

LengthCurve length_curve(const SharedModel& model, const Numbers& values, const Run& run) {
  return {core::task::score_by_length(*model, values->data(), run.threads, run.cancel),
          model->form.positions.scheme};
}

// The curve of the model, and beside it the shipped ones of the same task with other positions.
std::vector<LengthCurve> see_lengths(const LearnedStory& learned, const Context& context) {
  const auto curve = [&](const LearnedStory& story) {
    return *context.stage(story.name + " lengths", length_curve, story.model, story.values);
  };
  std::vector<LengthCurve> all{curve(learned)};
  all.front().own = true;
  if (all.front().lengths.empty()) return {};
  for (const Recipe recipe : kComparedRecipes) {
    if (learned.task() != core::task::recipe(recipe).task) continue;
    for (const Scheme scheme : kComparedSchemes) {
      if (scheme == learned.form().positions.scheme) continue;
      const std::string asset = story_asset(recipe, scheme);
      all.push_back(curve(shipped_story(asset, asset, context)));
    }
  }
  return all;
}

// What of the page's model and its training is another than of those that are shipped. How one of a
// file was trained, but for its steps, no file says.
std::vector<Unlike> unlike_shipped(const LearnedStory& learned) {
  const auto of =
      std::find_if(std::begin(kComparedRecipes), std::end(kComparedRecipes),
                   [&](Recipe one) { return core::task::recipe(one).task == learned.task(); });
  if (of == std::end(kComparedRecipes)) return {};
  const SequenceRecipe theirs = core::task::recipe(*of);
  std::vector<Unlike> all;
  const auto compare = [&](std::string_view what, double own, double other) {
    if (own != other) all.push_back({what, own, other});
  };
  const core::model::DecoderForm &own = learned.form(), &form = theirs.form;
  compare(N_("layers"), to_double(own.layers), to_double(form.layers));
  compare(N_("heads"), to_double(own.layer.heads), to_double(form.layer.heads));
  compare(N_("key heads"), to_double(own.layer.key_heads), to_double(form.layer.key_heads));
  compare(N_("width"), to_double(own.layer.d_model), to_double(form.layer.d_model));
  compare(N_("feed-forward width"), to_double(own.layer.feed_forward.width),
          to_double(form.layer.feed_forward.width));
  compare(N_("norm first"), own.layer.norm_first, form.layer.norm_first);
  compare(N_("dropout"), own.layer.dropout, form.layer.dropout);
  compare(N_("tied output"), own.tied, form.tied);
  compare(N_("masked"), own.sees ? 1 : 0, form.sees ? 1 : 0);
  compare(N_("steps"), to_double(learned.steps), to_double(theirs.steps));
  if (learned.step != learned.steps) {
    compare(N_("step"), to_double(learned.step), to_double(theirs.steps));
  }
  if (!learned.fit) return all;
  const core::task::FitOptions& options = learned.fit->options();
  compare(N_("learning rate"), options.schedule.rate, theirs.options.schedule.rate);
  compare(N_("warm-up"), to_double(options.schedule.warmup),
          to_double(theirs.options.schedule.warmup));
  compare(N_("cosine"), options.schedule.kind == theirs.options.schedule.kind ? 1 : 0, 1);
  compare(N_("batch"), to_double(options.batch), to_double(theirs.options.batch));
  return all;
}

struct SampleKey {
  SharedModel model;
  Numbers values;
  std::vector<std::int32_t> prompt;
  int seed = 0;
  double temperature = 1;
  bool operator==(const SampleKey&) const = default;
};

// The likeliest, and some by chance.
std::vector<Sample> draw_samples(const SampleKey& key, const Run& run) {
  constexpr int kDrawn = 3;
  const SequenceModel& model = *key.model;
  const auto room = model.form.positions.longest - to_index(key.prompt.size());
  const bool text = core::task::flows(model.task.story);
  core::decode::CachedLogits cached(std::make_shared<const core::decode::PackedDecoder>(
      model.decoder, key.values->data(), core::kFloat32));
  const auto next = [&](const std::vector<std::int32_t>& ids) { return cached(ids); };
  std::vector<Sample> all;
  for (int k = 0; k <= kDrawn; ++k) {
    core::decode::WriteOptions options{.samples = k > 0, .most = std::clamp<Index>(room, 0, 40)};
    options.seed = static_cast<std::uint64_t>(key.seed) + 1000 * static_cast<std::uint64_t>(k);
    if (key.temperature != 1) options.filters = {{.value = key.temperature}};
    // The first token after the start ends an answer; texts go on.
    if (!text) options.end = 1;
    all.push_back({core::decode::write(next, key.prompt, options, run.cancel), k == 0});
  }
  return all;
}

// Up to where something is to be known; of texts the first few characters.
Index prompt_of(const Probe& probe, bool text) {
  constexpr Index kOfText = 8;
  if (text || !probe.known()) return std::min(probe.tokens(), text ? kOfText : probe.tokens());
  const auto& evaluated = probe.sequence.evaluated;
  const auto first = std::find(evaluated.begin(), evaluated.end(), 1) - evaluated.begin();
  return std::min<Index>(first + 1, probe.tokens());
}

struct CorpusKey {
  std::string text;
  FileStamp file;
  Index vocabulary = 0;  // 0: characters
  bool operator==(const CorpusKey&) const = default;
};

Corpus make_corpus(const CorpusKey& key, const Run& run) {
  const bool typed = key.file.path.empty();
  const std::filesystem::path path(key.file.path);
  const std::string text = typed ? key.text : core::task::read_text(path);
  const std::string name = typed ? "corpus" : core::printable(path.filename().string());
  return key.vocabulary > 0 ? core::task::corpus_of_pairs(text, key.vocabulary, name, run.cancel)
                            : core::task::corpus_of_characters(text, name, run.cancel);
}

core::SharedValue<Corpus> corpus_of(const Parameters& p, const Context& context) {
  if (!p.own_text()) return {};
  const bool typed = p.corpus_file.empty();
  return context.stage("gpt corpus", make_corpus,
                       CorpusKey{typed ? p.corpus : std::string(), stamp_of(p.corpus_file),
                                 p.unit == OwnUnit::pairs ? Index{p.vocabulary} : Index{0}});
}

LearnedStory learn(const std::string& name, const Parameters& p, Index layers,
                   const Context& context) {
  if (p.weights() == Weights::shipped) return shipped_story(name, story_asset(p.task), context);
  if (p.weights() == Weights::file) return opened_story(name, {p.task, p.training.file}, context);
  SequenceRecipe of = p.recipe(corpus_of(p, context));
  if (layers > 0) of.form.layers = layers;
  return {trained_here<core::task::SequenceFit>(name, p.trains(), context, of.task, of.form)};
}

}  // namespace

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  model.learned = learn("gpt", p, 0, context);
  context.cancel.poll();
  const LearnedStory& learned = model.learned;
  if (p.one_layer && p.trains_here()) model.one_layer = learn("gpt, one layer", p, 1, context);
  model.probe = context.stage("gpt probe", look_at,
                              ProbeKey{learned.model, learned.values, p.example, p.text});
  if (!learned.going) {
    model.score = *context.stage("gpt score", score_held_out, learned.model, learned.values);
    model.lengths = see_lengths(learned, context);
    model.unlike = unlike_shipped(learned);
    model.places = context.stage("gpt places", score_positions, learned.model, learned.values);
    const Probe& probe = *model.probe;
    model.prompt = prompt_of(probe, core::task::flows(learned.task().story));
    const auto& ids = probe.sequence.ids;
    model.samples = context.stage(
        "gpt samples", draw_samples,
        SampleKey{learned.model,
                  learned.values,
                  {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(model.prompt)},
                  p.sample_seed,
                  p.temperature});
  }
  model.layer = std::min<Index>(p.layer, learned.layers()) - 1;
  model.head = std::min<Index>(p.head, model.heads()) - 1;
  const Index last = model.probe->tokens() - 1;
  model.place = p.place < 0 ? last : std::min<Index>(p.place, last);
  if (p.token >= 0) model.key = std::min<Index>(p.token, last);
  return model;
}

}  // namespace lab::gpt_training
