#include "app/labs/gpt_inside/published.h"

#include "app/labs/shared/over_texts/kept_values.h"
#include "app/labs/shared/parts.h"
#include "core/checkpoint/inside/inside.h"

namespace lab::gpt_inside {
namespace {

namespace published = core::checkpoint;

constexpr Index kRowsOfLoss = 64;  // whose logits are held at once

published::HeadIndex place_of(const HeadIndex& place) {
  return {.layer = place.layer, .head = place.head};
}

// Whether a head is one of these, which outlive it; none: no head is.
std::function<bool(const published::HeadIndex&)> among(const std::vector<HeadIndex>& heads) {
  if (heads.empty()) return {};
  return [&heads](const published::HeadIndex& at) {
    return place_among(heads, HeadIndex{at.layer, at.head}) >= 0;
  };
}

}  // namespace

PublishedInside::PublishedInside(const PublishedKey& of, const Run& run) : key(of), trace() {
  const auto& sequence = key.text->sequence;
  ids = key.changes.swapped_ids(sequence.ids);
  published::ForwardOptions<float> options;
  options.keep_heads = options.keep_parts = true;
  options.logits = published::Logits::none;
  options.threads = run.threads;
  options.ablated = among(key.heads);
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
  return published::lens(model(), trace, token, wanted, run.threads, run.cancel);
}

core::Message PublishedInside::why_no_parts() const { return published::why_no_parts(model()); }

StreamParts PublishedInside::parts(Index token, const core::Cancel& cancel) const {
  return published::stream_parts(model(), ids, trace, token, among(key.heads), cancel);
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

AllScores published_scores(const std::shared_ptr<const PublishedInside>& reading, const Run& run) {
  run.cancel.poll();
  // What the tokens are as they were read.
  return published::scores_of(published::head_meters(
      reading->trace, reading->ids, reading->key.opened->tokenizer.get(), run.threads));
}

namespace {

published::TextScores score_held_out(const HeldOutKey& key, const Run& run) {
  const core::subword::Tokenizer& tokenizer = *key.opened->tokenizer;
  return published::text_scores(
      *key.opened->model, tokenizer,
      published::token_texts(tokenizer, key.opened->held_out, kMostHeldOut, run.cancel),
      among(key.heads), run.threads, run.cancel);
}

}  // namespace

published::TextScores held_out_scores(const HeldOutKey& key, const Run& run) {
  std::string name = key.opened->name;
  for (const HeadIndex& at : key.heads) name += fmt::format(" {}.{}", at.layer, at.head);
  return kept_value<published::TextScores>(name, [&] { return score_held_out(key, run); });
}

}  // namespace lab::gpt_inside
