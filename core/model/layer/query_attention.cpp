#include "core/model/layer/query_attention.h"

#include <cmath>
#include <string>
#include <type_traits>

#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {

template <class S>
void AdditiveScoresStep<S>::forward(Tape<S>&) const {
  const Index width = k.cols;
  for (Index b = 0; b < keys.batch; ++b) {
    const S *query = q.values().row(b), *first = k.values().row(b * keys.length);
    S *tanhs = kept + b * keys.length * width, *to = scores.values().row(b);
    if constexpr (std::is_same_v<S, float>) {
      kernels::table().additive({keys.length, width, query, first, w.value, tanhs, to});
    } else {
      for (Index j = 0; j < keys.length; ++j, first += width, tanhs += width) {
        for (Index i = 0; i < width; ++i) tanhs[i] = std::tanh(query[i] + first[i]);
        to[j] = dot(tanhs, w.value, width);
      }
    }
  }
}

// With t the tanh and ds the gradient of its score: dt = ds w, and the input of tanh gets dt (1 -
// t^2).
template <class S>
void AdditiveScoresStep<S>::backward(Tape<S>& tape) const {
  const Index width = k.cols;
  S* unwanted = w.gradient ? nullptr : tape.template room<S>(width);
  S* dw = w.gradient ? w.gradient : unwanted;
  for (Index b = 0; b < keys.batch; ++b) {
    const S *ds = scores.gradients().row(b), *tanhs = kept + b * keys.length * width;
    S *dq = q.gradients().row(b), *dk = k.gradients().row(b * keys.length);
    if constexpr (std::is_same_v<S, float>) {
      kernels::table().additive_backward({keys.used(b), width, tanhs, w.value, ds, dq, dk, dw});
    } else {
      for (Index j = 0; j < keys.used(b); ++j, tanhs += width, dk += width) {
        for (Index i = 0; i < width; ++i) {
          const S inner = ds[j] * w.value[i] * (1 - tanhs[i] * tanhs[i]);
          dq[i] += inner;
          dk[i] += inner;
          dw[i] += ds[j] * tanhs[i];
        }
      }
    }
  }
}

template <class S>
void DotScoresStep<S>::forward(Tape<S>&) const {
  for (Index b = 0; b < keys.batch; ++b) {
    for (Index j = 0; j < keys.length; ++j) {
      scores.values().row(b)[j] =
          factor * dot(q.values().row(b), k.values().row(b * keys.length + j), q.cols);
    }
  }
}

template <class S>
void DotScoresStep<S>::backward(Tape<S>&) const {
  for (Index b = 0; b < keys.batch; ++b) {
    for (Index j = 0; j < keys.used(b); ++j) {
      const S ds = factor * scores.gradients().row(b)[j];
      const Index at = b * keys.length + j;
      if (q.gradient) add_scaled(k.values().row(at), q.cols, ds, q.gradients().row(b));
      if (k.gradient) add_scaled(q.values().row(b), q.cols, ds, k.gradients().row(at));
    }
  }
}

template <class S>
void AttendStep<S>::forward(Tape<S>&) const {
  for (Index b = 0; b < keys.batch; ++b) {
    const Index used = keys.used(b);
    S* p = weights.values().row(b);
    std::copy_n(scores.values().row(b), keys.length, p);
    softmax_row(p, used, keys.length);
    const S* first = values.values().row(b * keys.length);
    S* to = context.values().row(b);
    if constexpr (std::is_same_v<S, float>) {
      kernels::table().mix({used, values.cols, p, first, to});
    } else {
      std::fill_n(to, values.cols, S{0});
      for (Index j = 0; j < used; ++j) add_scaled(first + j * values.cols, values.cols, p[j], to);
    }
  }
}

