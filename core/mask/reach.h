// The receptive field of sparse attention: whose information can be where after several layers.
//
// Key j reaches output i after L layers when there is a path of L steps from j to i, each step a
// pair that its layer's mask keeps or, with the residual connection, staying where one is:
// R_0 = 1, R_L = (M_L or 1) R_{L-1} as boolean matrices. What a path carries is another question:
// that it exists says only that the output may depend on the input.
#pragma once

#include <optional>
#include <vector>

#include "core/mask/bit_matrix.h"
#include "core/mask/sparse_mask.h"

namespace core {

struct ReachOptions {
  Index layers = 1;      // 0 to 1024
  bool residual = true;  // x + attention(x): a token keeps what it has
  bool keep = false;     // keep R_1, R_2, ...: n^2 / 8 bytes a layer
  // The pairs that one wants to see connected; null: all n^2 of them. Not owned.
  const SparseMask* target = nullptr;
  int threads = 0;  // 0 = all cores
};

struct Reach {
  Index n = 0, layers = 0;
  std::vector<Index> pairs;    // of R_1, ..., R_layers
  std::vector<Index> covered;  // how many of these are wanted
  Index wanted = 0;
  // sizes(l - 1, i): how many keys reach output i after l layers.
  Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sizes;
  std::vector<BitMatrix> after;  // R_1, ..., R_layers when kept

  // The first number of layers after which every wanted pair is connected; none when `layers` are
  // not enough. 0 when no pair is wanted.
  std::optional<Index> layers_to_cover() const;
  // The first number of layers after which key j reaches output i, 0 for i = j; needs `after`.
  std::optional<Index> first_layer(Index i, Index j) const;
};

// Layer l uses masks[(l - 1) % masks.size()]: one mask for every layer alike, or two in turn
// ("local, then atrous"). All masks are n by n and there is at least one; InputError otherwise.
//
// Time: the runs and n^2 / 64 words for each layer and level of doubling, not the kept pairs: the
// rows that a run names are joined through tables of 1, 2, 4, ... rows, as in a sparse table. Stops
// early when nothing changes. `cancel` is polled for every 512 keys and layer.
Reach reach_of(const std::vector<const SparseMask*>& masks, const ReachOptions& options,
               const Cancel& cancel = {});
Reach reach_of(const SparseMask& mask, const ReachOptions& options, const Cancel& cancel = {});

// True when no query sees a key behind it: all that one can want then are the causal pairs.
bool is_causal(const SparseMask& mask);

}  // namespace core
