// What is known of each pattern, in one place: how people choose it, its mask, a formula for its
// pairs, and why it keeps one.
#pragma once

#include "app/labs/lab.h"
#include "core/mask/sparse_mask.h"
#include "core/mask/top_k.h"

namespace lab::masks {

using core::SparseMask;

enum class Join { unite, intersect, subtract };

inline constexpr int kLongest = 131072;
inline constexpr std::size_t kMostItems = 6;

const std::shared_ptr<const param::Catalogue>& catalogue();

inline Join join_of(const param::StackItem& item) { return static_cast<Join>(item.operation); }
// "local": the id of the item's pattern.
std::string_view pattern_id(const param::StackItem& item);
// What a pattern's mask is made from besides its arguments.
enum class Needs { nothing, seed, painting, scores };
Needs needs(const param::StackItem& item);

// What patterns depend on besides their own arguments.
struct PatternInputs {
  Index n = 0;
  std::uint64_t seed = 0;                   // of random keys
  const param::CellSet* painted = nullptr;  // not owned
  core::RowScores scores = {};              // of top-k
  int threads = 0;
};

// The n by n mask of one item. Arguments beyond n mean n.
SparseMask pattern_mask(const param::StackItem& item, const PatternInputs& inputs,
                        const core::Cancel& cancel = {});

// What an item leaves of, or adds to, all above it.
SparseMask joined(const SparseMask& above, const SparseMask& item, Join how);

// For models, whose masks are made before there is a text: without the patterns that look at scores
// or at what is painted.
const std::shared_ptr<const param::Catalogue>& model_catalogue();
// Every token before, and the token itself.
param::StackItems causal_alone();
// The first n tokens of these items, from the top.
SparseMask model_mask(const param::StackItems& items, Index n, std::uint64_t seed);

// Whether the item keeps the pair, and the inequality that says so with its numbers; `mask` is the
// item's own.
struct Reason {
  bool kept;
  std::string because;
};
Reason reason(const param::StackItem& item, Index i, Index j, const PatternInputs& inputs,
              const SparseMask& mask, const Words& w);

// How many pairs the item keeps, counted without the mask, where a formula says it. Its letters are
// the item's arguments; one that counts as n because it is larger is said: "n k,  k = n".
struct ClosedForm {
  std::string formula;
  Index pairs;
};
std::optional<ClosedForm> closed_form(const param::StackItem& item, Index n);

// "Local window 3": the item as a table names it.
std::string item_name(const param::StackItem& item, const Words& w);
// "or", "and", "minus".
std::string_view join_name(Join join);

// Width and height of the grid that n tokens fill row by row.
struct GridShape {
  Index width, height;
};
GridShape grid_shape(const param::StackItem& item, Index n);

}  // namespace lab::masks
