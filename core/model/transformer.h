// Encoder and decoder layers of the Transformer (Vaswani et al. 2017, sections 3.1 and 3.2), with
// the norm after each residual as there, or before each part (Xiong et al. 2020, "On layer
// normalization in the Transformer architecture").
#pragma once

#include <string>

#include "core/model/attention.h"
#include "core/model/feed_forward.h"
#include "core/model/norm.h"

namespace core::model {

// Q = x W^Q, K = y W^K, V = y W^V, and the heads' outputs joined by W^O.
struct MultiHead {
  Linear query, key, value, output;
  Index heads = 1, key_heads = 1;

  static MultiHead declare(const Scope& scope, Index d_model, Index heads, Index key_heads,
                           bool bias = true) {
    const Index shared = d_model / heads * key_heads;
    return {Linear::declare(scope.at("query"), d_model, d_model, bias),
            Linear::declare(scope.at("key"), d_model, shared, bias),
            Linear::declare(scope.at("value"), d_model, shared, bias),
            Linear::declare(scope.at("output"), d_model, d_model, bias),
            heads,
            key_heads};
  }

  struct Looks {
    bool causal = false;
    const Mask* mask = nullptr;
  };
  // x (queries' rows, d_model) looks at y (keys' rows, d_model).
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& queries,
                       const Tensor<S>& y, const Sequences& keys, const Looks& looks) const {
    const Tensor<S> q = query(tape, x), k = key(tape, y), v = value(tape, y);
    return output(
        tape,
        attention(
            tape, q, k, v, queries, keys,
            {.heads = heads, .key_heads = key_heads, .causal = looks.causal, .mask = looks.mask}));
  }
};

struct TransformerForm {
  Index d_model = 32, heads = 1, key_heads = 1;
  FeedForward::Form feed_forward = {.width = 64};  // width 0: attention only
  bool norm_first = false, bias = true;
  double dropout = 0;
};

// x + part(norm(x)), or norm(x + part(x)).
struct Residual {
  LayerNorm norm;
  bool first = false;
  double dropout = 0;

  template <class S, class Part>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, Part&& part) const {
    const Tensor<S> made =
        model::dropout(tape, part(first ? norm(tape, x) : x), static_cast<S>(dropout));
    const Tensor<S> sum = add(tape, x, made);
    return first ? sum : norm(tape, sum);
  }
};

// Attention to oneself, in a decoder to the encoder's output as well, and the feed-forward network.
struct TransformerLayer {
  MultiHead self, cross;
  FeedForward feed_forward;
  Residual around_self, around_cross, around_feed_forward;
  bool decodes = false, feeds_forward = true;

  static TransformerLayer declare(const Scope& scope, const TransformerForm& form, bool decodes) {
    const auto residual = [&](const char* name) {
      return Residual{LayerNorm::declare(scope.at(name), form.d_model), form.norm_first,
                      form.dropout};
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

  // What an encoder's layer computes, or a decoder's without an encoder.
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences,
                       const MultiHead::Looks& looks) const {
    return decode(tape, x, sequences, looks, {}, {});
  }
  // `memory` is the encoder's output.
  template <class S>
  Tensor<S> decode(Tape<S>& tape, const Tensor<S>& x, const Sequences& sequences,
                   const MultiHead::Looks& looks, const Tensor<S>& memory,
                   const Sequences& source) const {
    Tensor<S> now = around_self(tape, x, [&](const Tensor<S>& in) {
      const typename Tape<S>::Named name(tape, "self");
      return self(tape, in, sequences, in, sequences, looks);
    });
    if (memory) {
      now = around_cross(tape, now, [&](const Tensor<S>& in) {
        const typename Tape<S>::Named name(tape, "cross");
        return cross(tape, in, sequences, memory, source, {});
      });
    }
    if (!feeds_forward) return now;
    return around_feed_forward(tape, now,
                               [&](const Tensor<S>& in) { return feed_forward(tape, in); });
  }
};

}  // namespace core::model
