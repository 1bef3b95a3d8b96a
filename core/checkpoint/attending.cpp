// How heads look: the attention of a pass.
#include <algorithm>

#include "core/attention/attention.h"
#include "core/checkpoint/pass.h"
#include "core/model/kernels/kernels.h"
#include "core/parallel.h"

namespace core::checkpoint {
namespace {

// So few new tokens look at what is kept row by row, in place.
constexpr Index kFewQueries = 8;

// The key head that each query head reads, where heads are grouped.
template <class S>
MatrixOf<S> for_each_head(const MatrixOf<S>& x, const HeadForm& form) {
  const Index group = form.heads / form.key_heads;
  MatrixOf<S> out(x.rows(), form.heads * form.width);
  for (Index h = 0; h < form.heads; ++h) {
    out.middleCols(h * form.width, form.width) = x.middleCols(h / group * form.width, form.width);
  }
  return out;
}

// Query i of n stands at key i + m - n.
Mask windowed(Index n, Index m, Index window) {
  if (n == m) return Mask::causal(n, m) & Mask::local(n, m, window - 1);
  BoolMatrix allowed = BoolMatrix::Constant(n, m, false);
  for (Index i = 0; i < n; ++i) {
    const Index end = i + m - n + 1, begin = std::max<Index>(0, end - window);
    allowed.row(i).segment(begin, end - begin).setConstant(true);
  }
  return Mask::dense(std::move(allowed));
}

Mask without_padding(Index n, const std::vector<bool>& counts) {
  const auto m = static_cast<Index>(counts.size());
  const auto valid = static_cast<Index>(std::count(counts.begin(), counts.end(), true));
  if (std::find(counts.begin(), counts.end(), false) - counts.begin() == valid) {
    return Mask::key_padding(n, m, valid);
  }
  BoolMatrix allowed(n, m);
  for (Index j = 0; j < m; ++j) {
    allowed.col(j).setConstant(counts[static_cast<std::size_t>(j)]);
  }
  return Mask::dense(std::move(allowed));
}

// A mask for as many keys as queries.
Mask mask_without(Index n, Index window, const std::vector<Index>& masked,
                  const std::function<bool(Index, Index)>& sees) {
  BoolMatrix allowed(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      allowed(i, j) = j <= i && (window == 0 || i - j < window) && (!sees || sees(i, j));
    }
  }
  for (const Index j : masked) allowed.col(j).setConstant(false);
  return Mask::dense(std::move(allowed));
}

// What is added to scores, (n, m), by key minus query alone.
template <class S, class Fn>
SharedMatrixOf<S> by_distance(Index n, Index m, Fn value) {
  auto bias = std::make_shared<MatrixOf<S>>(n, m);
  VectorOf<S> of(n + m - 1);  // of key minus query from 1 - m to n - 1
  for (Index d = 0; d < of.size(); ++d) of[d] = static_cast<S>(value(d - (m - 1)));
  for (Index i = 0; i < n; ++i) {
    // The query stands at i + m - n: key 0 is that far behind.
    bias->row(i) = of.segment(n - 1 - i, m).transpose();
  }
  return bias;
}

}  // namespace

template <class S>
std::vector<SharedMatrixOf<S>> Pass<S>::biases(const HeadForm& form, Index n, Index m) {
  if (!form.slopes && !form.buckets) return {};
  const auto [at, fresh] = biases_.try_emplace({form.buckets.at, n, m});
  if (!fresh) return at->second;
  std::vector<SharedMatrixOf<S>>& made = at->second;
  if (form.slopes) {
    for (Index h = 0; h < form.heads; ++h) {
      const double slope = (*form.slopes)(h);
      made.push_back(by_distance<S>(
          n, m, [&](Index relative) { return slope * static_cast<double>(relative); }));
    }
    return made;
  }
  const MatrixD table = weights_.exact(form.buckets, cancel_);
  const T5Buckets bucket(form.bucket_spec);
  std::vector<Index> buckets;  // of key minus query from 1 - m to n - 1
  for (Index relative = 1 - m; relative < n; ++relative) buckets.push_back(bucket(relative));
  for (Index h = 0; h < form.heads; ++h) {
    made.push_back(by_distance<S>(n, m, [&](Index relative) {
      return table(buckets[static_cast<std::size_t>(relative + m - 1)], h);
    }));
  }
  return made;
}