template <class S>
void AttendStep<S>::backward(Tape<S>& tape) const {
  S* dp = tape.template room<S>(keys.length);
  for (Index b = 0; b < keys.batch; ++b) {
    const Index used = keys.used(b);
    const S *p = weights.values().row(b), *dy = context.gradients().row(b);
    const S* first = values.values().row(b * keys.length);
    S* dv = values.gradient ? values.gradients().row(b * keys.length) : nullptr;
    if constexpr (std::is_same_v<S, float>) {
      kernels::table().mix_backward({used, values.cols, p, first, dy, dp, dv});
    } else {
      for (Index j = 0; j < used; ++j) {
        dp[j] = dot(first + j * values.cols, dy, values.cols);
        if (dv) add_scaled(dy, values.cols, p[j], dv + j * values.cols);
      }
    }
    if (!scores.gradient) continue;
    softmax_row_backward(p, used, used, dp);
    add(dp, used, scores.gradients().row(b));
  }
}

QueryAttention QueryAttention::declare(const Scope& scope, Index query_width, Index key_width,
                                       const Form& form) {
  const auto matrix = [&](const char* name, Index in, Index out) {
    return scope.declare(name, in, out, Start::uniform(1 / std::sqrt(static_cast<double>(in))));
  };
  QueryAttention layer;
  layer.form = form;
  switch (form.score) {
    case Score::additive:
      layer.query = matrix("query.weight", query_width, form.width);
      layer.key = matrix("key.weight", key_width, form.width);
      if (form.bias) layer.bias = scope.declare("bias", 1, form.width, Start::zeros(), false);
      layer.score = matrix("score.weight", form.width, 1);
      break;
    case Score::bilinear: layer.query = matrix("weight", query_width, key_width); break;
    case Score::dot:
    case Score::scaled_dot:
      if (query_width != key_width) {
        refuse("dot scores", "queries and keys of one width", shape_text(query_width, key_width));
      }
  }
  return layer;
}

template <class S>
Memory<S> QueryAttention::remember(Tape<S>& tape, const Tensor<S>& keys, const Tensor<S>& values,
                                   const Sequences& sequences) const {
  if (values.rows != sequences.rows() || keys.rows != sequences.rows()) {
    refuse("attention", "as many rows as the sequences have", shape_text(keys.rows, values.rows));
  }
  check_lengths("attention", sequences);
  if (form.score != Score::additive) return {values, keys, sequences};
  return {
      values,
      linear(tape, keys, tape.parameter(key), bias.declared() ? tape.parameter(bias) : Tensor<S>{}),
      sequences};
}

template <class S>
void QueryAttention::operator()(Tape<S>& tape, const Memory<S>& memory, const Tensor<S>& q,
                                const Tensor<S>& more, const Attended<S>& found) const {
  Tensor<S> asked = q;
  if (query.declared()) {
    const Tensor<S> weight = tape.parameter(query);
    const Index before = more ? more.cols : 0;
    Tensor<S> part;
    if (more) part = linear(tape, more, weight.rows_from(0, before));
    asked = linear(tape, q, weight.rows_from(before, q.cols), part);
  } else if (more) {
    refuse("dot scores", "a query alone", "one with more");
  }
  if (form.score == Score::additive) {
    S* kept = tape.template room<S>(memory.keys.size());
    tape.record("scores", AdditiveScoresStep<S>{asked, memory.keys, tape.parameter(score),
                                                found.scores, kept, memory.sequences});
  } else {
    const double d = static_cast<double>(asked.cols);
    const auto factor = static_cast<S>(form.score == Score::scaled_dot ? 1 / std::sqrt(d) : 1);
    tape.record("scores",
                DotScoresStep<S>{asked, memory.keys, found.scores, memory.sequences, factor});
  }
  attend(tape, memory, found);
}

#define ATTNSCOPE_INSTANTIATE(S)                                                            \
  template struct AdditiveScoresStep<S>;                                                    \
  template struct DotScoresStep<S>;                                                         \
  template struct AttendStep<S>;                                                            \
  template Memory<S> QueryAttention::remember(Tape<S>&, const Tensor<S>&, const Tensor<S>&, \
                                              const Sequences&) const;                      \
  template void QueryAttention::operator()(Tape<S>&, const Memory<S>&, const Tensor<S>&,    \
                                           const Tensor<S>&, const Attended<S>&) const;
ATTNSCOPE_INSTANTIATE(float)
ATTNSCOPE_INSTANTIATE(double)
#undef ATTNSCOPE_INSTANTIATE

}  // namespace core::model
