// Encoder and decoder layers of the Transformer, and stacks of them (Vaswani et al. 2017, sections
// 3.1 and 3.2). Norms come after each residual sum, as there, or before each part (Xiong et al.
// 2020, "On layer normalization in the Transformer architecture").
#pragma once

#include <string>
#include <vector>

#include "core/model/transformer_parts.h"

namespace core::model {

// Self-attention, in a decoder also attention to the encoder's output, and the feed-forward
// network.
struct TransformerLayer {
  MultiHead self, cross;
  FeedForward feed_forward;
  Residual around_self, around_cross, around_feed_forward;
  bool decodes = false, feeds_forward = true;

  static TransformerLayer declare(const Scope& scope, const TransformerForm& form, bool decodes) {
    const auto residual = [&](const char* name) {
      return Residual{form.normed ? LayerNorm::declare(scope.at(name), form.d_model) : LayerNorm{},
                      form.norm_first, form.dropout, form.normed, form.residual};
    };
    TransformerLayer layer;
    layer.decodes = decodes;
    layer.feeds_forward = form.feed_forward.width > 0;
    layer.self =
        MultiHead::declare(scope.at("self"), form.d_model, form.heads, form.key_heads, form.bias);
    layer.around_self = residual("norm_self");
    if (decodes) {
      layer.cross = MultiHead::declare(scope.at("cross"), form.d_model, form.heads, form.key_heads,
                                       form.bias);
      layer.around_cross = residual("norm_cross");
    }
    if (layer.feeds_forward) {
      layer.feed_forward =
          FeedForward::declare(scope.at("feed_forward"), form.d_model, form.feed_forward);
      layer.around_feed_forward = residual("norm_feed_forward");
    }
    return layer;
  }

  // A layer of an encoder, or of a decoder without an encoder.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences,
                       const MultiHead::Looks& looks) const {
    return decode(tape, x, sequences, looks, {}, {});
  }
  // `memory` is the encoder's output. `course`, one row for each position, or none, is added to
  // what this layer projects to queries, keys and values, not to the residual connection; names
  // "given".
  template <class S>
  Tensor<S> decode(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences,
                   const MultiHead::Looks& looks, const Tensor<S>& memory, const Sequences& source,
                   const Tensor<S>& course = {}) const {
    Tensor<S> now = around_self(tape, "self", x, sequences, [&](const Tensor<S>& in) {
      if (!course) return self(tape, in, sequences, in, sequences, looks);
      const Tensor<S> given = add_positions(tape, in, course, sequences);
      tape.name("given", given, sequences);
      return self(tape, given, sequences, given, sequences, looks);
    });
    if (memory) {
      now = around_cross(tape, "cross", now, sequences, [&](const Tensor<S>& in) {
        return cross(tape, in, sequences, memory, source, {});
      });
    }
    if (!feeds_forward) return now;
    return around_feed_forward(tape, "feed_forward", now, sequences, [&](const Tensor<S>& in) {
      return feed_forward(tape, in, sequences);
    });
  }
};

// Layers over one sequence.
struct TransformerStack {
  AddedPositions added;
  HeadPositions positions;
  Flow flow;  // floater: positions of all layers
  std::vector<TransformerLayer> layers;
  LayerNorm last;  // with norms before the parts: the residual sums are not normalized otherwise
  bool norms_last = false;

  static TransformerStack declare(const Scope& scope, const TransformerForm& form, Index layers,
                                  bool decodes, bool causal, const PositionForm& positions) {
    TransformerStack stack;
    stack.added = AddedPositions::declare(scope, form.d_model, positions);
    stack.positions = HeadPositions::declare(scope, form.heads, form.d_model / form.heads, causal,
                                             positions, layers);
    if (const auto declare_flow = entry(positions.scheme).declare_flow;
        declare_flow && layers > 0) {
      stack.flow = declare_flow(scope, layers, form.d_model, positions);
    }
    for (Index k = 0; k < layers; ++k) {
      stack.layers.push_back(TransformerLayer::declare(scope.at(std::to_string(k)), form, decodes));
    }
    stack.norms_last = form.norm_first && form.normed;
    if (stack.norms_last) stack.last = LayerNorm::declare(scope.at("norm"), form.d_model);
    return stack;
  }

  // x: embeddings of the words `ids`, which live as long as the pass. The stack has positions of
  // its own; those in `looks` are not used. Names "embedded", "placed" (with positions), "flow"
  // where there is one, the layers as "0." and so on with "out", and "out".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const std::int32_t* ids,
                       const Sequences& sequences, MultiHead::Looks looks,
                       const Tensor<S>& memory = {}, const Sequences& source = {}) const {
    looks.positions = &positions;
    tape.name("embedded", x, sequences);
    Tensor<S> now = added(tape, x, ids, sequences);
    tape.name("placed", now, sequences);
    const Tensor<S> courses = flow ? flow(tape, sequences.length) : Tensor<S>{};
    for (std::size_t k = 0; k < layers.size(); ++k) {
      looks.layer = static_cast<Index>(k);
      const typename Tape<S>::Named name(tape, looks.layer);
      const Tensor<S> course =
          courses ? courses.rows_from(looks.layer * sequences.length, sequences.length)
                  : Tensor<S>{};
      now = layers[k].decode(tape, now, sequences, looks, memory, source, course);
      tape.name("out", now, sequences);
    }
    if (norms_last) now = last(tape, now);
    tape.name("out", now, sequences);
    return now;
  }
};

}  // namespace core::model
