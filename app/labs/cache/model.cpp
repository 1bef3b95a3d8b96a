#include "app/labs/cache/model.h"

#include "core/attention/attention.h"
#include "core/attention/softmax.h"
#include "core/checkpoint/inside/packed.h"
#include "core/random.h"
#include "core/tile.h"

namespace lab::cache {
namespace {

using core::decode::PackedDecoder;
using Packed = std::shared_ptr<const PackedDecoder>;
using Numbers = std::shared_ptr<const std::vector<float>>;
using Opened = std::shared_ptr<const PublishedModel>;
using Sequences = std::shared_ptr<const core::task::SequenceModel>;

// What is read where a published model is given nothing.
constexpr std::string_view kSentences =
    "The cat sat on the mat, and the dog sat by the cat. When the dog saw the cat, the cat ran "
    "away; and when the cat saw the dog again, the dog sat on the mat.";
constexpr std::string_view kVerse = "床前明月光，疑是地上霜。举头望明月，低头思故乡。";

PackedDecoder pack(const Sequences& model, const Numbers& values, const Opened& opened,
                   const core::Format& stored, const Run& run) {
  if (!opened) return {model->decoder, values->data(), stored, 1};
  constexpr Index kMostParameters = 200'000'000;
  if (const Index count = opened->facts().parameters; count > kMostParameters) {
    words::refuse<core::InputError>(
        N_("expected a model of at most {} parameters, as they are kept and read in float32, got "
           "{}"),
        grouped(kMostParameters), grouped(count));
  }
  return core::checkpoint::packed(*opened->model, stored, kMostTokens, run.cancel);
}

void evaluate(const core::task::Sequence& text, Reading& reading) {
  const auto n = to_index(text.ids.size());
  reading.loss.assign(to_size(n), std::numeric_limits<double>::quiet_NaN());
  double sum = 0;
  for (Index t = 0; t < n; ++t) {
    const std::int32_t next = text.next[to_size(t)];
    if (next < 0) continue;
    reading.loss[to_size(t)] = -reading.log_p(t, next);
    if (!text.evaluated[to_size(t)]) continue;
    sum += reading.loss[to_size(t)];
    ++reading.evaluated;
    reading.right += likeliest(reading, t) == next;
  }
  if (reading.evaluated > 0) reading.mean_loss = sum / to_double(reading.evaluated);
}

Reading read(const StoryPointer& story, const Way& way, const Run& run) {
  const auto packed = way.weights == core::kFloat32
                          ? story->exact
                          : std::make_shared<const PackedDecoder>(
                                pack(story->model, story->values, story->opened, way.weights, run));
  Reading reading{core::decode::read_with_cache(packed, way.cache, story->ids(), run.cancel,
                                                story->opened ? run.threads : 1)};
  reading.finite = reading.logits.allFinite();
  evaluate(story->text.sequence, reading);
  return reading;
}

StoryText draw(const core::task::SequenceModel& model, int seed) {
  core::task::Sequence text =
      core::task::draw_sequences(model.task, static_cast<std::uint64_t>(seed), 1, true).front();
  const auto most = std::min<std::size_t>(kMostTokens, text.ids.size());
  text.ids.resize(most), text.next.resize(most), text.evaluated.resize(most);
  text.source.resize(most);
  return {std::move(text)};
}

Story drawn_story(const Sequences& model, const Numbers& values, const Packed& exact, int seed,
                  const Run&) {
  Story story{.model = model, .values = values, .exact = exact, .text = draw(*model, seed)};
  story.tokens = story_tokens(*model, story.ids());
  return story;
}

// Every token has a loss where another follows.
Story typed_story(const Packed& exact, const PublishedTextKey& key, const Run& run) {
  Story story{.opened = key.opened, .exact = exact, .text = read_published_text(key, run)};
  core::task::Sequence& text = story.text.sequence;
  for (std::size_t t = 0; t < text.ids.size(); ++t) text.evaluated[t] = text.next[t] >= 0;
  story.tokens = labels(each(text.ids, [&](const std::int32_t id) { return story.token(id); }));
  return story;
}

StoryPointer make_story(const Parameters& p, const Context& context) {
  const auto packed = [&](const Sequences& model, const Numbers& values, const Opened& opened) {
    return context.stage("packed", pack, model, values, opened, core::kFloat32);
  };
  if (!p.of_folder()) {
    const LearnedStory learned = opened_story("story", p.model, context);
    return context.stage("drawn", drawn_story, learned.model, learned.values,
                         packed(learned.model, learned.values, nullptr), p.seed);
  }
  const Opened opened = opened_published(p.published, context);
  const Packed exact = packed(nullptr, nullptr, opened);
  const Index most = std::min<Index>(kMostTokens, exact->form.positions.longest);
  return context.stage("text", typed_story, exact,
                       PublishedTextKey{opened, text_read(p, *opened), p.published.around, most});
}

core::checkpoint::Trace<float> trace(const StoryPointer& story, const Run& run) {
  core::checkpoint::ForwardOptions<float> options;
  options.keep_heads = true;
  options.logits = core::checkpoint::Logits::none;
  options.threads = run.threads;
  return story->opened->model->forward({.tokens = story->ids()}, options, run.cancel);
}

core::task::LookedSequence look(const StoryPointer& story, const Run&) {
  return core::task::look(*story->model, story->values->data(), story->ids());
}

OnlineRow make_row(int seed, int count, double spread, int block, const Run&) {
  core::Random random(static_cast<std::uint64_t>(seed));
  OnlineRow row;
  row.scores = VectorD::NullaryExpr(count, [&] { return spread * random.gaussian(); });
  row.values = MatrixD::NullaryExpr(count, kOutputs, [&] { return random.gaussian(); });
  row.weights = core::softmax(row.scores);
  row.output = row.values.transpose() * row.weights;
  row.steps = core::online_steps(row.scores, row.values, block);
  return row;
}

Tiles make_tiles(const TilesKey& key, const Run& run) {
  core::Random random(static_cast<std::uint64_t>(key.seed));
  const auto drawn = [&] {
    return MatrixD(MatrixD::NullaryExpr(key.n, key.d, [&] { return random.gaussian(); }));
  };
  const MatrixD Q = drawn(), K = drawn(), V = drawn();
  Tiles tiles{core::tiled_attention(Q, K, V, key.form(), run.cancel), 0};
  core::AttentionOptionsOf<double> options;
  if (key.causal) options.mask = Mask::causal(key.n, key.n);
  const MatrixD whole = core::attend<double>(Q, K, V, options).output;
  tiles.error = (whole - tiles.attention.output).cwiseAbs().maxCoeff();
  return tiles;
}

void read_story(const Parameters& p, const Context& context, Model& model) {
  model.story = make_story(p, context);
  const Story& story = *model.story;
  model.token = std::min<Index>(p.token, story.n() - 1);
  model.layer = std::min<Index>(p.layer, story.form().layers) - 1;
  model.head = std::min<Index>(p.head, story.form().layer.heads) - 1;
  model.key = model.token;
  model.exact = reading("exact", model.story, {}, context);
  if (p.view == View::tokens) {
    if (p.picks_key()) model.key = std::min<Index>(p.key, model.token);
    if (!story.opened) {
      model.looked = context.stage("looked", look, model.story);
    } else if (p.picks_key()) {
      model.traced = context.stage("traced", trace, model.story);
    }
  } else if (p.view == View::rounding) {
    model.other = reading("chosen", model.story, way_of(p), context);
    Parameters listed = p;
    for (const ListedFormat& format : listed_formats()) {
      listed.format.choice = format.choice;
      model.listed.push_back(reading(std::string(format.id), model.story, way_of(listed), context));
    }
  } else if (p.view == View::eviction) {
    const std::vector<CacheForm> ways = evicting_ways(p, story.form());
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const std::string name = fmt::format("evicting {}", k);
      model.listed.push_back(reading(name, model.story, {.cache = ways[k]}, context));
    }
    model.other = model.listed.back();
  }
}

}  // namespace