template <class S>
std::optional<Mask> Pass<S>::mask(const HeadForm& form, Index n, Index m) const {
  if (!options_.masked.empty() || options_.sees) {
    return mask_without(n, form.window, options_.masked, options_.sees);
  }
  if (form.causal) return form.window > 0 ? windowed(n, m, form.window) : Mask::causal(n, m);
  if (form.masks_padding && !input_.attention_mask.empty()) {
    return without_padding(n, input_.attention_mask);
  }
  return std::nullopt;
}

template <class S>
const RotaryTableOf<S>& Pass<S>::table_of(const Rotary& rotary, Index n) {
  if (rotary_table_) return *rotary_table_;
  const Index first = options_.first_position + past_tokens();
  const VectorD theta = rotary.frequencies(first + n);
  RotaryTableOf<S>& table = rotary_table_.emplace();
  if (std::is_same_v<S, double> || options_.rotary_table) {
    const VectorD positions =
        VectorD::NullaryExpr(n, [&](Index i) { return static_cast<double>(first + i); });
    const RotaryTableD exact = options_.rotary_table
                                   ? options_.rotary_table(theta, positions, rotary.multiplier)
                                   : rotary_angles(positions, theta);
    table = {exact.cos.cast<S>(), exact.sin.cast<S>()};
    if (options_.rotary_table) return table;
  } else if constexpr (std::is_same_v<S, float>) {
    table = rotary_table(n, theta, first, options_.threads);
  }
  if (rotary.multiplier != 1) {
    table.cos *= static_cast<S>(rotary.multiplier);
    table.sin *= static_cast<S>(rotary.multiplier);
  }
  return table;
}

template <class S>
void Pass<S>::rotate_heads(Rows& x, Index heads, const Rotary& rotary) {
  const RotaryTableOf<S>& table = table_of(rotary, x.rows());
  const Index width = x.cols() / heads;
  parallel_for(heads, options_.threads, [&](Index h, int) {
    rotate(x.data() + h * width, x.rows(), width, x.cols(), table, RotaryPairing::halves);
  });
}

template <class S>
MatrixOf<S> Pass<S>::attend(Rows q, Rows k, Rows v, const HeadForm& form) {
  if (form.rotary) {
    rotate_heads(q, form.heads, *form.rotary);
    rotate_heads(k, form.key_heads, *form.rotary);
  }
  Rows out;
  Attending<S>& into = now_->self;
  into.scale = form.scale;
  if constexpr (std::is_same_v<S, float>) {
    if (options_.edit) options_.edit->kept(k, v);
    if (past()) past()->put(layer_, k, v);
    const Index m = past_tokens() + q.rows();
    if (past_tokens() > 0) out = look_at_kept(q, k, v, *past(), m, form, into);
  }
  if (out.size() == 0) out = look(q, k, v, form, into);
  silence(out, form, false);
  if (options_.keep_heads) {
    into.queries = std::move(q), into.keys = std::move(k), into.values = std::move(v);
  }
  return out;
}

template <class S>
MatrixOf<S> Pass<S>::attend_across(Rows q, Rows k, Rows v, const HeadForm& form) {
  Rows out;
  Attending<S>& into = now_->cross;
  into.scale = form.scale;
  if constexpr (std::is_same_v<S, float>) {
    if (knows_encoder()) {
      const Past& kept = *past_->across;
      out = look_at_kept(q, k, v, kept, kept.tokens(), form, into);
    } else if (past_ && past_->across) {
      past_->across->put(layer_, k, v);
    }
  }
  if (out.size() == 0) out = look(q, k, v, form, into);
  silence(out, form, true);
  if (options_.keep_heads) {
    into.queries = std::move(q), into.keys = std::move(k), into.values = std::move(v);
  }
  return out;
}

// The first `m` tokens that are kept; k and v become theirs where they are asked for.
template <class S>
MatrixOf<S> Pass<S>::look_at_kept(const Rows& q, Rows& k, Rows& v, const Past& kept, Index m,
                                  const HeadForm& form, Attending<S>& into) {
  if constexpr (std::is_same_v<S, float>) {
    const bool few = q.rows() <= kFewQueries;
    if (!few || options_.keep_heads) {
      k = kept.all_keys(layer_, m);
      v = kept.all_values(layer_, m);
    }
    if (few) return look_back(q, kept, m, form, into);
  }
  return look(q, k, v, form, into);
}

