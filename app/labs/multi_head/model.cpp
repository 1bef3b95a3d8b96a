#include "app/labs/multi_head/model.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <tuple>

#include "app/labs/multi_head/projections.h"
#include "app/labs/multi_head/sources.h"
#include "app/labs/shared/tokens.h"
#include "core/position/sinusoidal.h"

namespace lab::multi_head {
namespace {

using core::Matrix;

// The memory of the last attention whose page nobody shows any more: filling fresh pages would cost
// as much as the arithmetic.
struct Spare {
  std::mutex mutex;
  std::shared_ptr<core::Attention> attention;
};

// Room for an attention; it goes back to `spare` when its last user is gone.
std::shared_ptr<core::Attention> borrow(const std::shared_ptr<Spare>& spare) {
  std::shared_ptr<core::Attention> room;
  {
    const std::scoped_lock lock(spare->mutex);
    room = std::move(spare->attention);
  }
  if (!room) room = std::make_shared<core::Attention>();
  core::Attention* raw = room.get();
  return {raw, [spare, room = std::move(room)](core::Attention*) mutable {
            const std::scoped_lock lock(spare->mutex);
            spare->attention = std::move(room);
          }};
}

// How many allowed pairs each cell of an overview stands for.
Matrix count_pairs(const core::Mask& mask, int level) {
  Matrix pairs = Matrix::Zero(figure::pooled_size(mask.rows(), level),
                              figure::pooled_size(mask.cols(), level));
  for (Index i = 0; i < mask.rows(); ++i) {
    const core::KeyRange range = mask.range(i);
    for (Index begin = range.begin; begin < range.end;) {
      const Index cell = begin >> level;
      const Index end = std::min(range.end, (cell + 1) << level);
      pairs(i >> level, cell) += static_cast<float>(end - begin);
      begin = end;
    }
  }
  return pairs;
}

Heads attend(const Parameters& p, std::shared_ptr<const Projected> projected,
             const Context& context) {
  Heads heads;
  const Index n = projected->Q.rows();
  heads.options.heads = projected->heads;
  const double scale = p.scaled ? 1 / std::sqrt(static_cast<double>(projected->d_k)) : 1;
  heads.options.scale = static_cast<float>(scale / p.temperature);
  heads.options.mask = make_mask(p, n);
  heads.options.threads = context.threads;
  const double bytes = 4.0 * static_cast<double>(projected->heads * n * n);
  if (bytes <= kMostKeptBytes) {
    const auto spare = *context.memo.get("spare", 0, [] { return std::make_shared<Spare>(); });
    auto kept = borrow(spare);
    core::attend_fast_into(projected->Q, projected->K, projected->V, heads.options, *kept,
                           context.cancel);
    heads.kept = std::move(kept);
  } else {
    heads.streamed = std::make_shared<const core::StreamedAttention>(core::stream_attention(
        projected->Q, projected->K, projected->V, heads.options, 512, context.cancel));
    heads.overview_pairs = count_pairs(heads.mask(), heads.streamed->level);
  }
  heads.projected = std::move(projected);
  return heads;
}

Sources make_sources(const std::shared_ptr<const Heads>& heads) {
  Sources sources;
  for (Index head = 0; head < heads->projected->heads; ++head) {
    sources.weights.push_back(make_source(heads, head, Quantity::weight));
  }
  // The largest weight of a row is exp(0) over its sum.
  const Matrix& sums = heads->row_sum();
  for (Index k = 0; k < sums.size(); ++k) {
    const float sum = sums.data()[k];
    if (sum > 0) sources.largest_weight = std::max(sources.largest_weight, 1 / sum);
  }
  return sources;
}

HeadSources make_head_sources(const std::shared_ptr<const Heads>& heads, Index head,
                              const core::Cancel& cancel) {
  HeadSources sources{make_source(heads, head, Quantity::score),
                      make_source(heads, head, Quantity::scaled), 0};
  int level = 0;
  while (figure::pooled_size(heads->n(), level) > 1) ++level;
  float extreme = 0;
  sources.scores->pooled(level, {0, 0, 1, 1}, core::Pool::max, &extreme, cancel);
  sources.largest_score = std::abs(extreme);
  return sources;
}

Row make_row(const Heads& heads, Index head, Index query) {
  const Projected& p = *heads.projected;
  const core::Mask& mask = heads.mask();
  const Index m = p.K.rows();
  const auto size = static_cast<std::size_t>(m);
  Row row{std::vector<double>(size), std::vector<double>(size), std::vector<double>(size),
          std::vector<double>(size), std::vector<bool>(size)};
  const core::VectorD q = p.Q.row(query).segment(head * p.d_k, p.d_k).transpose().cast<double>();
  row.strongest = query;
  for (Index j = 0; j < m; ++j) {
    const auto at = static_cast<std::size_t>(j);
    row.scores[at] = p.K.row(j).segment(head * p.d_k, p.d_k).cast<double>().dot(q);
    row.scaled[at] = row.scores[at] * static_cast<double>(heads.scale());
    row.allowed[at] = mask.allowed(query, j);
    if (!row.allowed[at]) continue;
    if (row.empty || row.scaled[at] > row.max) {
      row.max = row.scaled[at];
      row.strongest = j;
    }
    row.empty = false;
  }
  for (std::size_t j = 0; j < size; ++j) {
    if (!row.allowed[j]) continue;
    row.exponentials[j] = std::exp(row.scaled[j] - row.max);
    row.sum += row.exponentials[j];
  }
  for (std::size_t j = 0; j < size; ++j) {
    if (row.allowed[j]) row.weights[j] = row.exponentials[j] / row.sum;
  }
  return row;
}

}  // namespace

Index head_width(const Parameters& p) { return std::max(1, p.d_model / p.heads); }

core::Mask make_mask(const Parameters& p, Index n) {
  const Index valid = std::min<Index>(p.valid, n);
  switch (p.mask) {
    case MaskKind::full:
      break;
    case MaskKind::causal:
      return core::Mask::causal(n, n);
    case MaskKind::local:
      return core::Mask::local(n, n, p.reach);
    case MaskKind::key_padding:
      return core::Mask::key_padding(n, n, valid);
    case MaskKind::query_padding:
      return core::Mask::query_padding(n, n, valid);
  }
  return core::Mask::none(n, n);
}

std::shared_ptr<const Sequence> make_sequence(const Parameters& p, const Context& context) {
  const auto tokens = tokens_of(p, p.d_model, p.seed, context);
  context.cancel.poll();
  const bool added = p.position == Position::sinusoidal;
  return context.memo.get("sequence", std::tuple(tokens, added, added ? p.base : 0.0), [&] {
    Sequence sequence{tokens->labels, tokens->X, tokens->cut};
    if (added && sequence.n() > 0) {
      // The encoding has an even width; an odd d_model does without the last cosine.
      core::Matrix encoding;
      core::sinusoidal_table_into(encoding, sequence.n(), p.d_model + p.d_model % 2,
                                  {.base = p.base}, 0, context.threads);
      sequence.X += encoding.leftCols(p.d_model);
    }
    return sequence;
  });
}

Model make_model(const Parameters& p, std::shared_ptr<const Sequence> sequence,
                 const Context& context) {
  Model model;
  Memo& memo = context.memo;
  const bool rotary = p.position == Position::rope;
  model.projected =
      memo.get("projected",
               std::tuple(sequence, p.heads, p.projection, p.seed, rotary, rotary ? p.base : 0.0),
               [&] { return project(p, sequence->X, context); });
  model.sequence = std::move(sequence);
  if (p.projection != Projection::identity) {
    model.W_o = memo.get("W_o", std::tuple(p.heads, p.d_model, p.seed),
                         [&] { return output_projection(p); });
  }
  context.cancel.poll();
  const bool padded = p.mask == MaskKind::key_padding || p.mask == MaskKind::query_padding;
  model.heads =
      memo.get("heads",
               std::tuple(model.projected, p.mask, p.mask == MaskKind::local ? p.reach : 0,
                          padded ? p.valid : 0, p.temperature, p.scaled),
               [&] { return attend(p, model.projected, context); });
  context.cancel.poll();
  model.sources = memo.get("sources", model.heads, [&] { return make_sources(model.heads); });
  const Index last = model.n() - 1;
  model.head = std::clamp<Index>(p.head - 1, 0, p.heads - 1);
  model.query = std::clamp<Index>(p.query, 0, last);
  model.head_sources = memo.get("head sources", std::tuple(model.heads, model.head), [&] {
    return make_head_sources(model.heads, model.head, context.cancel);
  });
  model.row = make_row(*model.heads, model.head, model.query);
  model.pinned = p.key >= 0;
  model.key = model.pinned ? std::min<Index>(p.key, last) : model.row.strongest;
  return model;
}

}  // namespace lab::multi_head
