// The computation in stages: content, scores, a survey over all pairs, what is drawn.
#pragma once

#include "app/labs/relative/scores.h"

namespace lab::relative {

using Source = std::shared_ptr<const TileSource>;

// What heatmaps draw.
struct Sources {
  std::vector<Source> terms;
  Source plain_scores, scores, plain_weights, weights, change;
  Source factors, product;  // URPE: C, and softmax times C
};

// A square matrix that a function computes, block by block; `causal` hides the cells right of the
// diagonal. `work` is about how many multiply-adds a cell takes.
Source computed_source(Index n, bool causal, const core::BlockCells& cells, double work);
// A square matrix whose cells depend on column minus row only: values(k) stands for k - (n - 1),
// 2n - 1 in all.
Source distance_source(Index n, bool causal, const VectorD& values);

// The curves over distance and the matrix over distance.
struct Curve {
  enum class Of { term, total, after, slope };
  Of of = Of::term;
  TermId id = TermId::content;
  std::function<double(Index relative)> at;  // from -(extent - 1) to extent - 1
  int head = 0;                              // from 1, of slopes
};
struct Far {
  std::vector<Curve> curves;
  Source matrix;       // over distance
  double largest = 0;  // its magnitude
  bool names = false;  // rows of a table, not amounts
};

struct Model {
  std::shared_ptr<const Content> content;
  // Where there is no token, none of these.
  std::shared_ptr<const RelativeScores> pairs;
  std::shared_ptr<const core::PairSurvey> survey;
  std::shared_ptr<const Sources> sources;
  std::shared_ptr<const Far> far;
  core::PairRow row;
  Index query = 0, key = 0;
  bool pinned = false;

  Index n() const { return content->n(); }
  const RelativeScores& scores() const { return *pairs; }
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::relative
