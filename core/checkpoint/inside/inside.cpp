#include "core/checkpoint/inside/inside.h"

#include <cmath>
#include <string>

#include "core/checkpoint/pass.h"
#include "core/io/tensor/tensor_view.h"
#include "core/refuse.h"

namespace core::checkpoint {
namespace {

using model::StreamPart;

std::shared_ptr<const StreamForm> stream_of(const Model& model) {
  if (auto stream = model.stream()) return stream;
  throw InputError(
      Message(N_("parts: expected a decoder that reads one text, got {}"), model.facts().name));
}

const StreamForm::Layer& layer_of(const StreamForm& stream, Index layer) {
  if (layer < 0 || layer >= static_cast<Index>(stream.layers.size())) {
    refuse("parts", "a layer below " + std::to_string(stream.layers.size()), std::to_string(layer));
  }
  return stream.layers[static_cast<std::size_t>(layer)];
}

// A layer of a pass, with what is asked for.
template <class S>
const Layer<S>& kept_layer(const Trace<S>& trace, Index layer) {
  const auto& layers = trace.decoder.layers;
  const auto at = static_cast<std::size_t>(layer);
  if (at >= layers.size() || !layers[at] || layers[at]->self.weights.empty() ||
      layers[at]->self.values.rows() == 0) {
    refuse("parts", "a pass that kept weights and heads", "another");
  }
  return *layers[at];
}

// The weights of a looking token, and the values of a head.
template <class S>
VectorD weights_of(const Attending<S>& self, Index head, Index token) {
  const auto& weights = self.weights[static_cast<std::size_t>(head)];
  if (token < 0 || token >= weights.rows()) {
    refuse("parts", "a token below " + std::to_string(weights.rows()), std::to_string(token));
  }
  VectorD row(weights.cols());
  for (Index j = 0; j < row.size(); ++j) row(j) = static_cast<double>(weights(token, j));
  return row;
}
template <class S>
MatrixD values_of(const ModelFacts& facts, const Attending<S>& self, Index head) {
  const Index width = facts.head_width, key_head = head / (facts.heads / facts.key_heads);
  return self.values.middleCols(key_head * width, width).template cast<double>();
}

VectorD row_of(const Model& model, const Parameter& table, std::int32_t id, const Cancel& cancel) {
  return model.weights().some_rows<double>(table, {id}, cancel).row(0).transpose();
}

// A vector less its bias, which is a part of its own.
void add_with_bias(const Model& model, const StreamPart& part, StreamPart::Kind bias_kind,
                   VectorD vector, const Linear& linear, const Cancel& cancel,
                   model::StreamGathering& to) {
  if (!linear.bias) return to.add(part, std::move(vector));
  const VectorD bias = model.weights().vector<double>(linear.bias, cancel);
  to.add(part, vector - bias);
  to.add({bias_kind, part.layer}, bias);
}

template <class S>
void add_heads(const Model& model, const StreamForm::Layer& of, const Layer<S>& layer, Index at,
               Index token, const std::function<bool(const HeadIndex&)>& ablated,
               const Cancel& cancel, model::StreamGathering& to) {
  const ModelFacts& facts = model.facts();
  const MatrixD out = model.weights().exact(of.joins.weight, cancel);
  for (Index head = 0; head < facts.heads; ++head) {
    const StreamPart part{StreamPart::Kind::head, at, head};
    if (ablated && ablated({.layer = at, .head = head})) {
      to.add(part, VectorD::Zero(out.rows()));
      continue;
    }
    const VectorD mixed =
        values_of(facts, layer.self, head).transpose() * weights_of(layer.self, head, token);
    to.add(part, out.middleCols(head * facts.head_width, facts.head_width) * mixed);
  }
  if (!of.joins.bias) return;
  to.add({StreamPart::Kind::attention_bias, at},
         model.weights().vector<double>(of.joins.bias, cancel));
}

// What positions add to the scores of a token: ALiBi's penalty, or T5's bias; empty: nothing.
VectorD added_by_positions(const PositionFacts& positions, const HeadIndex& place, Index token,
                           Index keys) {
  if (place.cross) return {};
  if (positions.slopes.size() > 0) {
    const double slope = positions.slopes(place.head);
    return VectorD::NullaryExpr(keys,
                                [&](Index j) { return slope * static_cast<double>(j - token); });
  }
  for (const BucketTable& one : positions.buckets) {
    if (one.encoder != place.encoder) continue;
    const TensorView table(one.table);
    const T5Buckets bucket(one.spec);
    return VectorD::NullaryExpr(
        keys, [&](Index j) { return table.value(bucket(j - token), place.head); });
  }
  return {};
}

}  // namespace

Message why_no_parts(const Model& model) {
  if (stream_of(model)->adds_up) return {};
  return Message(N_(
      "This model adds each part to the normed stream, so what was there before is rescaled, and "
      "the parts do not add up to the input of the output layer: no contributions are shown."));
}

template <class S>
model::StreamParts stream_parts(const Model& model, const std::vector<std::int32_t>& tokens,
                                const Trace<S>& trace, Index token,
                                const std::function<bool(const HeadIndex&)>& ablated,
                                const Cancel& cancel) {
  if (const Message why = why_no_parts(model); !why.empty()) throw InputError(why);
  const auto stream = stream_of(model);
  if (token < 0 || token >= static_cast<Index>(tokens.size()) ||
      trace.decoder.embedding.rows() != static_cast<Index>(tokens.size())) {
    refuse("parts", "a token below " + std::to_string(tokens.size()) + " of a pass over them",
           std::to_string(token));
  }
  model::StreamGathering all;
  if (stream->positions) {
    all.add({StreamPart::Kind::token},
            row_of(model, stream->tokens, tokens[static_cast<std::size_t>(token)], cancel));
    all.add({StreamPart::Kind::position},
            row_of(model, stream->positions, static_cast<std::int32_t>(token), cancel));
  } else {
    all.add({StreamPart::Kind::token},
            trace.decoder.embedding.row(token).transpose().template cast<double>());
  }
  for (Index at = 0; at < model.facts().layers; ++at) {
    cancel.poll();
    const StreamForm::Layer& of = layer_of(*stream, at);
    const Layer<S>& layer = kept_layer(trace, at);
    add_heads(model, of, layer, at, token, ablated, cancel, all);
    if (layer.fed.rows() <= token) refuse("parts", "a pass that kept parts", "another");
    add_with_bias(model, {StreamPart::Kind::feed_forward, at}, StreamPart::Kind::feed_forward_bias,
                  layer.fed.row(token).transpose().template cast<double>(), of.narrows, cancel,
                  all);
  }
  return all.finish(
      trace.decoder.layers.back()->hidden.row(token).transpose().template cast<double>());
}
template model::StreamParts stream_parts(const Model&, const std::vector<std::int32_t>&,
                                         const Trace<float>&, Index,
                                         const std::function<bool(const HeadIndex&)>&,
                                         const Cancel&);
template model::StreamParts stream_parts(const Model&, const std::vector<std::int32_t>&,
                                         const Trace<double>&, Index,
                                         const std::function<bool(const HeadIndex&)>&,
                                         const Cancel&);

model::LogitDirection logit_direction(const Model& model, const VectorD& residual, std::int32_t id,
                                      std::int32_t against, const Cancel& cancel) {
  const auto stream = stream_of(model);
  const auto& weights = model.weights();
  VectorD direction = row_of(model, stream->head.weight, id, cancel);
  model::LogitDirection out;
  if (against >= 0) direction -= row_of(model, stream->head.weight, against, cancel);
  if (stream->head.bias) {
    const VectorD bias = weights.vector<double>(stream->head.bias, cancel);
    out.constant = bias(id) - (against >= 0 ? bias(against) : 0);
  }
  const Norm& last = stream->last;
  if (last.shift) out.constant += direction.dot(weights.vector<double>(last.shift, cancel));
  direction.array() *= weights.vector<double>(last.gain, cancel).array();
  const double mean = last.centered ? residual.mean() : 0;
  out.scale = 1 / std::sqrt((residual.array() - mean).square().mean() + last.epsilon);
  // (x - mean) . w is x . (w - the mean of w).
  if (last.centered) direction.array() -= direction.mean();
  out.direction = out.scale * direction;
  return out;
}

template <class S>
model::HeadShares head_shares(const Model& model, const Trace<S>& trace, const HeadIndex& place,
                              Index token, const VectorD& direction, const Cancel& cancel) {
  const auto stream = stream_of(model);
  const auto& self = kept_layer(trace, place.layer).self;
  const Index width = model.facts().head_width;
  const MatrixD out = model.weights().exact(layer_of(*stream, place.layer).joins.weight, cancel);
  return {weights_of(self, place.head, token), values_of(model.facts(), self, place.head),
          out.middleCols(place.head * width, width).transpose() * direction};
}
template model::HeadShares head_shares(const Model&, const Trace<float>&, const HeadIndex&, Index,
                                       const VectorD&, const Cancel&);
template model::HeadShares head_shares(const Model&, const Trace<double>&, const HeadIndex&, Index,
                                       const VectorD&, const Cancel&);

model::HeadAttention head_attention(const Model& model, const Trace<float>& trace,
                                    const HeadIndex& place, Index token) {
  const ModelFacts& facts = model.facts();
  const auto& layers = (place.encoder ? trace.encoder : trace.decoder).layers;
  const auto at = static_cast<std::size_t>(place.layer);
  if (at >= layers.size() || !layers[at]) refuse("head", "a layer that was kept", "another");
  const Attending<float>& looks = place.cross ? layers[at]->cross : layers[at]->self;
  if (token < 0 || token >= looks.queries.rows()) {
    refuse("head", "a token below " + std::to_string(looks.queries.rows()), std::to_string(token));
  }
  model::HeadAttention look = model::head_attention(
      looks.queries, looks.keys, {place.head, facts.heads, facts.key_heads}, token);
  look.scale = looks.scale;
  look.added = added_by_positions(facts.positions, place, token, look.keys.rows());
  const bool causal = !place.encoder && !place.cross;
  for (Index key = 0; key < look.keys.rows(); ++key) {
    look.allowed.push_back(!causal || facts.positions.sees(place.layer, token, key));
  }
  return look;
}

model::LensView lens(const Model& model, const Trace<float>& trace, Index token,
                     std::optional<std::int32_t> wanted, int threads, const Cancel& cancel) {
  constexpr Index kTokens = 8;  // so few rows give the same bits as one
  model::LensView view;
  view.first = std::max<Index>(0, token + 1 - kTokens);
  view.tokens = token + 1 - view.first;
  const auto logits = [&](const Matrix& stream) {
    cancel.poll();
    return model.read_out(Matrix(stream.middleRows(view.first, view.tokens)), threads, cancel);
  };
  const auto& layers = trace.decoder.layers;
  const Matrix end = logits(layers.empty() ? trace.decoder.embedding : layers.back()->hidden);
  std::vector<std::int32_t> asked;
  for (Index t = 0; t < view.tokens; ++t) {
    Index likeliest = 0;
    end.row(t).maxCoeff(&likeliest);
    asked.push_back(wanted.value_or(static_cast<std::int32_t>(likeliest)));
  }
  view.add({}, layers.empty() ? end : logits(trace.decoder.embedding), asked);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    view.add({model::StreamPoint::Kind::layer, static_cast<Index>(l)},
             l + 1 == layers.size() ? end : logits(layers[l]->hidden), asked);
  }
  return view;
}

VectorD output_row(const Model& model, const HeadIndex& place, Index number, const Cancel& cancel) {
  const auto stream = stream_of(model);
  const MatrixD out = model.weights().exact(layer_of(*stream, place.layer).joins.weight, cancel);
  return out.col(place.head * model.facts().head_width + number);
}

}  // namespace core::checkpoint
