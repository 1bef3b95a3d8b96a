#include "app/labs/masks/model.h"

#include <bit>
#include <span>

#include "app/labs/shared/parts.h"
#include "core/mask/compose.h"
#include "core/mask/patterns/patterns.h"
#include "core/mask/transpose.h"

namespace lab::masks {
namespace {

constexpr int kModelWidth = 64;  // of the tokens that queries, keys and values are made from

// Queries and keys come from one matrix, so that equal tokens find each other.
Content content_of(const std::shared_ptr<const Tokens>& tokens, int width, int seed, const Run&) {
  const auto project = [&](Stream stream) -> Matrix {
    return tokens->X * random_projection(kModelWidth, 1, width, seed, stream);
  };
  Content content{tokens->labels, project(Stream::query), {}, project(Stream::value), tokens->cut};
  content.K = content.Q;
  return content;
}

PatternInputs inputs_of(const Content& content, int seed, const param::CellSet& painted) {
  return {.n = content.n(),
          .seed = static_cast<std::uint64_t>(seed),
          .painted = &painted,
          .scores = [&content](Index i, std::span<float> scores) {
            Eigen::Map<core::Vector> row(scores.data(), to_index(scores.size()));
            row.noalias() = content.K * content.Q.row(i).transpose();
          }};
}

// What an item's own mask is made from: only what its pattern looks at.
struct ItemKey {
  param::StackItem item;
  Index n = 0;
  int seed = 0;
  param::CellSet painted = {};
  std::shared_ptr<const Content> content = nullptr;
  bool operator==(const ItemKey&) const = default;
};

SparseMask item_mask(const ItemKey& key, const Run& run) {
  static const Content no_content;
  PatternInputs inputs = inputs_of(key.content ? *key.content : no_content, key.seed, key.painted);
  inputs.n = key.n;
  return pattern_mask(key.item, inputs, run.cancel);
}

// Every item's own mask, kept while that item stays as it is.
std::vector<KeptMask> masks_of(const Parameters& p, const std::shared_ptr<const Content>& content,
                               const Context& context) {
  std::vector<KeptMask> masks;
  for (const param::StackItem& item : p.stack) {
    ItemKey key{item, content->n()};
    key.item.operation = 0;
    if (needs(item) == Needs::seed) key.seed = p.seed;
    if (needs(item) == Needs::painting) key.painted = p.painted;
    if (needs(item) == Needs::scores) key.content = content;
    const bool left_out = key.content && content->n() > kMostScored;
    masks.push_back(left_out ? nullptr
                             : context.stage(fmt::format("item {}", masks.size()), item_mask, key));
  }
  return masks;
}

Composition compose(const std::vector<KeptMask>& alone, const std::vector<Join>& joins, Index n,
                    const Run& run) {
  Composition result;
  for (std::size_t k = 0; k < alone.size(); ++k) {
    run.cancel.poll();
    if (!alone[k]) {
      ++result.left_out;
    } else if (!result.joined) {
      result.joined = alone[k];
    } else {
      result.joined =
          std::make_shared<const SparseMask>(joined(*result.joined, *alone[k], joins[k]));
    }
    result.parts.push_back({alone[k], result.joined ? result.joined->kept() : 0});
  }
  // When all items are left out, all is kept.
  if (!result.joined) result.joined = std::make_shared<const SparseMask>(core::pattern::full(n, n));
  return result;
}

Seen count_seen(const KeptMask& kept, const Run&) {
  const SparseMask& mask = *kept;
  Seen seen;
  for (Index i = 0; i < mask.rows(); ++i) {
    seen.keys_of.push_back(mask.kept(i));
    seen.largest = std::max(seen.largest, mask.kept(i));
    if (mask.kept(i) > 0) continue;
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

using KeptContent = std::shared_ptr<const Content>;

Attended attend(const KeptContent& content, const KeptMask& mask, double scale, const Run& run) {
  Attended attended;
  if (mask->kept() > kMostPairs) return attended;
  core::AttentionOptions options;
  options.scale = to_float(scale);
  options.keep_weights = false;
  options.threads = run.threads;
  attended.attention = std::make_shared<const core::SparseAttention>(
      core::attend_sparse(content->Q, content->K, content->V, *mask, options, run.cancel));
  add_largest(attended);
  return attended;
}

Dense attend_densely(const KeptContent& content, bool causal, double scale, const Run& run) {
  core::AttentionOptions options;
  options.scale = to_float(scale);
  if (causal) options.mask = Mask::causal(content->n(), content->n());
  options.keep_weights = false;
  options.threads = run.threads;
  return {core::attend_fast(content->Q, content->K, content->V, options, run.cancel), causal};
}

// A row's share of the dense weights is what its exponentials sum to, relative to all of them.
Compared compare(const std::shared_ptr<const Attended>& attended,
                 const std::shared_ptr<const Dense>& whole_of, const Run&) {
  const core::SparseAttention& sparse = *attended->attention;
  const Dense& dense = *whole_of;
  Compared result{0, 0, dense.causal};
  double difference = 0, size = 0;
  for (Index i = 0; i < sparse.shape.n; ++i) {
    for (Index c = 0; c < sparse.output.cols(); ++c) {
      const auto whole = to_double(dense.attention.output(i, c));
      const double error = to_double(sparse.output(i, c)) - whole;
      difference += error * error;
      size += whole * whole;
    }
    if (!(sparse.row_sum(0, i) > 0)) continue;
    const double shift = to_double(sparse.row_max(0, i)) - to_double(dense.attention.row_max(0, i));
    result.kept_weight += std::exp(shift) * to_double(sparse.row_sum(0, i)) /
                          to_double(dense.attention.row_sum(0, i));
  }
  result.error = size > 0 ? std::sqrt(difference / size) : 0;
  result.kept_weight = std::min(1.0, result.kept_weight / to_double(sparse.shape.n));
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
          if (core::is_masked(cell)) cell = to_float(layer + 1);
        }
      }
    }
  }
  return first;
}

