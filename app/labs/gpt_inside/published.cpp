#include "app/labs/gpt_inside/published.h"

#include <deque>
#include <mutex>

#include "app/labs/shared/parts.h"
#include "core/checkpoint/inside/inside.h"
#include "core/parallel.h"

namespace lab::gpt_inside {
namespace {

namespace published = core::checkpoint;

constexpr Index kLensTokens = 8;   // so few rows give the same bits as one
constexpr Index kRowsOfLoss = 64;  // whose logits are held at once

published::HeadIndex place_of(const HeadIndex& place) {
  return {.layer = place.layer, .head = place.head};
}

}  // namespace

StoryText read_published_text(const PublishedTextKey& key, const Run& run) {
  StoryText text;
  text.typed = true;
  auto ids = published_text(*key.opened, key.text, key.around, run.cancel).ids;
  text.cut = std::ssize(ids) > kMostPublished;
  if (text.cut) ids.resize(to_size(kMostPublished));
  key.opened->model->check({.tokens = ids});
  const std::size_t n = ids.size();
  std::vector<std::int32_t> next(ids.begin() + 1, ids.end());
  next.push_back(-1);
  text.sequence = {std::move(ids), std::move(next), std::vector<std::uint8_t>(n, 0),
                   std::vector<std::int32_t>(n, -1)};
  return text;
}

PublishedInside::PublishedInside(const PublishedKey& of, const Run& run) : key(of), trace() {
  const auto& sequence = key.text->sequence;
  ids = key.changes.swapped_ids(sequence.ids);
  published::ForwardOptions<float> options;
  options.keep_heads = options.keep_parts = true;
  options.logits = published::Logits::none;
  options.threads = run.threads;
  if (!key.heads.empty()) {
    options.ablated = [this](const published::HeadIndex& at) { return ablated(at.layer, at.head); };
  }
  if (key.changes.masked) options.masked = {*key.changes.masked};
  trace = model().forward({.tokens = ids}, options, run.cancel);
  const Matrix& last = trace.decoder.layers.back()->hidden;
  for (Index first = 0; first < last.rows(); first += kRowsOfLoss) {
    const Matrix some = last.middleRows(first, std::min(kRowsOfLoss, last.rows() - first));
    add_loss(sequence.next, first, model().read_out(some, run.threads, run.cancel));
  }
  finish_loss();
}

PublishedInside read_published(const PublishedKey& key, const Run& run) { return {key, run}; }

bool PublishedInside::ablated(Index layer, Index head) const {
  return std::find(key.heads.begin(), key.heads.end(), HeadIndex{layer, head}) != key.heads.end();
}

bool PublishedInside::sees(Index layer, Index from, Index to) const {
  return model().facts().positions.sees(layer, from, to);
}

Matrix PublishedInside::weights(Index layer, Index head) const {
  Matrix cells = trace.decoder.layers[to_size(layer)]->self.weights[to_size(head)].matrix();
  for (Index i = 0; i < cells.rows(); ++i) {
    for (Index j = 0; j < cells.cols(); ++j) {
      if (!sees(layer, i, j)) cells(i, j) = core::kMasked;
    }
  }
  return cells;
}

HeadAttention PublishedInside::look(const HeadIndex& place, Index token) const {
  HeadAttention out = published::head_attention(model(), trace, place_of(place), token);
  if (key.changes.masked) out.allowed[to_size(*key.changes.masked)] = false;
  return out;
}

core::Vector PublishedInside::logits_at(Index token, const Run& run) const {
  const Matrix row = trace.decoder.layers.back()->hidden.row(token);
  return model().read_out(row, run.threads, run.cancel).row(0).transpose();
}

LensView PublishedInside::lens_at(Index token, std::int32_t wanted, const Run& run) const {
  LensView view;
  view.first = std::max<Index>(0, token + 1 - kLensTokens);
  view.tokens = token + 1 - view.first;
  const auto add = [&](const StreamPoint& place, const Matrix& stream) {
    run.cancel.poll();
    const Matrix some = stream.middleRows(view.first, view.tokens);
    view.points.push_back(place);
    view.cells.push_back(LensView::row(model().read_out(some, run.threads, run.cancel), wanted));
  };
  add({}, trace.decoder.embedding);
  for (std::size_t l = 0; l < trace.decoder.layers.size(); ++l) {
    add({StreamPoint::Kind::layer, to_index(l)}, trace.decoder.layers[l]->hidden);
  }
  return view;
}

core::Message PublishedInside::why_no_parts() const { return published::why_no_parts(model()); }

StreamParts PublishedInside::parts(Index token, const core::Cancel& cancel) const {
  const auto out = [this](const published::HeadIndex& at) { return ablated(at.layer, at.head); };
  return published::stream_parts(model(), ids, trace, token, out, cancel);
}

core::model::LogitDirection PublishedInside::direction(const VectorD& residual, std::int32_t id,
                                                       std::int32_t against) const {
  return published::logit_direction(model(), residual, id, against);
}

core::model::HeadShares PublishedInside::shares(const HeadIndex& place, Index token,
                                                const VectorD& direction) const {
  return published::head_shares(model(), trace, place_of(place), token, direction);
}

VectorD PublishedInside::output_row(const HeadIndex& place, Index number) const {
  return published::output_row(model(), place_of(place), number);
}

namespace {

using Meters = std::vector<std::vector<core::task::HeadMeter>>;  // [layer][head]

// What the heads of a pass did, added to their meters.
void add_to(Meters& meters, const PublishedModel& opened, const core::task::Sequence& sequence,
            const published::Trace<float>& trace, int threads) {
  const core::task::TextMarks marks =
      core::task::text_marks(each(sequence.ids, [&](std::int32_t id) -> std::string {
        const bool none = !opened.tokenizer || !opened.tokenizer->token(id);
        return none || opened.tokenizer->is_special(id) ? "" : opened.tokenizer->bytes(id);
      }));
  const auto& layers = trace.decoder.layers;
  meters.resize(layers.size());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const auto& weights = layers[l]->self.weights;
    meters[l].resize(weights.size());
    core::parallel_for(to_index(weights.size()), threads, [&](Index head, int) {
      const Matrix cells = weights[to_size(head)].matrix();
      meters[l][to_size(head)].add(sequence, cells);
      meters[l][to_size(head)].add_marks(marks, cells);
    });
  }
}

AllScores scores_of(const Meters& meters) {
  return each(meters, [](const auto& layer) {
    return each(layer, [](const core::task::HeadMeter& meter) { return meter.scores(); });
  });
}

}  // namespace

