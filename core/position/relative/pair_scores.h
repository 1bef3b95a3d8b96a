// The scores of a sequence as a sum of terms (pair_terms.h), and their softmax with and without
// positions. Computed block by block, so that no (n, n) matrix is stored.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/position/relative/pair_terms.h"

namespace core {

struct PairScores {
  std::shared_ptr<const QueryKeys> of;
  std::vector<PairTerm> terms;                // the content first
  std::shared_ptr<const VectorD> after = {};  // URPE: c for j - i from -(n - 1) to n - 1
  bool causal = false;

  Index n() const { return of->n(); }
  // The number of keys that query i sees: keys 0 to seen(i) - 1.
  Index seen(Index i) const { return causal ? i + 1 : n(); }
  // The factor of a pair's weight at this relative position.
  double after_at(Index relative) const { return (*after)(after->size() / 2 + relative); }

  // (block.rows, block.cols), masked pairs too.
  MatrixD plain(const Block& block) const;  // q . k / sqrt(d), no positions
  MatrixD sum(const Block& block) const;    // all terms
  MatrixD factors(const Block& block) const;
};

// What one pass over all pairs measures.
struct PairSurvey {
  std::vector<double>
      largest_term;  // magnitude of each term, times its factor; over all pairs, masked ones too
  double largest_score = 0;  // magnitude over pairs that are not masked, with and without positions
  VectorD plain_max, plain_sum;  // of each row: softmax of plain scores
  VectorD max, sum;              // of each row: softmax of the scores
  VectorD row_sum;               // of weights times c; empty without `after`
  double largest_weight = 0, largest_plain = 0;
  double largest_after = 0,
         least_after = 0;  // of weights times c: the largest magnitude, the least value
  double moved = 0;        // mean over the rows of sum |weight - plain| / 2
};
// The same result for any number of threads; 0: all cores. Cancelled when `cancel` fires.
PairSurvey survey_pairs(const PairScores& scores, int threads = 0, const Cancel& cancel = {});

// A block of the weights, from the rows' maxima and sums; values for masked pairs, too.
MatrixD plain_weights(const PairScores& scores, const PairSurvey& survey, const Block& block);
MatrixD pair_weights(const PairScores& scores, const PairSurvey& survey, const Block& block);
// What the values are averaged with: the weights, times c where `after` is given.
MatrixD final_weights(const PairScores& scores, const PairSurvey& survey, const Block& block);
// The final weights minus the weights without positions.
MatrixD weight_change(const PairScores& scores, const PairSurvey& survey, const Block& block);

// All of one query.
struct PairRow {
  std::vector<std::vector<double>> terms;  // [term][key]
  std::vector<double> plain_scores, scores;
  std::vector<double> plain, weights;  // 0 where masked
  std::vector<double> after;           // weight times c; else the weights
  Index strongest = 0;                 // the key of the largest weight
};
PairRow pair_row(const PairScores& scores, Index i);

}  // namespace core
