// xPos: RoPE whose pairs also shrink with distance. Sun et al. 2022, arXiv:2212.10554, algorithm 1:
// pair i of a query at m is multiplied by zeta_i^(m/B), pair i of a key at n by zeta_i^(-n/B), with
//   zeta_i = (i / (d/2) + gamma) / (1 + gamma),  gamma = 0.4.
// A score's pair is then multiplied by zeta_i^((m-n)/B) and falls with distance. For causal
// attention: for m < n the factor is greater than 1 and grows.
#pragma once

#include "core/position/rotary/rotary.h"
#include "core/types.h"

namespace core {

struct XposOptions {
  double gamma = 0.4;       // > 0
  double scale_base = 512;  // B, in positions, > 0
};

// zeta_0 .. zeta_{pairs-1}, in (0, 1). pairs >= 1, else InputError.
VectorD xpos_decay(Index pairs, double gamma = 0.4);

// Rotary tables that include the factors: rotated(q, query) . rotated(k, key) are xPos scores.
struct XposTables {
  RotaryTableD query, key;
};
XposTables xpos_tables(const VectorD& positions, const VectorD& theta,
                       const XposOptions& options = {});

}  // namespace core