AllScores published_scores(const std::shared_ptr<const PublishedInside>& reading, const Run& run) {
  run.cancel.poll();
  // What the tokens are as they were read.
  core::task::Sequence sequence = reading->key.text->sequence;
  sequence.ids = reading->ids;
  Meters meters;
  add_to(meters, *reading->key.opened, sequence, reading->trace, run.threads);
  return scores_of(meters);
}

namespace {

AllScores score_held_out(const HeldOutKey& key, const Run& run) {
  constexpr Index kRound = 16;  // texts whose weights are held at once
  published::ForwardOptions<float> options;
  options.keep_heads = true;
  options.logits = published::Logits::none;
  options.threads = 1;
  if (!key.heads.empty()) {
    options.ablated = [&key](const published::HeadIndex& at) {
      return std::find(key.heads.begin(), key.heads.end(), HeadIndex{at.layer, at.head}) !=
             key.heads.end();
    };
  }
  const Index all = to_index(key.opened->held_out.size());
  Meters meters;
  for (Index first = 0; first < all; first += kRound) {
    run.cancel.poll();
    const Index count = std::min(kRound, all - first);
    std::vector<core::task::Sequence> texts(to_size(count));
    std::vector<published::Trace<float>> traces(to_size(count));
    core::parallel_for(count, run.threads, [&](Index k, int) {
      std::vector<std::int32_t>& ids = texts[to_size(k)].ids;
      ids = published_text(*key.opened, key.opened->held_out[to_size(first + k)], true, run.cancel)
                .ids;
      ids.resize(std::min(ids.size(), to_size(kMostHeldOut)));
      texts[to_size(k)].source.assign(ids.size(), -1);
      traces[to_size(k)] = key.opened->model->forward({.tokens = ids}, options, run.cancel);
    });
    for (Index k = 0; k < count; ++k) {
      add_to(meters, *key.opened, texts[to_size(k)], traces[to_size(k)], run.threads);
    }
  }
  return scores_of(meters);
}

}  // namespace

// Shipped models alone have such texts, and never change: these scores are kept for the program's
// life, of the last changes.
AllScores held_out_scores(const HeldOutKey& key, const Run& run) {
  struct Known {
    std::string model;
    std::vector<HeadIndex> heads;
    AllScores scores;
  };
  constexpr std::size_t kMostKnown = 16;
  static std::mutex mutex;
  static std::deque<Known> known;
  const std::string& model = key.opened->name;
  {
    const std::lock_guard lock(mutex);
    for (const Known& one : known) {
      if (one.model == model && one.heads == key.heads) return one.scores;
    }
  }
  AllScores scores = score_held_out(key, run);
  const std::lock_guard lock(mutex);
  known.push_back({model, key.heads, scores});
  if (known.size() > kMostKnown) known.pop_front();
  return scores;
}

}  // namespace lab::gpt_inside
