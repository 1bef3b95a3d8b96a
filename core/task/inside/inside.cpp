#include "core/task/inside/inside.h"

#include <cmath>
#include <string>

#include "core/refuse.h"

namespace core::task {
namespace {

Eigen::Map<const Matrix> parameter(const float* values, const model::Slot& slot) {
  return {values + slot.offset, slot.rows, slot.cols};
}

// A traced (1, tokens, features) as rows.
Eigen::Map<const Matrix> rows(const LookedSequence& looked, const std::string& name) {
  const auto& one = looked.trace.at(name);
  const Index cols = one.shape.back();
  return {one.values.data(), one.size() / cols, cols};
}

std::string layer_name(Index layer) { return "decoder." + std::to_string(layer) + "."; }

// What a trace calls the stream there.
std::string stream_name(const model::DecoderForm& form, const StreamPoint& point) {
  if (point.kind == StreamPoint::Kind::placed) return "decoder.placed";
  const bool behind = form.layer.normed && !form.layer.norm_first;
  const char* part = point.kind == StreamPoint::Kind::attention ? "self." : "feed_forward.";
  return layer_name(point.layer) + part + (behind ? "after" : "sum");
}

std::vector<StreamPoint> stream_points(const model::DecoderForm& form) {
  std::vector<StreamPoint> points{{}};
  for (Index layer = 0; layer < form.layers; ++layer) {
    points.push_back({StreamPoint::Kind::attention, layer});
    if (form.layer.feed_forward.width > 0) {
      points.push_back({StreamPoint::Kind::feed_forward, layer});
    }
  }
  return points;
}

// The column of the output layer that makes a logit, and its bias.
VectorD output_column(const SequenceModel& model, const float* values, std::int32_t id) {
  const auto& decoder = model.decoder;
  if (model.form.tied) return parameter(values, decoder.embedding).row(id).cast<double>();
  return parameter(values, decoder.output.weight).col(id).cast<double>();
}
double output_bias(const SequenceModel& model, const float* values, std::int32_t id) {
  if (!model.form.output_bias) return 0;
  return static_cast<double>(parameter(values, model.decoder.output.bias)(0, id));
}

using Gathering = model::StreamGathering;

void add_bias(const StreamPart& part, const float* values, const model::Slot& bias, Gathering& to) {
  if (bias.declared()) to.add(part, parameter(values, bias).row(0).cast<double>());
}

void add_attention(const SequenceModel& model, const float* values, const LookedSequence& looked,
                   Index layer, Index token, Gathering& to) {
  const auto& self = model.decoder.stack.layers[static_cast<std::size_t>(layer)].self;
  const VectorD joined = rows(looked, layer_name(layer) + "self.heads").row(token).cast<double>();
  const MatrixD out = parameter(values, self.output.weight).cast<double>();
  const Index width = joined.size() / self.heads;
  for (Index head = 0; head < self.heads; ++head) {
    to.add({StreamPart::Kind::head, layer, head},
           out.middleRows(head * width, width).transpose() * joined.segment(head * width, width));
  }
  add_bias({StreamPart::Kind::attention_bias, layer}, values, self.output.bias, to);
}

void add_feed_forward(const SequenceModel& model, const float* values, const LookedSequence& looked,
                      Index layer, Index token, Gathering& to) {
  const auto& one = model.decoder.stack.layers[static_cast<std::size_t>(layer)];
  if (!one.feeds_forward) return;
  const VectorD active =
      rows(looked, layer_name(layer) + "feed_forward.active").row(token).cast<double>();
  to.add({StreamPart::Kind::feed_forward, layer},
         parameter(values, one.feed_forward.down.weight).cast<double>().transpose() * active);
  add_bias({StreamPart::Kind::feed_forward_bias, layer}, values, one.feed_forward.down.bias, to);
}

}  // namespace

Lens logit_lens(const SequenceModel& model, const float* values, const LookedSequence& looked) {
  Lens lens{stream_points(model.form), {}};
  const model::ObjectPool<model::Tape<float>>::Use tape(model.tapes);
  for (const StreamPoint& point : lens.points) {
    const Matrix stream = rows(looked, stream_name(model.form, point));
    if (stream.cols() != model.form.layer.d_model) {
      refuse("lens", "a pass of the same model", shape_text(stream));
    }
    tape->begin(values, nullptr, {.differentiates = false});
    lens.logits.emplace_back(model.decoder.lens(*tape, tape->input(stream)).matrix());
  }
  return lens;
}

Message why_no_parts(const model::DecoderForm& form) {
  if (!form.layer.residual) {
    return Message(N_(
        "Without residual connections nothing is added up: only the output of each part goes on."));
  }
  if (form.layer.normed && !form.layer.norm_first) {
    return Message(
        N_("The norm after each sum rescales everything added before it, so the parts do not add "
           "up to the input of the output layer: contributions are shown only for models with "
           "norms before each part."));
  }
  return {};
}

StreamParts stream_parts(const SequenceModel& model, const float* values,
                         const LookedSequence& looked, Index token) {
  if (const Message why = why_no_parts(model.form); !why.empty()) throw InputError(why);
  const auto embedded = rows(looked, "decoder.embedded"), placed = rows(looked, "decoder.placed");
  if (token < 0 || token >= embedded.rows()) {
    refuse("contributions", "a token below " + std::to_string(embedded.rows()),
           std::to_string(token));
  }
  Gathering all;
  const VectorD entered = embedded.row(token).cast<double>();
  all.add({StreamPart::Kind::token}, entered);
  if (model.decoder.stack.added) {
    all.add({StreamPart::Kind::position}, placed.row(token).transpose().cast<double>() - entered);
  }
  for (Index layer = 0; layer < model.form.layers; ++layer) {
    add_attention(model, values, looked, layer, token, all);
    add_feed_forward(model, values, looked, layer, token, all);
  }
  const StreamPoint last = stream_points(model.form).back();
  return all.finish(rows(looked, stream_name(model.form, last)).row(token).cast<double>());
}

LogitDirection logit_direction(const SequenceModel& model, const float* values,
                               const VectorD& residual, std::int32_t id, std::int32_t against) {
  VectorD weights = output_column(model, values, id);
  LogitDirection out{.direction = {}, .constant = output_bias(model, values, id)};
  if (against >= 0) {
    weights -= output_column(model, values, against);
    out.constant -= output_bias(model, values, against);
  }
  const auto& stack = model.decoder.stack;
  if (stack.norms_last) {
    out.constant += weights.dot(parameter(values, stack.last.shift).row(0).cast<double>());
    weights.array() *= parameter(values, stack.last.gain).row(0).transpose().cast<double>().array();
    const double mean = residual.mean();
    out.scale = 1 / std::sqrt((residual.array() - mean).square().mean() + stack.last.epsilon);
    // (x - mean) . w is x . (w - the mean of w).
    weights.array() -= weights.mean();
    weights *= out.scale;
  }
  out.direction = std::move(weights);
  return out;
}

HeadShares head_shares(const SequenceModel& model, const float* values,
                       const LookedSequence& looked, const HeadIndex& point, Index token,
                       const VectorD& direction) {
  const auto& self = model.decoder.stack.layers[static_cast<std::size_t>(point.layer)].self;
  const std::string prefix = layer_name(point.layer) + "self.";
  const auto* mixed = looked.trace.find(prefix + "mixed");
  const auto& weights = mixed ? *mixed : looked.trace.at(prefix + "weights");
  const Index n = weights.shape[3];
  const Eigen::Map<const Matrix> of_head(weights.values.data() + point.head * n * n, n, n);
  const auto all = rows(looked, prefix + "values");
  const Index width = all.cols() / self.key_heads;
  const Index key_head = point.head / (self.heads / self.key_heads);
  HeadShares out;
  out.weights = of_head.row(token).transpose().cast<double>();
  out.values = all.middleCols(key_head * width, width).cast<double>();
  out.read =
      parameter(values, self.output.weight).middleRows(point.head * width, width).cast<double>() *
      direction;
  return out;
}

}  // namespace core::task
