#include "app/labs/gpt_inside/published.h"

#include "app/labs/shared/over_texts/kept_values.h"
#include "app/labs/shared/parts.h"
#include "core/checkpoint/inside/inside.h"

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
  auto ids = text.whole = published_text(*key.opened, key.text, key.around, run.cancel).ids;
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

AllScores published_scores(const std::shared_ptr<const PublishedInside>& reading, const Run& run) {
  run.cancel.poll();
  // What the tokens are as they were read.
  return published::scores_of(published::head_meters(
      reading->trace, reading->ids, reading->key.opened->tokenizer.get(), run.threads));
}

namespace {

published::TextScores score_held_out(const HeldOutKey& key, const Run& run) {
  std::function<bool(const published::HeadIndex&)> ablated;
  if (!key.heads.empty()) {
    ablated = [&key](const published::HeadIndex& at) {
      return std::find(key.heads.begin(), key.heads.end(), HeadIndex{at.layer, at.head}) !=
             key.heads.end();
    };
  }
  const core::subword::Tokenizer& tokenizer = *key.opened->tokenizer;
  return published::text_scores(
      *key.opened->model, tokenizer,
      published::token_texts(tokenizer, key.opened->held_out, kMostHeldOut, run.cancel), ablated,
      run.threads, run.cancel);
}

}  // namespace

published::TextScores held_out_scores(const HeldOutKey& key, const Run& run) {
  std::string name = key.opened->name;
  for (const HeadIndex& at : key.heads) name += fmt::format(" {}.{}", at.layer, at.head);
  return kept_value<published::TextScores>(name, [&] { return score_held_out(key, run); });
}

}  // namespace lab::gpt_inside
