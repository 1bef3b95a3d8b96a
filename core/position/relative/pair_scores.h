// The scores of a sequence as a sum of terms (pair_terms.h), the weights that softmax makes of
// them, and the same without positions: block by block, so that nothing n by n is kept.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/position/relative/pair_terms.h"

namespace core {

struct PairScores {
  std::shared_ptr<const QueryKeys> of;
  std::vector<PairTerm> terms;                // the content first
  std::shared_ptr<const VectorD> after = {};  // URPE: c of j - i from -(n - 1) to n - 1
  bool causal = false;

  Index n() const { return of->n(); }
  // How many keys query i sees: the first so many.
  Index seen(Index i) const { return causal ? i + 1 : n(); }
  // What the weight of a pair is multiplied by.
  double after_at(Index relative) const { return (*after)(after->size() / 2 + relative); }

  // (block.rows, block.cols), masked pairs too.
  MatrixD plain(const Block& block) const;  // q . k / sqrt(d), no positions
  MatrixD sum(const Block& block) const;    // all terms
  MatrixD factors(const Block& block) const;
};

// What one pass over all pairs finds.
struct PairSurvey {
  std::vector<double> largest_term;  // magnitude of each term, times its factor, seen pairs or not
  double largest_score = 0;          // magnitude over seen pairs, without positions too
  VectorD plain_max, plain_sum;      // of each row: softmax of plain scores
  VectorD max, sum;                  // of each row: softmax of the scores
  VectorD row_sum;                   // of weights times c; empty without `after`
  double largest_weight = 0, largest_plain = 0;
  double largest_after = 0, least_after = 0;  // of weights times c; the first a magnitude
  double moved = 0;                           // mean over the rows of sum |weight - plain| / 2
};
// The same for any number of threads; 0: all cores. Cancelled when `cancel` fires.
PairSurvey survey_pairs(const PairScores& scores, int threads = 0, const Cancel& cancel = {});

// A block of the weights, by the rows' maxima and sums, masked pairs too.
MatrixD plain_weights(const PairScores& scores, const PairSurvey& survey, const Block& block);
MatrixD pair_weights(const PairScores& scores, const PairSurvey& survey, const Block& block);
// What averages the values: the weights, times c where there is `after`.
MatrixD final_weights(const PairScores& scores, const PairSurvey& survey, const Block& block);
// Those less the weights without positions.
MatrixD weight_change(const PairScores& scores, const PairSurvey& survey, const Block& block);

// Everything about one query.
struct PairRow {
  std::vector<std::vector<double>> terms;  // by term, of every key
  std::vector<double> plain_scores, scores;
  std::vector<double> plain, weights;  // 0 where masked
  std::vector<double> after;           // weight times c; else the weights
  Index strongest = 0;                 // the key of the largest weight
};
PairRow pair_row(const PairScores& scores, Index i);

}  // namespace core
