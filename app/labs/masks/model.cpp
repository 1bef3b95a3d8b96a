#include "app/labs/masks/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "app/labs/masks/sources.h"
#include "app/labs/shared/tokens.h"
#include "core/mask/compose.h"
#include "core/mask/patterns.h"
#include "core/mask/transpose.h"
#include "core/parallel.h"

namespace lab::masks {
namespace {

constexpr int kModelWidth = 64;  // of the tokens that queries, keys and values are made from

// Queries and keys come from one matrix, so that equal tokens find each other.
Content content_of(const Parameters& p, const Tokens& tokens) {
  const auto project = [&](Stream stream) -> Matrix {
    return tokens.X * random_projection(kModelWidth, 1, p.width, p.seed, stream);
  };
  Content content{tokens.labels, project(Stream::query), {}, project(Stream::value), tokens.cut};
  content.K = content.Q;
  return content;
}

SparseMask join(const SparseMask& above, const SparseMask& item, Join how) {
  switch (how) {
    case Join::intersect:
      return core::intersect(above, item);
    case Join::subtract:
      return core::subtract(above, item);
    case Join::unite:
      break;
  }
  return core::unite(above, item);
}

// Every item's own mask, kept while that item stays as it is.
std::vector<Part> parts_of(const Parameters& p, const std::shared_ptr<const Content>& content,
                           const Context& context) {
  const PatternInputs inputs = pattern_inputs(p, *content);
  std::vector<Part> parts(p.stack.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const param::StackItem& item = p.stack[k];
    const bool by_score = pattern_of(item) == Pattern::top_k;
    if (by_score && content->n() > kMostScored) continue;
    const bool drawn = pattern_of(item) == Pattern::bigbird || pattern_of(item) == Pattern::blocks;
    const auto key = std::tuple(item.entry, item.arguments, content->n(), drawn ? p.seed : 0,
                                pattern_of(item) == Pattern::painted ? p.painted : param::CellSet{},
                                by_score ? content : nullptr);
    parts[k].alone = context.memo.get(fmt::format("item {}", k), key,
                                      [&] { return pattern_mask(item, inputs, context.cancel); });
    context.cancel.poll();
  }
  return parts;
}

Composition compose(const Parameters& p, std::vector<Part> parts, Index n, const Context& context) {
  Composition result{std::move(parts), nullptr, 0};
  for (std::size_t k = 0; k < result.parts.size(); ++k) {
    context.cancel.poll();
    Part& part = result.parts[k];
    if (!part.alone) {
      ++result.left_out;
    } else if (!result.joined) {
      result.joined = part.alone;
    } else {
      result.joined = std::make_shared<const SparseMask>(
          join(*result.joined, *part.alone, join_of(p.stack[k])));
    }
    part.joined = result.joined ? result.joined->kept() : 0;
  }
  // Of nothing but left out items all is kept.
  if (!result.joined) {
    result.joined = std::make_shared<const SparseMask>(core::pattern::full(n, n));
  }
  return result;
}

Seen count_seen(const SparseMask& mask) {
  Seen seen;
  for (Index i = 0; i < mask.rows(); ++i) {
    const Index kept = mask.kept(i);
    seen.keys_of.push_back(kept);
    seen.largest = std::max(seen.largest, kept);
    if (kept > 0) continue;
    if (seen.first_empty < 0) seen.first_empty = i;
    ++seen.empty_rows;
  }
  seen.queries_of = core::column_counts(mask);
  seen.unseen_keys = std::count(seen.queries_of.begin(), seen.queries_of.end(), Index{0});
  return seen;
}

// The largest kept weight and score. A row's largest weight is 1 over its sum of exponentials.
void add_largest(Attended& attended) {
  const core::SparseAttention& a = *attended.attention;
  for (Index i = 0; i < a.shape.n; ++i) {
    if (!(a.row_sum(0, i) > 0)) continue;
    attended.largest_weight = std::max(attended.largest_weight, 1 / a.row_sum(0, i));
    attended.largest_score = std::max(attended.largest_score, std::abs(a.row_max(0, i)));
  }
}

Attended attend(const Content& content, const SparseMask& mask, double scale,
                const Context& context) {
  Attended attended;
  if (mask.kept() > kMostPairs) return attended;
  core::AttentionOptions options;
  options.scale = static_cast<float>(scale);
  options.keep_weights = false;
  options.threads = context.threads;
  attended.attention = std::make_shared<const core::SparseAttention>(
      core::attend_sparse(content.Q, content.K, content.V, mask, options, context.cancel));
  add_largest(attended);
  return attended;
}

Dense attend_densely(const Content& content, bool causal, double scale, const Context& context) {
  core::AttentionOptions options;
  options.scale = static_cast<float>(scale);
  if (causal) options.mask = core::Mask::causal(content.n(), content.n());
  options.keep_weights = false;
  options.threads = context.threads;
  return {core::attend_fast(content.Q, content.K, content.V, options, context.cancel), causal};
}

// A row's share of the dense weights is what its exponentials sum to, relative to all of them.
Compared compare(const core::SparseAttention& sparse, const Dense& dense) {
  Compared result{0, 0, dense.causal};
  double difference = 0, size = 0;
  for (Index i = 0; i < sparse.shape.n; ++i) {
    for (Index c = 0; c < sparse.output.cols(); ++c) {
      const auto whole = static_cast<double>(dense.attention.output(i, c));
      const double error = static_cast<double>(sparse.output(i, c)) - whole;
      difference += error * error;
      size += whole * whole;
    }
    if (!(sparse.row_sum(0, i) > 0)) continue;
    const double shift = static_cast<double>(sparse.row_max(0, i)) -
                         static_cast<double>(dense.attention.row_max(0, i));
    result.kept_weight += std::exp(shift) * static_cast<double>(sparse.row_sum(0, i)) /
                          static_cast<double>(dense.attention.row_sum(0, i));
  }
  result.error = size > 0 ? std::sqrt(difference / size) : 0;
  result.kept_weight = std::min(1.0, result.kept_weight / static_cast<double>(sparse.shape.n));
  return result;
}

// For each pair the first layer after which it is connected; with a residual connection a token is
// there from the beginning.
Matrix first_layers(const core::Reach& reach, bool residual) {
  Matrix first = Matrix::Constant(reach.n, reach.n, core::kMasked);
  if (residual) first.diagonal().setZero();
  for (std::size_t layer = 0; layer < reach.after.size(); ++layer) {
    const core::BitMatrix& after = reach.after[layer];
    for (Index i = 0; i < reach.n; ++i) {
      for (Index word = 0; word < after.words(); ++word) {
        std::uint64_t fresh = after.row(i)[word];
        if (layer > 0) fresh &= ~reach.after[layer - 1].row(i)[word];
        for (; fresh != 0; fresh &= fresh - 1) {
          float& cell = first(i, word * core::BitMatrix::kWord + std::countr_zero(fresh));
          if (core::is_masked(cell)) cell = static_cast<float>(layer + 1);
        }
      }
    }
  }
  return first;
}

Reached reach_through(const std::vector<const SparseMask*>& masks, bool residual,
                      const Context& context) {
  Reached result;
  result.causal = std::all_of(masks.begin(), masks.end(),
                              [](const SparseMask* mask) { return core::is_causal(*mask); });
  const Index n = masks.front()->rows();
  const SparseMask wanted = core::pattern::causal(n, n);
  core::ReachOptions options;
  options.layers = kMostLayers;
  options.residual = residual;
  options.keep = true;
  options.target = result.causal ? &wanted : nullptr;
  options.threads = context.threads;
  result.reach = core::reach_of(masks, options, context.cancel);
  result.first = first_layers(result.reach, residual);
  return result;
}

// The pairs connected after at most `layers`.
Matrix reached_within(const Reached& reached, int layers) {
  return reached.first.unaryExpr([layers](float layer) {
    return layer <= static_cast<float>(layers) ? layer : core::kMasked;  // a masked one is not
  });
}

Row make_row(const Content& content, const SparseMask& mask, Index query, double scale) {
  Row row;
  mask.keys_into(query, row.keys);
  if (row.keys.empty()) return row;
  for (const std::int32_t j : row.keys) row.scores.push_back(score_of(content, query, j, scale));
  const auto best = std::max_element(row.scores.begin(), row.scores.end());
  row.max = *best;
  row.strongest = row.keys[static_cast<std::size_t>(best - row.scores.begin())];
  for (const double score : row.scores) row.sum += std::exp(score - row.max);
  for (const double score : row.scores) row.weights.push_back(std::exp(score - row.max) / row.sum);
  return row;
}

void add_reach(const Parameters& p, const auto& mask_key, const Context& context, Model& model) {
  if (model.n() > kMostReach) return;
  const auto key = std::tuple(mask_key, p.turns(), p.residual);
  model.reached = context.memo.get("reach", key, [&] {
    return reach_through(layer_masks(p, *model.composition), p.residual, context);
  });
  const auto cells = context.memo.get("reach cells", std::tuple(model.reached, p.layers), [&] {
    return std::shared_ptr<const figure::TileSource>(
        std::make_shared<figure::DenseSource>(reached_within(*model.reached, p.layers)));
  });
  model.reach_cells = *cells;
}

void add_attention(const Parameters& p, const Context& context, Model& model) {
  const auto key = std::tuple(model.content, model.mask, model.scale);
  model.attended = context.memo.get(
      "attention", key, [&] { return attend(*model.content, *model.mask, model.scale, context); });
  const bool weights = p.shown == Shown::weights && model.attended->attention;
  const auto cells = context.memo.get("weight cells", std::tuple(key, weights), [&] {
    return pair_source(model.content, model.mask, model.attended->attention, model.scale,
                       weights ? Quantity::weight : Quantity::score);
  });
  model.weight_cells = *cells;
  if (model.n() > kMostDense || !model.attended->attention) return;
  const bool causal = core::is_causal(*model.mask);
  const auto dense = context.memo.get("dense", std::tuple(model.content, causal, model.scale), [&] {
    return attend_densely(*model.content, causal, model.scale, context);
  });
  model.compared = context.memo.get("compared", std::tuple(model.attended, dense),
                                    [&] { return compare(*model.attended->attention, *dense); });
}

void add_picks(const Parameters& p, const Context& context, Model& model) {
  model.query = std::min<Index>(p.query, model.n() - 1);
  const auto key = std::tuple(model.content, model.mask, model.scale, model.query);
  model.row = context.memo.get(
      "row", key, [&] { return make_row(*model.content, *model.mask, model.query, model.scale); });
  model.pinned = p.key >= 0;
  if (model.pinned) {
    model.key = std::min<Index>(p.key, model.n() - 1);
  } else if (model.row->strongest >= 0) {
    model.key = model.row->strongest;
  }
}

}  // namespace

std::vector<const SparseMask*> layer_masks(const Parameters& p, const Composition& composition) {
  if (!p.turns()) return {composition.joined.get()};
  std::vector<const SparseMask*> masks;
  for (const Part& part : composition.parts) {
    masks.push_back(part.alone ? part.alone.get() : composition.joined.get());
  }
  return masks;
}

double score_of(const Content& content, Index i, Index j, double scale) {
  return scale * content.Q.row(i).cast<double>().dot(content.K.row(j).cast<double>());
}

PatternInputs pattern_inputs(const Parameters& p, const Content& content) {
  PatternInputs inputs;
  inputs.n = content.n();
  inputs.seed = static_cast<std::uint64_t>(p.seed);
  inputs.painted = &p.painted;
  inputs.scores = [&content](Index i, std::span<float> scores) {
    Eigen::Map<core::Vector> row(scores.data(), static_cast<Index>(scores.size()));
    row.noalias() = content.K * content.Q.row(i).transpose();
  };
  return inputs;
}

std::shared_ptr<const Content> make_content(const Parameters& p, const Context& context) {
  const auto tokens = tokens_of(p, kModelWidth, p.seed, context);
  return context.memo.get("content", std::tuple(tokens, p.width, p.seed),
                          [&] { return content_of(p, *tokens); });
}

Model make_model(const Parameters& p, std::shared_ptr<const Content> content,
                 const Context& context) {
  Model model;
  model.content = std::move(content);
  model.scale = 1 / (std::sqrt(static_cast<double>(p.width)) * p.temperature);
  std::vector<Part> parts = parts_of(p, model.content, context);
  std::vector<std::shared_ptr<const SparseMask>> alone;
  std::vector<int> joins;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    alone.push_back(parts[k].alone);
    joins.push_back(p.stack[k].operation);
  }
  const auto mask_key = std::tuple(alone, joins, model.n());
  model.composition = context.memo.get(
      "composition", mask_key, [&] { return compose(p, std::move(parts), model.n(), context); });
  model.mask = model.composition->joined;
  if (p.turns()) {
    const auto& own = model.composition->parts[p.item_of(p.layers)].alone;
    if (own) model.mask = own;
  }
  const auto cells = context.memo.get("mask cells", std::tuple(model.mask),
                                      [&] { return mask_source(model.mask); });
  model.mask_cells = *cells;
  model.seen =
      context.memo.get("seen", std::tuple(model.mask), [&] { return count_seen(*model.mask); });
  model.cost = core::masked_cost(*model.mask, {1, p.width, p.width});
  context.cancel.poll();
  add_attention(p, context, model);
  add_reach(p, mask_key, context, model);
  add_picks(p, context, model);
  return model;
}

}  // namespace lab::masks
