// The computation of the lab of rounded ALiBi biases. Each stage is a pure function of the
// parameters it names.
#pragma once

#include "app/labs/alibi_rounding/parameters.h"
#include "app/labs/lab.h"

namespace lab::alibi_rounding {

using core::AlibiRoundingFacts;

// Of each head, the facts of its first n biases, for each of `lengths`.
struct Curves {
  std::vector<Index> lengths;
  std::vector<std::vector<AlibiRoundingFacts>> heads;
};

// What scores are made of: (tokens, d).
struct Content {
  MatrixD Q, K;
  MatrixD scores;  // q.k / sqrt(d), (tokens, tokens), in double
};

// Where the head's sums differ: exact, rounded and rounded less exact; NaN where the key comes
// after the query.
struct Pairs {
  MatrixD stored_scores;  // after their own rounding
  MatrixD exact, rounded;
  double largest_error = 0;         // the size of finite ones
  Index equal = 0, neighbours = 0;  // neighbouring keys of a row whose sums are equal, of how many
  Index swapped = 0;                // whose order was turned round
  std::shared_ptr<const figure::TileSource> exact_cells, rounded_cells, error_cells;
};

// For the picked query: (heads, tokens), a small whole number for the value of each key's bias or
// sum. Neighbours of one value have one number.
struct Strips {
  std::shared_ptr<const figure::TileSource> sums, biases;
  std::vector<Index> distinct;  // sums a head still tells apart
  Index keys = 0;               // that are not masked
};

struct Model {
  VectorD slopes;
  double slope = 0;  // of the picked head
  core::AlibiRounder rounder;
  std::shared_ptr<const Curves> curves = {};
  std::shared_ptr<const std::vector<AlibiRoundingFacts>> context = {};  // of each head
  std::shared_ptr<const Content> content = {};
  std::shared_ptr<const Pairs> pairs = {};
  std::shared_ptr<const Strips> strips = {};

  const AlibiRoundingFacts& facts(const Parameters& p) const {
    return (*context)[static_cast<std::size_t>(p.head - 1)];
  }
};

// Score plus bias as a head computes it. The carrier is float32.
struct Sum {
  double score, stored_score;
  double exact_bias, bias;
  double before;  // the sum of both, before it is stored
  double result;
};
class Adder {
 public:
  Adder(const Adding& adding, const core::AlibiRounder& rounder)
      : step_(adding.biases.steps().low, core::kFloat32, adding.biases.steps().rule),
        rounder_(rounder),
        round_score_(adding.score),
        round_sum_(adding.sum) {}
  // distance >= 0; not checked.
  Sum operator()(double score, Index distance) const;

 private:
  core::Carried step_;
  core::AlibiRounder rounder_;
  bool round_score_, round_sum_;
};

Model make_model(const Parameters& p, const Context& context);

}  // namespace lab::alibi_rounding
