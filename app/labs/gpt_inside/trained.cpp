#include "app/labs/gpt_inside/trained.h"

#include "app/labs/shared/derivation/model_derivation.h"
#include "app/labs/shared/model/traced.h"
#include "app/labs/shared/parts.h"

namespace lab::gpt_inside {
namespace {

using core::model::Scheme;

constexpr std::uint64_t kScoreSeed = 77;

std::string layer_prefix(Index layer) { return fmt::format("decoder.{}.self.", layer); }

}  // namespace

Changed change(const ChangedKey& key, const Run& run) {
  Changed out{.model = key.model, .values = key.values};
  const Changes& changes = key.changes;
  if (changes.weights) {
    out.values = std::make_shared<const std::vector<float>>(
        core::task::rounded_parameters(*out.model, out.numbers(), *changes.weights));
  }
  const Scheme trained = key.model->form.positions.scheme;
  if (const Scheme scheme = changes.positions.value_or(trained); scheme != trained) {
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

std::vector<std::int32_t> TextChanges::swapped_ids(const std::vector<std::int32_t>& ids) const {
  std::vector<std::int32_t> read = ids;
  if (swapped) std::swap(read[to_size(swapped->first)], read[to_size(swapped->second)]);
  return read;
}

TrainedInside::TrainedInside(std::shared_ptr<const Changed> of,
                             const core::task::Sequence& sequence, const TextChanges& changes)
    : changed(std::move(of)), masked(changes.masked) {
  ids = changes.swapped_ids(sequence.ids);
  const core::task::InterventionEdit edit(*changed->model, changed->intervention);
  std::optional<Mask> mask;
  if (masked) mask = core::task::without_tokens(to_index(ids.size()), {*masked});
  looked =
      core::task::look(*changed->model, changed->numbers(), ids, &edit, mask ? &*mask : nullptr);
  lens = core::task::logit_lens(*changed->model, changed->numbers(), looked);
  add_loss(sequence.next, 0, logits());
  finish_loss();
}

TrainedInside read_trained(const TrainedKey& key, const Run&) {
  return {key.changed, key.text->sequence, key.changes};
}

Matrix TrainedInside::weights(Index layer, Index head) const {
  return story_weights(*changed->model, looked.trace, layer, head);
}

HeadAttention TrainedInside::look(const HeadIndex& place, Index token) const {
  const auto& layer = changed->model->form.layer;
  HeadAttention out = head_attention(looked.trace, layer_prefix(place.layer),
                                     {place.head, layer.heads, layer.key_heads}, token);
  out.scale = changed->model->decoder.stack.positions.scale();
  for (Index j = 0; j < out.keys.rows(); ++j) {
    out.allowed.push_back(changed->model->sees(token, j) && masked != j);
  }
  return out;
}

core::Vector TrainedInside::logits_at(Index token, const Run&) const {
  return logits().row(token).transpose();
}

LensView TrainedInside::lens_at(Index, std::int32_t wanted, const Run&) const {
  LensView view{.tokens = to_index(ids.size())};
  const std::vector<std::int32_t> asked(ids.size(), wanted);
  for (std::size_t k = 0; k < lens.points.size(); ++k) {
    view.add(lens.points[k], lens.logits[k], asked);
  }
  return view;
}

core::Message TrainedInside::why_no_parts() const {
  return core::task::why_no_parts(changed->model->form);
}

StreamParts TrainedInside::parts(Index token, const core::Cancel&) const {
  return core::task::stream_parts(*changed->model, changed->numbers(), looked, token);
}

core::model::LogitDirection TrainedInside::direction(const VectorD& residual, std::int32_t id,
                                                     std::int32_t against) const {
  return core::task::logit_direction(*changed->model, changed->numbers(), residual, id, against);
}

core::model::HeadShares TrainedInside::shares(const HeadIndex& place, Index token,
                                              const VectorD& direction) const {
  return core::task::head_shares(*changed->model, changed->numbers(), looked, place, token,
                                 direction);
}

VectorD TrainedInside::output_row(const HeadIndex& place, Index number) const {
  const auto& layer = changed->model->form.layer;
  const Matrix out = parameter_of(changed->model->layout, changed->numbers(),
                                  layer_prefix(place.layer) + "output.weight");
  return out.row(place.head * (layer.d_model / layer.heads) + number).transpose().cast<double>();
}

}  // namespace lab::gpt_inside
