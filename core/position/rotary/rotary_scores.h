// The score of one query with one key under RoPE at any distance t = m - n, as a sum of cosines: Su
// et al. 2021, arXiv:2104.09864, section 3.4.3, eq. 35,
//   s(t) = c + sum_i Re(h_i e^{i t theta_i}),  h_i = (q_a + i q_b)(k_a - i k_b),
// where (a, b) is pair i and c the contribution of columns that are not rotated (partial rotation).
// Under xPos (xpos.h) each term is also multiplied by zeta_i^(t/B).
//
// A single value is computed from its cosines. A run of consecutive distances takes one complex
// product for each pair and step, and restarts from cosines often enough to stay within 1e-13 sum
// |h_i| of them. (The angle t theta_i itself is rounded when it is formed, by about 1e-16 t
// theta_i.)
#pragma once

#include "core/position/rotary/rotary.h"
#include "core/position/rotary/xpos.h"
#include "core/tile.h"
#include "core/types.h"

namespace core {

struct RotaryScores {
  VectorD theta;     // (pairs), radians per position
  VectorD re, im;    // (pairs), h_i
  VectorD growth;    // (pairs), ln of the factor per position: 0, or (ln zeta_i) / B under xPos
  double still = 0;  // c
};

// q and k of one width, which holds all pairs; at least one pair; else InputError.
RotaryScores rotary_scores(const VectorD& q, const VectorD& k, const VectorD& theta,
                           RotaryPairing pairing = RotaryPairing::neighbors);
// The same with the factors of xPos. They grow without bound for t < 0.
RotaryScores with_xpos(RotaryScores scores, const XposOptions& options = {});

// (pairs): the term of each pair at distance t.
VectorD score_terms(const RotaryScores& scores, double t);
// c plus all terms.
double score_at(const RotaryScores& scores, double t);

// s(first), ..., s(first + count - 1). count >= 0, else InputError.
VectorD score_run(const RotaryScores& scores, Index first, Index count);

struct ScoreRange {
  double lo = 0, hi = 0;
};
// The smallest and largest value of `score_run`, without storing it. count >= 1, else InputError.
ScoreRange score_range(const RotaryScores& scores, Index first, Index count);

// Any part of the (n, n) matrix of scores, with queries m as rows and keys n as columns, pooled as
// in sinusoidal_tile.h. A cell depends on m - n only, so a tile costs its diagonals: Pool::max
// visits every distance, Pool::mean has a closed form.
struct RotaryScoreTile {
  Index n = 0;
  int level = 0;
  Region region;
  Pool pool = Pool::max;
};
// n >= 1, 0 <= level <= 30, the region inside the matrix, no growth, else InputError; Cancelled
// when `cancel` fires. threads: 0 = all cores.
Matrix rotary_score_tile(const RotaryScores& scores, const RotaryScoreTile& tile, int threads = 0,
                         const Cancel& cancel = {});

}  // namespace core