std::string text_read(const Parameters& p, const PublishedModel& opened) {
  if (!p.text.empty() || !opened.tokenizer) return p.text;
  const bool chinese = p.published.folder.empty() && p.published.shipped == ShippedModel::chinese;
  return std::string(chinese ? kVerse : kSentences);
}

Way way_of(const Parameters& p) {
  const core::Format format = format_of(p.format);
  Way way;
  if (p.rounded != Rounded::cache) way.weights = format;
  if (p.rounded != Rounded::weights) way.cache.stored = format;
  return way;
}

bool positions_fit(const core::model::DecoderForm& form, CachePositions positions) {
  return positions == CachePositions::original || !core::decode::is_in_keys(form.positions.scheme);
}

// The last one is as the knobs say.
std::vector<CacheForm> evicting_ways(const Parameters& p, const core::model::DecoderForm& form) {
  const Index longest = form.positions.longest;
  CacheForm chosen;
  chosen.stored = format_of(p.format);
  chosen.window = std::min<Index>(p.window, longest);
  std::vector<CacheForm> ways = {{.stored = chosen.stored}, chosen};
  chosen.sinks = std::min<Index>(p.sinks, longest - chosen.window);
  if (chosen.sinks == 0) return ways;
  if (positions_fit(form, p.positions)) chosen.positions = p.positions;
  ways.push_back(chosen);
  return ways;
}

std::shared_ptr<const Reading> reading(const std::string& name, const StoryPointer& story,
                                       const Way& way, const Context& context) {
  return context.stage("reading, " + name, read, story, way);
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  if (p.reads()) read_story(p, context, model);
  if (p.view == View::memory && p.measurement > 0) {
    model.measured = context.stage("measured", measure, measure_key(p));
  }
  if (p.view == View::online) {
    model.online = context.stage("online", make_row, p.seed, p.count, p.spread, p.block);
  }
  if (p.view == View::tiles) {
    model.tiles = context.stage("tiles", make_tiles,
                                TilesKey{p.rows, p.depth, p.memory, p.order, p.causal, p.seed});
  }
  return model;
}

}  // namespace lab::cache
