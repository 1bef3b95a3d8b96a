// The parts of a layer of the Transformer: multi-head attention with its projections, and the
// residual connection with its norm (Vaswani et al. 2017, sections 3.1 and 3.2; Xiong et al. 2020).
#pragma once

#include <string>
#include <string_view>

#include "core/model/layer/attention.h"
#include "core/model/layer/feed_forward.h"
#include "core/model/layer/norm.h"
#include "core/model/positions/positions.h"

namespace core::model {

// Q = x W^Q, K = y W^K, V = y W^V; W^O joins the outputs of the heads.
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
    const HeadPositions* positions = nullptr;
    Index layer = 0;  // of the stack to which these positions belong
  };
  // x (rows of queries, d_model) attends to y (rows of keys, d_model). Names "queries", "keys",
  // "values" by head, "bias" and "factors" where there are any, "weights", "mixed" with factors,
  // "heads" (outputs side by side) and "output".
  template <class S>
  Tensor<S> operator()(Tape<S>& tape, const Tensor<S>& x, const Sequences& queries,
                       const Tensor<S>& y, const Sequences& keys, const Looks& looks) const {
    Placed<S> placed{query(tape, x), key(tape, y)};
    const Tensor<S> v = value(tape, y);
    if (looks.positions) {
      placed = (*looks.positions)(tape, placed.q, placed.k, queries, keys, looks.layer);
    }
    const auto& [q, k, bias, factors] = placed;
    tape.name("queries", q, queries);
    tape.name("keys", k, keys);
    tape.name("values", v, keys);
    const auto name_pairs = [&](const char* name, const Tensor<S>& t) {
      if (!t) return;
      tape.name(name, t.value, {t.rows / queries.length, queries.length, t.cols},
                {"head", "query", "key"}, t.gradient);
    };
    name_pairs("bias", bias);
    name_pairs("factors", factors);
    const AttentionForm form{.heads = heads,
                             .key_heads = key_heads,
                             .causal = looks.causal,
                             .mask = looks.mask,
                             .scale = looks.positions ? looks.positions->scale() : std::nullopt};
    const Tensor<S> joined = attention(tape, q, k, v, queries, keys, form, bias, factors);
    tape.name("heads", joined, queries);
    const Tensor<S> out = output(tape, joined);
    tape.name("output", out, queries);
    return out;
  }
};

struct TransformerForm {
  Index d_model = 32, heads = 1, key_heads = 1;
  FeedForward::Form feed_forward = {.width = 64};  // width 0: attention alone
  bool norm_first = false, bias = true;
  double dropout = 0;
  bool normed = true, residual = true;  // false: to show what they are for

  bool operator==(const TransformerForm&) const = default;
};

// x + part(norm(x)), or norm(x + part(x)). Names "normed", the part's input where the norm comes
// first, "sum" and "after".
struct Residual {
  LayerNorm norm;
  bool first = false;
  double dropout = 0;
  bool normed = true, adds = true;  // false: no norm; part(...) alone

  template <class S, class Part>
  Tensor<S> operator()(Tape<S>& tape, std::string_view name, const Tensor<S>& x,
                       const Sequences& sequences, Part&& part) const {
    const typename Tape<S>::Named scope(tape, name);
    const bool before = first && normed, behind = normed && !first;
    const Tensor<S> given = before ? norm(tape, x) : x;
    if (before) tape.name("normed", given, sequences);
    const Tensor<S> made = model::dropout(tape, part(given), static_cast<S>(dropout));
    const Tensor<S> sum = adds ? add_over(tape, x, made) : made;
    tape.name("sum", sum, sequences);
    if (!behind) return sum;
    const Tensor<S> after = norm(tape, sum);
    tape.name("after", after, sequences);
    return after;
  }
};

}  // namespace core::model
