#include "core/checkpoint/inside/packed.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/checkpoint/pass.h"

namespace core::checkpoint {
namespace {

class Packing {
 public:
  Packing(const Weights& weights, const Format& stored, const Cancel& cancel)
      : weights_(weights), stored_(stored), cancel_(cancel) {}

  decode::StoredMatrix table(const Parameter& of) const { return rows({Linear{of, {}}}); }
  // Their rows, one matrix below the other.
  decode::StoredMatrix rows(const std::vector<Linear>& of) const {
    Index count = 0;
    for (const Linear& one : of) count += weights_.rows(one.weight);
    decode::StoredMatrix all(count, weights_.cols(of.front().weight), stored_);
    Vector row(all.cols());
    Index first = 0;
    for (const Linear& one : of) {
      const Weights::Stored from = weights_.matrix(one.weight, cancel_);
      for (Index i = 0; i < from->rows(); ++i) {
        from->read(i, row.data());
        all.put(first++, row.data());
      }
    }
    return all;
  }
  // Some of them may have none: those are 0.
  Vector bias(const std::vector<Linear>& of) const {
    Index count = 0;
    bool any = false;
    for (const Linear& one : of) count += weights_.rows(one.weight), any |= bool{one.bias};
    if (!any) return {};
    Vector all = Vector::Zero(count);
    Index first = 0;
    for (const Linear& one : of) {
      const Index rows = weights_.rows(one.weight);
      if (one.bias) all.segment(first, rows) = weights_.vector<float>(one.bias, cancel_);
      first += rows;
    }
    return all;
  }
  decode::PackedNorm norm(const Norm& of) const {
    return {weights_.vector<float>(of.gain, cancel_),
            of.shift ? weights_.vector<float>(of.shift, cancel_) : Vector(),
            static_cast<float>(of.epsilon), of.centered};
  }
  decode::PackedLayer layer(const DecoderParts::Layer& of) const {
    return {rows(of.heads),     rows({of.output}), rows(of.wide),
            rows({of.narrow}),  bias(of.heads),    bias({of.output}),
            bias(of.wide),      bias({of.narrow}), norm(of.before_attention),
            norm(of.before_mlp)};
  }

 private:
  const Weights& weights_;
  Format stored_;
  Cancel cancel_;
};

// Turns of the tables that Pass makes, to the last bit.
void turn(const Rotary& rotary, Index longest, decode::PackedPositions& to) {
  to.turns = rotary.frequencies(longest);
  to.multiplier = rotary.multiplier;
  to.pairing = RotaryPairing::halves;
  RotaryTable table = rotary_table(longest, to.turns);
  table.cos *= static_cast<float>(rotary.multiplier);
  table.sin *= static_cast<float>(rotary.multiplier);
  to.query_rotations = to.key_rotations = std::make_shared<const model::HeadPositions::Rotations>(
      model::HeadPositions::Rotations{{}, std::move(table)});
}

void require_packed(const Model& model) {
  if (const Message why = why_not_packed(model); !why.empty()) throw InputError(why);
}

}  // namespace

Message why_not_packed(const Model& model) {
  const ModelFacts& facts = model.facts();
  const auto parts = model.parts();
  if (!parts) {
    return Message(N_("expected a decoder with the layers of GPT-2 or LLaMA, got {}"), facts.name);
  }
  if (facts.head.empty()) return Message(N_("expected a decoder with a head, got none"));
  if (facts.heads * facts.head_width != facts.width) {
    return Message(N_("expected heads that share the model's {} numbers, got {} heads of {}"),
                   facts.width, facts.heads, facts.head_width);
  }
  const auto& rotary = facts.positions.rotary;
  if (rotary && rotary->depends_on_length()) {
    return Message(N_("expected rotations that are the same for texts of any length, got the "
                      "scaling {}"),
                   rope_scaling_word(rotary->scaling));
  }
  const double scale = 1 / std::sqrt(static_cast<double>(facts.head_width));
  for (const DecoderParts::Layer& layer : parts->layers) {
    if (layer.form.window > 0) {
      return Message(N_("expected heads that see every earlier token, got a window of {}"),
                     layer.form.window);
    }
    if (layer.form.scale != scale) {
      return Message(N_("expected products of queries and keys times {}, got times {}"), scale,
                     layer.form.scale);
    }
  }
  return {};
}

model::DecoderForm decoder_form(const Model& model, Index longest) {
  require_packed(model);
  const ModelFacts& facts = model.facts();
  const auto parts = model.parts();
  const bool rotated = !parts->positions;
  model::DecoderForm form{.vocabulary = facts.vocabulary, .layers = facts.layers};
  form.layer.d_model = facts.width;
  form.layer.heads = facts.heads;
  form.layer.key_heads = facts.key_heads;
  form.layer.norm_first = true;
  form.layer.feed_forward = {.width = facts.feed_forward, .function = parts->function};
  if (!parts->layers.empty()) {
    const DecoderParts::Layer& first = parts->layers.front();
    form.layer.bias = bool{first.heads.front().bias};
    form.layer.feed_forward.gated = first.wide.size() == 2;
    form.layer.feed_forward.bias = bool{first.narrow.bias};
  }
  form.positions.scheme = rotated ? model::Scheme::rotary : model::Scheme::learned;
  form.positions.longest = rotated ? longest : std::min(longest, facts.positions.context);
  if (rotated) form.positions.base = facts.positions.rotary->base;
  form.tied = facts.tied;
  form.output_bias = false;
  return form;
}

decode::PackedDecoder packed(const Model& model, const Format& stored, Index longest,
                             const Cancel& cancel) {
  decode::PackedDecoder made;
  made.form = decoder_form(model, longest);
  made.format = stored;
  const auto parts = model.parts();
  const Packing from(model.weights(), stored, cancel);
  made.embedding = from.table(parts->tokens);
  if (!made.form.tied) made.output = from.rows({parts->head});
  for (const DecoderParts::Layer& layer : parts->layers) made.layers.push_back(from.layer(layer));
  made.last = from.norm(parts->last);
  if (parts->positions) {
    made.positions.added = from.table(parts->positions);
  } else {
    turn(*model.facts().positions.rotary, longest, made.positions);
  }
  return made;
}

}  // namespace core::checkpoint
