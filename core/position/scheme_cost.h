// What each position scheme adds to one forward pass, step by step: counted additions,
// multiplications, learned numbers, and numbers that are held besides. `position_cost` (cost.h) is
// the short form for adding and rotating.
//
// Counted is what one pass over n = m positions does beyond attention without positions, as the
// scheme's own paper arranges it and with every intermediate result used as often as it can be. An
// addition, a subtraction and a multiplication count 1 each; looking up, copying and comparing
// count nothing. Pairs are those that attention scores: all n^2, or n (n + 1) / 2 when it is
// causal.
#pragma once

#include <vector>

#include "core/position/cost.h"
#include "core/types.h"

namespace core {

enum class PositionScheme {
  none,
  sinusoidal,      // added to the embeddings: sinusoidal.h
  learned,         // added to the embeddings: learned.h
  rotary,          // rotary.h, with a table of cosines and sines
  xpos,            // xpos.h, its factors inside the tables
  alibi,           // alibi.h, its bias by distance in a table
  t5,              // t5.h
  shaw,            // shaw.h, with the tables of keys and of values, shared by heads (section 3.3)
  transformer_xl,  // transformer_xl.h: (q + u) . k + (q + v) . r, u and v shared by layers
  deberta,         // deberta.h: the relative table shared by layers, projected in each
  urpe,            // urpe.h, one c for each head and layer
};
inline constexpr PositionScheme kLastPositionScheme = PositionScheme::urpe;

struct SchemeSize {
  ModelSize model;
  bool causal = false;
  Index learned_rows = 512;  // positions that `learned` and `urpe` were trained for
  Index buckets = 32;        // t5: buckets of one head
  Index clip = 16;           // shaw and deberta: k
};

enum class CostStep {
  add_position,         // X + P: n d additions
  rotate,               // two multiplications and an addition for each entry of q and of k
  add_bias,             // one addition a pair and head
  key_table,            // shaw: q . a^K_r for each of the 2k + 1 rows
  add_to_score,         // one addition a pair and head for each term
  sum_weights,          // shaw: the weights of each of the 2k + 1 distances, summed
  value_table,          // shaw: these sums times the rows a^V
  add_to_output,        // shaw: n d additions
  project_distances,    // transformer_xl: R W_{k,R}, one row a distance
  add_u_and_v,          // transformer_xl: q + u and q + v
  distance_product,     // transformer_xl: (q + v) . r, a pair and head
  project_table,        // deberta: the 2k rows times W_{q,r} and W_{k,r}
  content_to_position,  // deberta: q . Kr for each of the 2k rows
  position_to_content,  // deberta: k . Qr for each of the 2k rows
  multiply_weight,      // urpe: one multiplication a pair and head
};

struct StepCost {
  CostStep step;
  bool every_layer;
  Index additions, multiplications;  // in one layer, or once
};

struct SchemeCost {
  std::vector<StepCost> steps;
  Index additions = 0, multiplications = 0;  // of the whole pass, all layers
  Index parameters = 0;                      // learned numbers, all layers
  // Numbers that one layer's steps hold beside q, k, v, scores and parameters: tables, projected
  // tables, products with tables.
  Index held = 0;
  Index functions = 0;  // sines and cosines to fill tables with, once for all passes
  Index operations() const { return additions + multiplications; }
};

// InputError when a size is below 1 or heads do not divide d_model.
SchemeCost scheme_cost(PositionScheme scheme, const SchemeSize& size);

}  // namespace core
