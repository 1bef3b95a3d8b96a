#include "core/model/layer/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/model/layer/vectors.h"
#include "core/refuse.h"

namespace core::model {
namespace {

// Rows computed at once: small enough that little is computed beyond a causal mask.
constexpr Index kQueryBlock = 48;

// One head of one sequence.
template <class S>
struct Head {
  const AttentionStep<S>& step;
  Index sequence, head;

  Index n() const { return step.queries.length; }
  Index m() const { return step.keys.length; }
  Index key_head() const { return head / (step.form.heads / step.form.key_heads); }
  Index used_keys() const { return step.keys.used(sequence); }

  View<S> of(S* data, const Tensor<S>& t, Index length, Index which, Index width) const {
    return View<S>(data, t.rows, t.cols)
        .rows_from(sequence * length, length)
        .columns(which * width, width);
  }
  View<S> q(S* data) const { return of(data, step.q, n(), head, step.d_k()); }
  View<S> k(S* data) const { return of(data, step.k, m(), key_head(), step.d_k()); }
  View<S> v(S* data) const { return of(data, step.v, m(), key_head(), step.d_v()); }
  View<S> y(S* data) const { return of(data, step.y, n(), head, step.d_v()); }
  View<S> weights() const { return {step.weights + at(), n(), m()}; }
  View<S> mixed() const { return {step.mixed + at(), n(), m()}; }
  Index at() const { return (sequence * step.form.heads + head) * n() * m(); }
  View<S> factors(S* data) const { return {data + head * n() * m(), n(), m()}; }
  // Null without a bias. `data`: its values or its gradients.
  S* bias(S* data) const {
    if (!step.bias || !data) return nullptr;
    const bool shared = step.bias.rows == step.form.heads * n();
    return data + ((shared ? 0 : sequence * step.form.heads) + head) * n() * m();
  }
  // The end of the keys that rows up to `last` may attend to.
  Index end(Index last) const {
    if (!step.form.causal) return used_keys();
    return std::clamp<Index>(last + 1 + m() - n(), 0, used_keys());
  }
  // That of row i alone. However a mask is told, its rows are summed over as many keys: where there
  // are no kernels of their own, zeros behind the last key would turn a sum's last digit.
  Index end_of_row(Index i) const {
    return step.form.mask ? std::clamp<Index>(step.form.mask->range(i).end, 0, end(i)) : end(i);
  }
};

template <class S>
void mask_scores(const Mask& mask, Index row, Index end, S* s) {
  for (Index j = 0; j < end; ++j) {
    if (!mask.allowed(row, j)) s[j] = -std::numeric_limits<S>::infinity();
  }
}

template <class S>
bool any_seen(const S* s, Index end) {
  return std::any_of(s, s + end, [](S x) { return x != -std::numeric_limits<S>::infinity(); });
}

template <class S>
void weigh(const Head<S>& h, Index first, Index rows) {
  const AttentionStep<S>& step = h.step;
  const S* bias = h.bias(step.bias.value);
  for (Index i = first; i < first + rows; ++i) {
    S* s = h.weights().row(i);
    Index end = h.end_of_row(i);
    for (Index j = 0; j < end; ++j) s[j] *= step.scale;
    if (bias) add(bias + i * h.m(), end, s);
    if (step.form.mask) {
      mask_scores(*step.form.mask, i, end, s);
      if (!any_seen(s, end)) end = 0;
    }
    softmax_row(s, end, h.m());
  }
}

// The weights, times factors where there are any, with which rows average the values.
template <class S>
void scale_weights(const Head<S>& h, Index first, Index rows) {
  const View<S> factors = h.factors(h.step.factors.value);
  for (Index i = first; i < first + rows; ++i) {
    const S *p = h.weights().row(i), *f = factors.row(i);
    S* mixed = h.mixed().row(i);
    for (Index j = 0; j < h.m(); ++j) mixed[j] = p[j] * f[j];
  }
}

// Turns `row`, the gradient with respect to the averaging of row i, into that with respect to its
// weights, and adds the gradient of the factors.
template <class S>
void unscale_weights(const Head<S>& h, Index i, Index end, S* row) {
  const Tensor<S>& factors = h.step.factors;
  if (factors.gradient) {
    add_product(h.weights().row(i), row, end, h.factors(factors.gradient).row(i));
  }
  const S* f = h.factors(factors.value).row(i);
  for (Index j = 0; j < end; ++j) row[j] *= f[j];
}

}  // namespace

template <class S>
void AttentionStep<S>::forward(Tape<S>& tape) const {
  for (Index b = 0; b < queries.batch; ++b) {
    for (Index head = 0; head < form.heads; ++head) {
      const Head<S> h{*this, b, head};
      for (Index first = 0; first < h.n(); first += kQueryBlock) {
        const Index rows = std::min(kQueryBlock, h.n() - first);
        const Index end = h.end(first + rows - 1);
        const View<S> s = h.weights().rows_from(first, rows).columns(0, end);
        if (end > 0) {
          tape.multiply()(Form::right, h.q(q.value).rows_from(first, rows),
                          h.k(k.value).rows_from(0, end), s, false);
        }
        weigh(h, first, rows);
        if (factors) scale_weights(h, first, rows);
        const View<S> mixes = h.mixed().rows_from(first, rows).columns(0, end);
        tape.multiply()(Form::plain, mixes, h.v(v.value).rows_from(0, end),
                        h.y(y.value).rows_from(first, rows), false);
      }
    }
  }
}

template <class S>
void AttentionStep<S>::backward(Tape<S>& tape) const {
  S* room = tape.template room<S>(std::min(kQueryBlock, queries.length) * keys.length);
  for (Index b = 0; b < queries.batch; ++b) {
    for (Index head = 0; head < form.heads; ++head) {
      const Head<S> h{*this, b, head};
      S* dbias = h.bias(bias.gradient);
      for (Index first = 0; first < h.n(); first += kQueryBlock) {
        const Index rows = std::min(kQueryBlock, h.n() - first);
        const Index end = h.end(first + rows - 1);
        if (end == 0) continue;
        const View<S> p = h.weights().rows_from(first, rows).columns(0, end);
        const View<S> dy = h.y(y.gradient).rows_from(first, rows);
        const View<S> ds(room, rows, end);
        if (v.gradient) {
          const View<S> mixes = h.mixed().rows_from(first, rows).columns(0, end);
          tape.multiply()(Form::left, mixes, dy, h.v(v.gradient).rows_from(0, end), true);
        }
        tape.multiply()(Form::right, dy, h.v(v.value).rows_from(0, end), ds, false);
        for (Index i = 0; i < rows; ++i) {
          S* row = ds.row(i);
          if (factors) unscale_weights(h, first + i, end, row);
          softmax_row_backward(p.row(i), h.end_of_row(first + i), end, row);
          if (dbias) add(row, end, dbias + (first + i) * h.m());
          for (Index j = 0; j < end; ++j) row[j] *= scale;
        }
        if (q.gradient) {
          tape.multiply()(Form::plain, ds, h.k(k.value).rows_from(0, end),
                          h.q(q.gradient).rows_from(first, rows), true);
        }
        if (k.gradient) {
          tape.multiply()(Form::left, ds, h.q(q.value).rows_from(first, rows),
                          h.k(k.gradient).rows_from(0, end), true);
        }
      }
    }
  }
}

template <class S>
Tensor<S> attention(Tape<S>& tape, const Tensor<S>& q, const Tensor<S>& k, const Tensor<S>& v,
                    const Sequences& queries, const Sequences& keys, const AttentionForm& form,
                    const Tensor<S>& bias, const Tensor<S>& factors) {
  const char* where = "attention";
  const Index n = queries.length, m = keys.length, batch = queries.batch;
  if (form.heads < 1 || form.key_heads < 1 || form.heads % form.key_heads != 0 ||
      q.cols % form.heads != 0 || v.cols % form.key_heads != 0) {
    refuse(where, "heads that share out their widths",
           std::to_string(form.heads) + " of " + std::to_string(q.cols) + " and " +
               std::to_string(form.key_heads) + " of " + std::to_string(v.cols));
  }
  if (k.cols / form.key_heads * form.heads != q.cols || k.cols % form.key_heads != 0) {
    refuse(where, "queries and keys of one width a head", shape_text(q.cols, k.cols));
  }
  if (q.rows != queries.rows() || k.rows != keys.rows() || v.rows != keys.rows() ||
      keys.batch != batch) {
    refuse(where, "as many rows as the sequences have", shape_text(q.rows, k.rows));
  }
  if (form.mask && (form.mask->rows() != n || form.mask->cols() != m)) {
    refuse(where, "a mask of " + shape_text(n, m),
           shape_text(form.mask->rows(), form.mask->cols()));
  }
  if (bias &&
      (bias.cols != m || (bias.rows != form.heads * n && bias.rows != batch * form.heads * n))) {
    refuse(where, "a bias of " + shape_text(form.heads * n, m), shape_text(bias.rows, bias.cols));
  }
  if (factors && (factors.cols != m || factors.rows != form.heads * n)) {
    refuse(where, "factors of " + shape_text(form.heads * n, m),
           shape_text(factors.rows, factors.cols));
  }
  const Index d_k = q.cols / form.heads;
  const auto scale = static_cast<S>(form.scale.value_or(1 / std::sqrt(static_cast<double>(d_k))));
  const Tensor<S> y = tape.tensor(q.rows, v.cols / form.key_heads * form.heads);
  const Index count = batch * form.heads * n * m;
  S* weights = tape.template room<S>(count);
  S* mixed = factors ? tape.template room<S>(count) : weights;
  tape.record("attention", AttentionStep<S>{q, k, v, y, bias, factors, weights, mixed, queries,
                                            keys, form, scale});
  const auto name = [&](const char* what, const S* values) {
    tape.name(what, values, {batch, form.heads, n, m}, {"batch", "head", "query", "key"});
  };
  name("weights", weights);
  if (factors) name("mixed", mixed);
  return y;
}

template struct AttentionStep<float>;
template struct AttentionStep<double>;
template Tensor<float> attention(Tape<float>&, const Tensor<float>&, const Tensor<float>&,
                                 const Tensor<float>&, const Sequences&, const Sequences&,
                                 const AttentionForm&, const Tensor<float>&, const Tensor<float>&);
template Tensor<double> attention(Tape<double>&, const Tensor<double>&, const Tensor<double>&,
                                  const Tensor<double>&, const Sequences&, const Sequences&,
                                  const AttentionForm&, const Tensor<double>&,
                                  const Tensor<double>&);

}  // namespace core::model