template <class S>
MatrixOf<S> Pass<S>::look(const Rows& q, const Rows& k, const Rows& v, const HeadForm& form,
                          Attending<S>& into) {
  const Index n = q.rows(), m = k.rows(), width = form.width, group = form.heads / form.key_heads;
  AttentionOptionsOf<S> options{.scale = static_cast<S>(form.scale), .mask = mask(form, n, m)};
  std::vector<SharedMatrixOf<S>> bias = biases(form, n, m);
  if constexpr (std::is_same_v<S, float>) {
    options.heads = form.heads;
    options.bias = std::move(bias);
    options.keep_weights = options_.keep_weights;
    options.threads = options_.threads;
    attention_.weights = std::move(into.weights);
    if (group == 1) {
      attend_fast_into(q, k, v, options, attention_, cancel_);
    } else {
      attend_fast_into(q, for_each_head(k, form), for_each_head(v, form), options, attention_,
                       cancel_);
    }
    into.weights = std::move(attention_.weights);
    return std::move(attention_.output);
  } else {
    Rows out(n, form.heads * width);
    into.weights.clear();
    for (Index h = 0; h < form.heads; ++h) {
      cancel_.poll();
      if (!bias.empty()) options.bias = {bias[static_cast<std::size_t>(h)]};
      Attended<S> one =
          core::attend<S>(q.middleCols(h * width, width), k.middleCols(h / group * width, width),
                          v.middleCols(h / group * width, width), options);
      out.middleCols(h * width, width) = one.output;
      if (options_.keep_weights) into.weights.push_back(std::move(one.weights));
    }
    return out;
  }
}

// A few queries, row by row in place.
template <class S>
MatrixOf<S> Pass<S>::look_back(const Rows& q, const Past& kept, Index m, const HeadForm& form,
                               Attending<S>& into) {
  Rows out = Rows::Zero(q.rows(), q.cols());
  if constexpr (std::is_same_v<S, float>) {
    const Index n = q.rows(), width = form.width;
    if (options_.keep_weights) into.weights.resize(static_cast<std::size_t>(form.heads));
    for (HeadWeights& head : into.weights) head.resize(n, m);
    const model::kernels::Table& table = model::kernels::table();
    const std::vector<SharedMatrixOf<S>> bias = biases(form, n, m);
    parallel_for(form.heads, options_.threads, [&](Index h, int) {
      const Index key_head = h * form.key_heads / form.heads;
      const float* keys = kept.keys(layer_, key_head);
      const float* values = kept.values(layer_, key_head);
      const auto head = static_cast<std::size_t>(h);
      std::vector<float> room(static_cast<std::size_t>(m));
      for (Index i = 0; i < n; ++i) {
        const Index end = form.causal ? m - n + i + 1 : m;
        const Index begin = form.window > 0 ? std::max<Index>(0, end - form.window) : 0;
        float* s = options_.keep_weights ? into.weights[head].data() + i * m : room.data();
        table.dots({keys + begin * width, end - begin, width, q.data() + i * q.cols() + h * width,
                    1, width, s + begin, m});
        const auto scale = static_cast<float>(form.scale);
        for (Index j = begin; j < end; ++j) s[j] *= scale;
        if (!bias.empty()) {
          const float* added = bias[head]->data() + i * m;
          for (Index j = begin; j < end; ++j) s[j] += added[j];
        }
        table.softmax({s, begin, end, m});
        table.add_mixture({values + begin * width, end - begin, width, s + begin,
                           out.data() + i * out.cols() + h * width});
      }
    });
  }
  return out;
}

template <class S>
void Pass<S>::silence(Rows& out, const HeadForm& form, bool cross) const {
  if (!options_.ablated) return;
  for (Index h = 0; h < form.heads; ++h) {
    if (!options_.ablated({encoder_, cross, layer_, h})) continue;
    out.middleCols(h * form.width, form.width).setZero();
  }
}

template Matrix Pass<float>::attend(Matrix, Matrix, Matrix, const HeadForm&);
template MatrixD Pass<double>::attend(MatrixD, MatrixD, MatrixD, const HeadForm&);
template Matrix Pass<float>::attend_across(Matrix, Matrix, Matrix, const HeadForm&);
template MatrixD Pass<double>::attend_across(MatrixD, MatrixD, MatrixD, const HeadForm&);

}  // namespace core::checkpoint