Reached reach_through(const std::vector<KeptMask>& kept, bool residual, const Run& run) {
  std::vector<const SparseMask*> masks;
  for (const KeptMask& mask : kept) masks.push_back(mask.get());
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
  options.threads = run.threads;
  result.reach = core::reach_of(masks, options, run.cancel);
  result.first = first_layers(result.reach, residual);
  return result;
}

using Picture = std::shared_ptr<const TileSource>;

// The pairs connected after at most `layers`.
Picture reached_within(const std::shared_ptr<const Reached>& reached, int layers, const Run&) {
  return std::make_shared<DenseSource>(Matrix(reached->first.unaryExpr([&](float layer) {
    return layer <= to_float(layers) ? layer : core::kMasked;  // a masked one is not
  })));
}

Row make_row(const KeptContent& content, const KeptMask& mask, double scale, Index query,
             const Run&) {
  Row row;
  mask->keys_into(query, row.keys);
  if (row.keys.empty()) return row;
  const VectorD q = scale * content->Q.row(query).cast<double>();
  for (const Index j : row.keys) row.scores.push_back(q.dot(content->K.row(j).cast<double>()));
  const auto best = std::max_element(row.scores.begin(), row.scores.end());
  row.max = *best;
  row.strongest = row.keys[to_size(best - row.scores.begin())];
  for (const double score : row.scores) row.sum += std::exp(score - row.max);
  for (const double score : row.scores) row.weights.push_back(std::exp(score - row.max) / row.sum);
  return row;
}

void add_reach(const Parameters& p, const Context& context, Model& model) {
  if (model.n() > kMostReach) return;
  model.reached =
      context.stage("reach", reach_through, layer_masks(p, *model.composition), p.residual);
  model.reach_cells = *context.stage("reach cells", reached_within, model.reached, p.layers);
}

void add_attention(const Parameters& p, const Context& context, Model& model) {
  model.attended = context.stage("attention", attend, model.content, model.mask, model.scale);
  const auto& attention = model.attended->attention;
  model.weight_cells = *context.stage(
      "weight cells",
      [](const auto& content, const auto& mask, const auto& weights, double scale, const Run&) {
        return pair_source(content, mask, weights, scale);
      },
      model.content, model.mask, p.shown == Shown::weights ? attention : nullptr, model.scale);
  if (model.n() > kMostDense || !attention) return;
  const auto dense = context.stage("dense", attend_densely, model.content,
                                   core::is_causal(*model.mask), model.scale);
  model.compared = context.stage("compared", compare, model.attended, dense);
}

void add_picks(const Parameters& p, const Context& context, Model& model) {
  model.query = std::min<Index>(p.query, model.n() - 1);
  model.row = context.stage("row", make_row, model.content, model.mask, model.scale, model.query);
  model.pinned = p.key >= 0;
  if (model.pinned) {
    model.key = std::min<Index>(p.key, model.n() - 1);
  } else if (model.row->strongest >= 0) {
    model.key = model.row->strongest;
  }
}

}  // namespace

std::vector<KeptMask> layer_masks(const Parameters& p, const Composition& composition) {
  if (!p.alternates()) return {composition.joined};
  std::vector<KeptMask> masks;
  for (const Part& part : composition.parts) {
    masks.push_back(part.alone ? part.alone : composition.joined);
  }
  return masks;
}

PatternInputs pattern_inputs(const Parameters& p, const Content& content) {
  return inputs_of(content, p.seed, p.painted);
}

std::shared_ptr<const Content> make_content(const Parameters& p, const Context& context) {
  return context.stage("content", content_of, tokens_of(p, kModelWidth, p.seed, context), p.width,
                       p.seed);
}

Model make_model(const Parameters& p, std::shared_ptr<const Content> content,
                 const Context& context) {
  Model model;
  model.content = std::move(content);
  model.scale = 1 / (std::sqrt(to_double(p.width)) * p.temperature);
  std::vector<Join> joins;
  for (const param::StackItem& item : p.stack) joins.push_back(join_of(item));
  model.composition =
      context.stage("composition", compose, masks_of(p, model.content, context), joins, model.n());
  model.mask = model.composition->joined;
  if (p.alternates()) {
    const auto& own = model.composition->parts[p.item_of(p.layers)].alone;
    if (own) model.mask = own;
  }
  model.mask_cells = *context.stage(
      "mask cells", [](const KeptMask& mask, const Run&) { return mask_source(mask); }, model.mask);
  model.seen = context.stage("seen", count_seen, model.mask);
  model.cost = core::masked_cost(*model.mask, {1, p.width, p.width});
  context.cancel.poll();
  add_attention(p, context, model);
  add_reach(p, context, model);
  add_picks(p, context, model);
  return model;
}

}  // namespace lab::masks
