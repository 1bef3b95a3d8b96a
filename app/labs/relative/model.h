// The computation in stages: content, scheme, a survey over all pairs, what is drawn.
#pragma once

#include "app/labs/relative/scheme.h"

namespace lab::relative {

// Content and scheme, and rows of everything made of them. Row functions may be called from any
// thread.
struct Pairs {
  std::shared_ptr<const Content> content;
  SchemeKnobs knobs;
  Scheme scheme;
  bool causal = false;

  Index n() const { return content->n(); }
  // How many keys query i sees: the first so many.
  Index seen(Index i) const { return causal ? i + 1 : n(); }
  MatrixD plain(const Block& block) const;   // q·k / √d_k, no positions
  MatrixD scores(const Block& block) const;  // all terms added
};

// What one pass over all pairs finds.
struct Survey {
  std::vector<double> largest_term;  // magnitude of each term, times its factor, seen pairs or not
  double largest_score = 0;          // over seen pairs, without positions too
  VectorD plain_max, plain_sum;      // of each row: softmax of plain scores
  VectorD max, sum;                  // of each row: softmax of the scores
  VectorD row_sum;                   // URPE: Σ of weight times c, else empty
  double largest_weight = 0, largest_plain = 0;
  double largest_after = 0, least_after = 0;  // of weights times c; the first a magnitude
  double moved = 0;                           // mean over the rows of ½ Σ |weight - plain weight|
};

// What heatmaps draw.
struct Sources {
  using Source = std::shared_ptr<const TileSource>;
  std::vector<Source> terms;
  Source plain_scores, scores, plain_weights, weights, change;
  Source factors, product;  // URPE: C, and softmax times C
};

// Query i, computed again for the page.
struct Row {
  std::vector<std::vector<double>> terms;  // by term, of every key
  std::vector<double> plain_scores, scores;
  std::vector<double> plain, weights;  // 0 where masked
  std::vector<double> after;           // URPE: weight times c; else the weights
  Index strongest = 0;
};

// The curves over distance and the matrix over distance.
struct Curve {
  enum class Of { term, total, after, slope };
  Of of = Of::term;
  TermId id = TermId::content;
  VectorD values = {};  // of relative positions -(extent - 1) to extent - 1; empty: the slope's
  int head = 0;         // from 1, of slopes
  double slope = 0;     // of slopes
  bool by_key = false;  // of slopes: the form that rises with j

  double at(Index relative) const;
};
struct Far {
  std::vector<Curve> curves;
  std::shared_ptr<const std::vector<float>> matrix;  // what the matrix over distance shows
  double largest = 0;                                // its magnitude
  bool names = false;                                // rows of a table, not amounts
};

struct Model {
  std::shared_ptr<const Content> content;
  // Where there is no token, none of these.
  std::shared_ptr<const Pairs> pairs;
  std::shared_ptr<const Survey> survey;
  std::shared_ptr<const Sources> sources;
  std::shared_ptr<const Far> far;
  Row row;
  Index query = 0, key = 0;
  bool pinned = false;

  Index n() const { return content->n(); }
  const Scheme& scheme() const { return pairs->scheme; }
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::relative
