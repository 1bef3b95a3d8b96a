// Cost of each position scheme in one forward pass, step by step: additions, multiplications,
// learned numbers, and further numbers held. The formulas stand with each scheme (schemes/); here
// their letters get values. `position_cost` (core/position/cost.h) is the short form for adding and
// rotating.
//
// Counted is what one pass over n = m positions needs beyond attention without positions, arranged
// as in the scheme's paper and with every intermediate result reused. An addition, a subtraction
// and a multiplication count 1 each; lookups, copies and comparisons count 0. Pairs are those for
// which attention computes a score: all n^2, or n (n + 1) / 2 when it is causal.
#pragma once

#include <string>
#include <vector>

#include "core/model/positions/scheme.h"
#include "core/position/cost.h"

namespace core::model {

struct SchemeSize {
  ModelSize model;
  bool causal = false;
  Index learned_rows = 512;  // N: trained positions of `learned` and `urpe`
  Index buckets = 32;        // b: t5, buckets of one head
  Index clip = 16;           // k: relative and deberta
  Index words = 32000;       // V: complex
  Index flow_width = 32;     // f: floater, hidden width
};

// A letter of a formula with its value: {"n", 8}, {"(2k+1)", 33}, {"2", 2}. `pairs`, `distances`
// and `known` distances depend on the mask: {"n²", 64} or {"n(n+1)/2", 36}.
struct CostFactor {
  std::string symbol;
  Index value;
};
using CostTerm = std::vector<CostFactor>;  // a product
// Terms of a sum of products; none for an empty formula.
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
  Index held = 0;                            // further numbers that one layer's steps hold
  // Sines and cosines that fill tables: once for all passes, with complex for each text.
  Index functions = 0;
  Index operations() const { return additions + multiplications; }
};

// InputError when a size is below 1 or heads do not divide d_model.
SchemeCost scheme_cost(Scheme scheme, const SchemeSize& size);

}  // namespace core::model
