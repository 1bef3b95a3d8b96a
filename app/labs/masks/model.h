// The computation of the mask workbench. Each stage is a pure function of the parameters it names.
#pragma once

#include "app/labs/shared/mask_patterns.h"
#include "app/labs/shared/sequence.h"
#include "core/attention/fast/fast.h"
#include "core/attention/sparse/sparse.h"
#include "core/cost/attention_cost.h"
#include "core/mask/reach.h"

namespace lab::masks {

// --- what the mask workbench can be set to

enum class Shown { weights, scores };

inline constexpr std::string_view kText =
    "the river bank was steep so the cat sat on the river bank again . the bank in the town was "
    "closed so the man walked home along the river . he saw the cat on the steep bank and sat down";

inline constexpr int kMostLayers = 32;
// Lengths up to which what takes n² steps is computed, and pairs up to which weights are.
inline constexpr Index kMostReach = 4096;
inline constexpr Index kMostDense = 8192;
inline constexpr Index kMostScored = 16384;
inline constexpr Index kMostPairs = Index{1} << 27;

struct Parameters : SequenceKnobs {
  Parameters() { text = kText; }

  int width = 32;  // of queries, keys and values
  int seed = 1;
  double temperature = 1;

  param::StackItems stack = param::read_stack("local", *catalogue(), kMostItems);
  param::CellSet painted = {};
  bool paint = false;
  int brush = 1;

  bool alternate = false;
  int layers = 1;
  bool residual = true;

  int query = 20;
  int key = -1;  // -1: the key with the largest weight
  Shown shown = Shown::weights;
  core::Pool pool = core::Pool::mean;

  bool has_painted() const {
    return std::any_of(stack.begin(), stack.end(),
                       [](const param::StackItem& item) { return needs(item) == Needs::painting; });
  }
  bool painting() const { return paint && has_painted(); }
  // Layers use one item each; one item alone has nothing to take turns with.
  bool alternates() const { return alternate && stack.size() > 1; }
  // The item whose mask layer `layer` uses when layers take turns.
  std::size_t item_of(int layer) const { return to_size(layer - 1) % stack.size(); }
};
void describe(Parameters& p, param::List& list);

// Queries, keys and values of one head, (n, d); tokens that look alike look for each other.
struct Content {
  Labels labels;  // null: the tokens have no names
  Matrix Q, K, V;
  bool cut = false;  // the text has more tokens than were asked for
  Index n() const { return Q.rows(); }
};

// A mask, or null: an item that would take all n² scores of too many tokens is left out.
using KeptMask = std::shared_ptr<const SparseMask>;

// One item of the stack.
struct Part {
  KeptMask alone;    // its own mask
  Index joined = 0;  // pairs kept once it has joined those above it
};

struct Composition {
  std::vector<Part> parts;
  KeptMask joined;
  int left_out = 0;
};

// Who sees how many.
struct Seen {
  std::vector<Index> keys_of, queries_of;  // of each query, of each key
  Index largest = 0, empty_rows = 0, unseen_keys = 0;
  Index first_empty = -1;
};

// Attention under the mask; `attention` is null when the kept pairs are too many.
struct Attended {
  std::shared_ptr<const core::SparseAttention> attention;
  float largest_weight = 0, largest_score = 0;
};

// Against attention with no mask, or with a causal one when the mask is causal.
struct Dense {
  core::Attention attention;
  bool causal = false;
};
struct Compared {
  double error = 0;        // |O - O_dense| / |O_dense|, Frobenius
  double kept_weight = 0;  // of the dense weights, the mean share on kept keys
  bool causal = false;
};

// What reaches what; the layers are all kMostLayers of them.
struct Reached {
  core::Reach reach;
  bool causal = false;  // the wanted pairs are those of keys up to the query
  Matrix first;         // the layer after which key j has reached query i; kMasked: never
};

// The picked query's row, in double.
struct Row {
  std::vector<std::int32_t> keys;  // kept ones, rising
  std::vector<double> scores, weights;
  double max = 0, sum = 0;
  Index strongest = -1;  // -1: the row is empty
};

struct Model {
  std::shared_ptr<const Content> content;
  std::shared_ptr<const Composition> composition;
  KeptMask mask;  // the one that is shown
  std::shared_ptr<const Seen> seen;
  std::shared_ptr<const Attended> attended;
  std::shared_ptr<const Compared> compared;  // null: too long
  std::shared_ptr<const Reached> reached;    // null: too long
  std::shared_ptr<const TileSource> mask_cells, weight_cells, reach_cells;
  std::shared_ptr<const Row> row;
  core::MaskedCost cost{};
  double scale = 1;  // of q.k
  Index query = 0;
  std::optional<Index> key;  // the pinned one, or the strongest; none in an empty row
  bool pinned = false;

  Index n() const { return content->n(); }
};

std::shared_ptr<const Content> make_content(const Parameters& p, const Context& context);
// n is at least 1.
Model make_model(const Parameters& p, std::shared_ptr<const Content> content,
                 const Context& context);

// The masks that layers use, from the first: one that all share, or the items in turn.
std::vector<KeptMask> layer_masks(const Parameters& p, const Composition& composition);

// What the items' patterns depend on; the content must outlive it.
PatternInputs pattern_inputs(const Parameters& p, const Content& content);

// The mask: 1 where a pair is kept, absent elsewhere; zoomed out the share that is kept.
std::shared_ptr<const TileSource> mask_source(const KeptMask& mask);
// The weights of the kept pairs, or their scores where there are no weights.
std::shared_ptr<const TileSource> pair_source(std::shared_ptr<const Content> content, KeptMask mask,
                                              std::shared_ptr<const core::SparseAttention> weights,
                                              double scale);

}  // namespace lab::masks
