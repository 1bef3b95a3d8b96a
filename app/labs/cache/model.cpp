#include "app/labs/cache/model.h"

#include "core/attention/attention.h"
#include "core/attention/softmax.h"
#include "core/random.h"
#include "core/tile.h"

namespace lab::cache {
namespace {

using core::decode::PackedDecoder;
using Numbers = std::shared_ptr<const std::vector<float>>;
using Sequences = std::shared_ptr<const core::task::SequenceModel>;

void evaluate(const core::task::Sequence& text, Reading& reading) {
  const auto n = to_index(text.ids.size());
  reading.loss.assign(to_size(n), 0);
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

Reading read(const Sequences& model, const Numbers& numbers, const core::task::Sequence& text,
             const Way& way, const Run& run) {
  const auto packed =
      std::make_shared<const PackedDecoder>(model->decoder, numbers->data(), way.weights, 1);
  Reading reading{core::decode::read_with_cache(packed, way.cache, text.ids, run.cancel)};
  reading.finite = reading.logits.allFinite();
  evaluate(text, reading);
  return reading;
}

core::task::Sequence draw(const core::task::SequenceModel& model, int seed) {
  core::task::Sequence text =
      core::task::draw_sequences(model.task, static_cast<std::uint64_t>(seed), 1, true).front();
  const auto most = std::min<std::size_t>(kMostTokens, text.ids.size());
  text.ids.resize(most), text.next.resize(most), text.evaluated.resize(most);
  text.source.resize(most);
  return text;
}

std::shared_ptr<const Story> make_story(const Parameters& p, const Context& context) {
  const auto story = std::make_shared<Story>();
  story->learned = opened_story("story", p.story, context);
  story->text = draw(*story->learned.model, p.seed);
  story->tokens = story_tokens(*story->learned.model, story->text.ids);
  return story;
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
  model.exact = reading("exact", story, {}, context);
  if (p.view == View::tokens) {
    if (p.picks_key()) model.key = std::min<Index>(p.key, model.token);
    model.looked = context.stage(
        "looked",
        [](const Sequences& of, const Numbers& numbers, const std::vector<std::int32_t>& ids,
           const Run&) { return core::task::look(*of, numbers->data(), ids); },
        story.learned.model, story.learned.values, story.text.ids);
  } else if (p.view == View::rounding) {
    model.other = reading("chosen", story, way_of(p), context);
    Parameters listed = p;
    for (const ListedFormat& format : listed_formats()) {
      listed.format.choice = format.choice;
      model.listed.push_back(reading(std::string(format.id), story, way_of(listed), context));
    }
  } else if (p.view == View::eviction) {
    const std::vector<CacheForm> ways = evicting_ways(p, story.form());
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const std::string name = fmt::format("evicting {}", k);
      model.listed.push_back(reading(name, story, {.cache = ways[k]}, context));
    }
    model.other = model.listed.back();
  }
}

}  // namespace

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
  if (p.sinks > 0 && positions_fit(form, p.positions)) chosen.positions = p.positions;
  ways.push_back(chosen);
  return ways;
}

std::shared_ptr<const Reading> reading(const std::string& name, const Story& story, const Way& way,
                                       const Context& context) {
  return context.stage(
      "reading, " + name,
      [](const Sequences& model, const Numbers& numbers, const std::vector<std::int32_t>& ids,
         const std::vector<std::int32_t>& next, const std::vector<std::uint8_t>& evaluated,
         const Way& by, const Run& run) {
        return read(model, numbers, {ids, next, evaluated, {}}, by, run);
      },
      story.learned.model, story.learned.values, story.text.ids, story.text.next,
      story.text.evaluated, way);
}

Index likeliest(const Reading& reading, Index token) {
  Index best = 0;
  reading.log_p.row(token).maxCoeff(&best);
  return best;
}

Apart apart(const Reading& exact, const Reading& other) {
  Apart all;
  for (Index t = 0; t < exact.logits.rows(); ++t) {
    all.logit.push_back(
        to_double((exact.logits.row(t) - other.logits.row(t)).cwiseAbs().maxCoeff()));
    const auto p = exact.log_p.row(t).array();
    // Rounding of sums can leave it just below 0.
    const double sum = (p.exp() * (p - other.log_p.row(t).array())).sum();
    all.divergence.push_back(std::isnan(sum) ? sum : std::max(0.0, sum));
    all.mean_divergence += all.divergence.back() / to_double(exact.logits.rows());
    all.changed += likeliest(exact, t) != likeliest(other, t);
  }
  return all;
}

Model make_model(const Parameters& p, const Context& context) {
  Model model;
  context.cancel.poll();
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
