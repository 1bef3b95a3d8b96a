// What each position scheme adds to one forward pass, step by step: counted additions,
// multiplications, learned numbers, and numbers that are held besides. The formulas stand with each
// scheme (schemes/); here their letters get values. `position_cost` (core/position/cost.h) is the
// short form for adding and rotating.
//
// Counted is what one pass over n = m positions does beyond attention without positions, as the
// scheme's own paper arranges it and with every intermediate result used as often as it can be. An
// addition, a subtraction and a multiplication count 1 each; looking up, copying and comparing
// count nothing. Pairs are those that attention scores: all n^2, or n (n + 1) / 2 when it is
// causal.
#pragma once

#include <string>
#include <vector>

#include "core/model/positions/scheme.h"
#include "core/position/cost.h"

namespace core::model {

struct SchemeSize {
  ModelSize model;
  bool causal = false;
  Index learned_rows = 512;  // N: positions that `learned` and `urpe` were trained for
  Index buckets = 32;        // b: t5, buckets of one head
  Index clip = 16;           // k: relative and deberta
  Index words = 32000;       // V: complex
  Index flow_width = 32;     // f: floater, between its two matrices
};

// A letter of a formula and what it stands for: {"n", 8}, {"(2k+1)", 33}, {"2", 2}. `pairs`,
// `distances` and `known` distances depend on the mask: {"n²", 64} or {"n(n+1)/2", 36}.
struct CostFactor {
  std::string symbol;
  Index value;
};
using CostTerm = std::vector<CostFactor>;  // a product
// Terms of a sum of products; none for an empty one.
std::vector<CostTerm> cost_terms(std::string_view formula, const SchemeSize& size);
Index value(const CostTerm& term);
Index value(const std::vector<CostTerm>& sum);

struct StepCost {
  const CostStep* step;
  Index additions, multiplications;  // in one layer, or once
};

struct SchemeCost {
  std::vector<StepCost> steps;
  Index additions = 0, multiplications = 0;  // of the whole pass, all layers
  Index parameters = 0;                      // learned numbers, all layers
  Index held = 0;                            // numbers that one layer's steps hold besides
  // Sines and cosines to fill tables with: once for all passes, of complex for each text.
  Index functions = 0;
  Index operations() const { return additions + multiplications; }
};

// InputError when a size is below 1 or heads do not divide d_model.
SchemeCost scheme_cost(Scheme scheme, const SchemeSize& size);

}  // namespace core::model
